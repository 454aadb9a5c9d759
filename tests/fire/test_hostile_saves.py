"""A save's text may come from anyone: it is the same game, whole, or refused with a line that says where."""

from __future__ import annotations

import codecs
import json
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol import files, saves
from cardsol.cards import DECKS
from cardsol.game import MOST_MOVES
from tests.support import harness

SAMPLES = [
    path.read_bytes() for path in sorted((Path(__file__).parent.parent / "saves" / "v1").glob("*.json"))
]
SHORT = [text for text in SAMPLES if len(json.loads(text)["moves"]) <= 100]
"""What is mutated: a replay is soon over, so that there is time for many."""
PARTS = 10
"""The mutations are made in so many tests, that a failure names its own."""
SLOWEST = 5.0
LARGEST_MB = 200

ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 20_001, 10**14, 10**30, 1.0, 0.5, "", "0", "\0", "\ud800", "x" * 300),
    *(
        [],
        [[]],
        {},
        {"": 0},
        ["draw"],
        [1],
        [None],
        {"down": [], "up": []},
        "7H",
        "draw",
        "won",
        "lost",
        "playing",
    ),
    *("cardsol-deal-2", "\u202e", "\x1b[2J", "-", "three-peaks", "camelot"),
)


def strict(text: str) -> Any:
    """Reads JSON, and refuses a key that stands twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("twice")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=once)


def same(one: Any, other: Any) -> bool:
    """Tells whether two values of JSON are equal, and of equal types: true is not 1 here."""
    return repr(one) == repr(other)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Gives the path to every value inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def change_value(save: Any, chance: random.Random) -> Any:
    """Changes one value somewhere in a save: another type, a neighbour's, removed, added, doubled."""
    path = chance.choice(list(places(save)))
    within = save
    for key in path[:-1]:
        within = within[key]
    key = path[-1]
    kind = chance.randrange(7)
    if kind == 0:
        within[key] = chance.choice(ODD_VALUES)
    elif kind == 1:
        del within[key]
    elif kind == 2 and isinstance(within, list):
        other = chance.randrange(len(within))
        within[key], within[other] = within[other], within[key]
    elif kind == 3 and isinstance(within, list):
        within.insert(key, within[key])
    elif kind == 4 and isinstance(within, dict):
        within[chance.choice(["extra", "Game", "", "moves ", "down"])] = within[key]
    elif kind == 5 and isinstance(within[key], str):
        within[key] = chance.choice(
            [within[key].lower(), within[key] + " ", within[key][::-1], within[key][:-1]]
        )
    else:
        donor = json.loads(chance.choice(SHORT))
        within[key] = (
            donor.get(path[0], chance.choice(ODD_VALUES)) if len(path) == 1 else chance.choice(ODD_VALUES)
        )
    return save


def swap_cards(save: Any, chance: random.Random) -> Any:
    """Exchanges two cards of the deck, or of the piles."""
    if chance.randrange(2):
        cards = save["deck"]
        i, j = chance.sample(range(len(cards)), 2)
        cards[i], cards[j] = cards[j], cards[i]
        return save
    parts = [part for pile in save["piles"].values() for part in pile.values() if part]
    one, other = chance.choice(parts), chance.choice(parts)
    i, j = chance.randrange(len(one)), chance.randrange(len(other))
    one[i], other[j] = other[j], one[i]
    return save


def change_history(save: Any, chance: random.Random) -> Any:
    """Makes the history illegal, or another one, at some step; or moves tokens between moves and undone."""
    moves, undone = save["moves"], save["undone"]
    kind = chance.randrange(4)
    if kind == 0 and moves:
        moves[chance.randrange(len(moves))] = chance.choice(moves)
    elif kind == 1 and moves:
        undone.insert(0, moves.pop())
    elif kind == 2 and undone:
        moves.append(undone.pop(0))
    else:
        moves.append(chance.choice(["draw", "t1-t2", "nonsense", "", "DRAW", "a1", "w-f"]))
    return save


def change_options(save: Any, chance: random.Random) -> Any:
    """Says that it is another game, with other options, from another seed."""
    donor = json.loads(chance.choice(SHORT))
    for key in chance.sample(
        ["game", "options", "seed", "deal", "deck", "undos", "score", "status"], chance.randint(1, 3)
    ):
        save[key] = donor[key]
    return save


STRUCTURED: tuple[Callable[[Any, random.Random], Any], ...] = (
    change_value,
    change_value,
    swap_cards,
    change_history,
    change_options,
)


def structured(text: bytes, chance: random.Random) -> bytes:
    save = chance.choice(STRUCTURED)(json.loads(text), chance)
    style: dict[str, Any] = chance.choice([{}, {"indent": 1}, {"ensure_ascii": False}])
    return json.dumps(save, **style).encode("utf-8", "surrogatepass")


def raw(text: bytes, chance: random.Random) -> bytes:
    """Changes bytes without a thought for what they mean."""
    at = chance.randrange(len(text))
    end = at + chance.randint(1, 40)
    lines = text.splitlines(keepends=True)
    line = chance.randrange(len(lines))
    ways: list[Callable[[], bytes]] = [
        lambda: text[:at],
        lambda: text[at:],
        lambda: text[:at] + text[end:],
        lambda: text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :],
        lambda: (
            text[:at]
            + chance.choice([b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x1b[2J", b'"'])
            + text[at:]
        ),
        lambda: text[:at] + text[at:end] * 2 + text[end:],
        lambda: b"".join(lines[:line] + lines[line + 1 :]),
        lambda: b"".join(lines[: line + 1] + lines[line:]),
        lambda: text + chance.choice([b" ", b"\n\n", b"x", b"\0", text]),
        lambda: text.replace(b"\n", chance.choice([b"\r\n", b"\r", b"\n\n", b""])),
        lambda: chance.choice([codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE]) + text,
        lambda: text.decode().encode(
            chance.choice(["utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-7"])
        ),
    ]
    return chance.choice(ways)()


def mutations(number: int) -> Iterator[bytes]:
    chance = random.Random(f"hostile {number}")
    while True:
        mutate = structured if chance.randrange(3) else raw
        yield mutate(chance.choice(SHORT), chance)


def accepted(text: bytes) -> bool:
    """Parses, and holds what is accepted to its own text: nothing in it is passed over."""
    try:
        game = saves.parse(text, "x.json")
    except cardsol.BadSave as error:
        assert str(error).isprintable()
        assert len(str(error)) < 1000
        return False
    assert same(strict(saves.dump(game).decode()), reordered(strict(saves.decode(text)), game))
    return True


def reordered(save: Any, game: cardsol.Game) -> Any:
    """The order of keys means nothing: puts it as a save has it."""
    due = json.loads(saves.dump(game))

    def like(value: Any, right: Any) -> Any:
        if isinstance(value, dict) and isinstance(right, dict) and value.keys() == right.keys():
            return {key: like(value[key], right[key]) for key in right}
        return value

    return like(save, due)


@harness.repeated("number", 60, 2_000)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_mutated_save_is_the_same_game_or_is_refused(part: int, number: int) -> None:
    slowest, taken, refused = 0.0, 0, 0
    for text, _ in zip(mutations(part), range(number)):
        began = time.process_time()
        if accepted(text):
            taken += 1
        else:
            refused += 1
        slowest = max(slowest, time.process_time() - began)
    harness.figure(
        "hostile saves", mutations=taken + refused, refused=refused, accepted=taken, slowest_s=slowest
    )
    assert refused > taken > 0
    assert slowest < SLOWEST


COMMANDS = (
    ("show",),
    ("move", "draw"),
    ("undo",),
    ("redo", "--json"),
    ("score",),
    ("moves",),
    ("log",),
    ("check",),
)


@harness.repeated("runs", 80, 2_000)
def test_every_command_refuses_a_hostile_save_with_a_line_and_leaves_it_alone(
    runs: int, tmp_path: Path
) -> None:
    save = tmp_path / "x.json"
    refused = 0
    for number, text in zip(range(runs), mutations(1000)):
        words = COMMANDS[number % len(COMMANDS)]
        save.write_bytes(text)
        result = harness.run_inside(*words, *([str(save)] if words == ("check",) else ["-f", str(save)]))
        if not parses(text):
            check_refusal(result, words)
            assert save.read_bytes() == text
            refused += 1
    harness.figure("hostile saves, commands", runs=runs, refused=refused)
    assert runs / 2 < refused < runs


def parses(text: bytes) -> bool:
    try:
        saves.parse(text, "")
    except cardsol.BadSave:
        return False
    return True


def check_refusal(result: harness.Result, words: tuple[str, ...]) -> None:
    """`check` answers on standard output; all others say one line on standard error."""
    line, other = (result.out, result.err) if words == ("check",) else (result.err, result.out)
    assert result.status == 3
    assert other == ""
    assert line.count("\n") == 1
    assert line.rstrip("\n").isprintable()
    assert "Traceback" not in line


@harness.repeated("runs", 4, 100)
def test_the_installed_command_refuses_a_hostile_save(runs: int, tmp_path: Path) -> None:
    save = tmp_path / "x.json"
    slowest, refused = 0.0, 0
    for number, text in zip(range(runs), mutations(2000)):
        words = COMMANDS[number % len(COMMANDS)]
        save.write_bytes(text)
        began = time.monotonic()
        result = harness.run(*words, *([save] if words == ("check",) else ["-f", save]), folder=tmp_path)
        slowest = max(slowest, time.monotonic() - began)
        assert "Traceback" not in result.err
        if not parses(text):
            check_refusal(result, words)
            assert save.read_bytes() == text
            refused += 1
    harness.figure("hostile saves, processes", runs=runs, refused=refused, slowest_s=slowest)
    assert runs / 2 < refused


def of(**changes: Any) -> bytes:
    """A small save with some values replaced."""
    return json.dumps({**json.loads(saves.dump(cardsol.deal("camelot", seed="1"))), **changes}).encode()


def literal(key: str, text: bytes) -> bytes:
    """A small save with raw text as the value of a key."""
    return of(**{key: "@@"}).replace(b'"@@"', text)


DEEP = 100_000
MB = 2**20
BOMBS: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", "line 1 column 1"),
    "not a number": (literal("score", b"NaN"), "whole"),
    "infinity": (literal("undos", b"-Infinity"), "whole"),
    "an exponent": (literal("score", b"1e400"), "whole"),
    "a point": (literal("undos", b"0.0"), "whole"),
    "an integer of a million digits": (literal("undos", b"9" * 10**6), "15 digits"),
    "a negative one": (literal("score", b"-" + b"9" * 10**6), "15 digits"),
    "nested lists": (b"[" * DEEP + b"]" * DEEP, "lists and objects"),
    "nested lists, few": (b"[" * 1500 + b"]" * 1500, ""),
    "nested objects": (b'{"a":' * DEEP + b"1" + b"}" * DEEP, "lists and objects"),
    "nested lists, unclosed": (b"[" * DEEP, "lists and objects"),
    "a nested version": (literal("version", b"[" * 900 + b"]" * 900), "version"),
    "a nested score": (literal("score", b"[" * 900 + b"]" * 900), "score"),
    "a nested pile": (literal("piles", b"[" * 900 + b"]" * 900), "piles"),
    "4 MB of lists in lists": ((b"[" * 900 + b"]" * 900 + b",") * 2300, ""),
    "4 MB of short texts": (b"[" + b'"ab",' * 800_000 + b"0]", "format"),
    "4 MB of keys": (b"{" + b",".join(b'"%x":0' % n for n in range(380_000)) + b"}", "format"),
    "4 MB of keys, one twice": (b'{"9":0,' + b",".join(b'"%x":0' % n for n in range(370_000)) + b"}", "'9'"),
    "4 MB of objects": (b"[" + b'{"":{}},' * 500_000 + b"0]", "lists and objects"),
    "4 MB of wide characters": (b'["' + "\U0001f0a1".encode() * 1_000_000 + b'"]', "format"),
    "4 MB of blanks": (b" " * 4 * MB, "line 1 column"),
    "4 MB of moves": (of(moves=["draw"] * 500_000), "20,000 moves"),
    "many odd moves": (of(moves=["\u202e" * 500] * 500), "moves[0]"),
    "5 MB": (b" " * 5 * MB, "larger than 4 MB"),
    "lone surrogates": (of(seed="\ud800"), "seed"),
    "a lone surrogate as key": (of(**{"\udfff": 1}), "udfff"),
    "NUL": (of(seed="\0"), "seed"),
    "NUL bytes": (b"\0" * 1000, "line 1 column 1"),
    "a byte-order mark twice": (codecs.BOM_UTF8 * 2 + of(), "line 1 column 1"),
    "UTF-32": (of().decode().encode("utf-32"), "UTF-32"),
    "UTF-16 without a mark": (of().decode().encode("utf-16-le"), "line 1"),
    "half a character of UTF-16": (of().decode().encode("utf-16")[:-1], "byte"),
    "Latin-1": (b'{"format": "\xe4"}', "byte 12"),
    "a key twice": (of().replace(b'"score"', b'"undos": 0, "score"', 1), "undos"),
    "a pile twice": (of().replace(b'"stock":', b'"stock": {"down": [], "up": []}, "stock":', 1), "stock"),
    "a newer version": (of(version=3), "a newer program may have made it"),
    "true as a version": (of(version=True), "version"),
    "another way to deal": (of(deal="cardsol-deal-2"), "deal"),
    "an unknown game": (of(game="chess"), "game"),
    "a card twice": (of(deck=["AC", *cardsol.deal("camelot", seed="1").deck[1:]]), "deck"),
    "cards in another order": (of(deck=sorted(DECKS["standard"].cards)), "deck[0]"),
    "an illegal first step": (of(moves=["kc-a1"]), "moves[0]"),
    "an illegal undone step": (of(undone=["draw"] * 99, undos=99), "undone["),
    "fewer undos than undone": (of(undone=["draw"], undos=0), ""),
    "piles that contradict": (of(piles={}), "piles"),
    "a score that contradicts": (of(score=1), "score"),
    "a status that contradicts": (of(status="won"), "status"),
    "an escape sequence as deal number": (of(seed=None, deal=None, pysol="\x1b[2J"), "pysol"),
}  # fmt: skip


def measured(
    words: list[str], folder: Path, given: Path | None = None
) -> tuple[harness.Result, float, float]:
    """Runs a command under a small parent; returns also its seconds, and its largest memory in MB."""
    program = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:])\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)\n"
        "sys.exit(done.returncode)\n"
    )
    began = time.monotonic()
    with open(given or "/dev/null", "rb") as stream:
        done = subprocess.run(
            [harness.PYTHON, "-c", program, harness.COMMAND, *words],
            cwd=folder, env=harness.environment(), stdin=stream, capture_output=True, timeout=60, check=False,
        )  # fmt: skip
    seconds = time.monotonic() - began
    *lines, memory = done.stderr.decode().splitlines(keepends=True)
    return harness.Result(done.returncode, done.stdout.decode(), "".join(lines)), seconds, int(memory) / 1024


LARGEST_BOMBS = ("4 MB of keys", "5 MB")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if "MB of keys" in name else ()) for name in BOMBS]
)
def test_a_bomb_is_refused_with_one_line_that_names_what_is_wrong(name: str, tmp_path: Path) -> None:
    text, what = BOMBS[name]
    save = tmp_path / "x.json"
    save.write_bytes(text)
    began = time.process_time()
    result = harness.run_inside("undo", "-f", str(save))
    assert time.process_time() - began < SLOWEST
    check_refusal(result, ("undo",))
    assert what in result.err
    assert len(result.err) < 1000
    assert save.read_bytes() == text


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in LARGEST_BOMBS else pytest.mark.long) for name in BOMBS]
)
def test_a_bomb_is_refused_soon_and_in_little_memory(name: str, tmp_path: Path) -> None:
    text, what = BOMBS[name]
    save = tmp_path / "x.json"
    save.write_bytes(text)
    result, seconds, memory = measured(["undo", "-f", str(save)], tmp_path)
    check_refusal(result, ("undo",))
    assert what in result.err
    assert len(result.err) < 1000
    assert save.read_bytes() == text
    harness.figure("hostile saves, bombs", bytes=len(text), seconds=seconds, memory_MB=memory)
    assert seconds < SLOWEST
    assert memory < LARGEST_MB


@pytest.mark.parametrize("command", harness.some(["show", "move", "check", "deal"], 3))
def test_200_mb_of_blanks_are_refused_unread(command: str, tmp_path: Path) -> None:
    save = tmp_path / "x.json"
    with save.open("wb") as out:
        # As a hole in the file these are NULs; nobody is to read them.
        out.truncate(200 * MB)
        out.write(b" " * MB)
    words = {
        "show": ["show", "-f", str(save)],
        "move": ["move", "draw", "-f", str(save)],
        "check": ["check", str(save)],
        "deal": ["deal", "camelot", "--deck", f"@{save}"],
    }[command]
    for given in (None, save):
        if given:
            if command != "show":
                continue
            words = ["show", "-f", "-"]
        result, seconds, memory = measured(words, tmp_path, given)
        check_refusal(result, (command,))
        assert "larger than 4 MB" in result.out + result.err
        harness.figure("hostile saves, 200 MB", seconds=seconds, memory_MB=memory)
        assert seconds < SLOWEST
        assert memory < LARGEST_MB


def encodings(text: bytes) -> Iterator[bytes]:
    """The same save as other programs would write it."""
    plain = text.decode()
    yield text
    yield text.rstrip()
    yield b"\n \t\r\n" + text
    yield text.replace(b"\n", b"\r\n")
    yield codecs.BOM_UTF8 + text
    yield plain.encode("utf-16")
    yield codecs.BOM_UTF16_BE + plain.replace("\n", "\r\n").encode("utf-16-be")
    yield json.dumps(json.loads(text)).encode()
    yield json.dumps(json.loads(text), indent=4, sort_keys=True, ensure_ascii=False).encode()


@harness.part(4)
def test_a_valid_save_is_never_refused(part: int) -> None:
    for text in SAMPLES[::part]:
        for other in encodings(text):
            assert saves.dump(saves.parse(other, "")) == text


def test_a_save_of_20_000_moves_opens_soon_and_one_more_is_refused(tmp_path: Path) -> None:
    """Two cards that go to and fro between spaces of the cross for ever."""
    text, token = longest_game()
    save = tmp_path / "x.json"
    save.write_bytes(text)
    result, seconds, memory = measured(["undo", "-q", "-f", str(save)], tmp_path)
    assert (result.status, result.err) == (0, "")
    assert len(save.read_bytes()) < files.LARGEST
    harness.figure("hostile saves, longest game", bytes=len(text), seconds=seconds, memory_MB=memory)
    assert seconds < SLOWEST
    assert memory < LARGEST_MB
    save.write_bytes(text)
    result = harness.run_loaded("move", token, "-q", "-f", save, folder=tmp_path)
    assert (result.status, result.out) == (4, "")
    assert "20,000" in result.err
    assert save.read_bytes() == text


def longest_game() -> tuple[bytes, str]:
    """Finds two moves of a game that undo each other, and says in its save that they were made 10,000 times.

    Returns the save, and the token that is the next.
    """
    chance = random.Random(1)
    while True:
        game = cardsol.deal("vanishing-cross", seed=chance.randrange(10**6), options={"play": "direct"})
        for _ in range(60):
            if not game.legal_moves:
                break
            for token in game.legal_moves if len(game.moves) % 2 == 0 else ():
                source, _, target = token.partition("-")
                copy = game.copy()
                copy.push(token)
                back = f"{target}-{source}"
                if back in copy.legal_moves:
                    copy.push(back)
                    if copy.state == game.state:
                        return shuttled(game, token, back), token
            game.push(chance.choice(game.legal_moves))


def shuttled(game: cardsol.Game, there: str, back: str) -> bytes:
    save = json.loads(saves.dump(game))
    save["moves"] += [there, back] * ((MOST_MOVES - len(game.moves)) // 2)
    return json.dumps(save).encode()


def test_the_count_of_moves_taken_back_never_makes_a_save_unreadable() -> None:
    game = cardsol.deal("camelot", seed="1")
    game.push(game.legal_moves[0])
    text = saves.dump(game).replace(b'"undos": 0', b'"undos": 999999999999999')
    again = saves.parse(text, "")
    again.undo()
    assert saves.parse(saves.dump(again), "").undone == game.moves
