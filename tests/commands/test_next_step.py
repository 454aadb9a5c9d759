"""Every error line says, in one line and in the player's words, what is wrong and what to do next."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import cardsol
from cardsol.cli import COMMANDS
from cardsol.cli import cardsol as command
from cardsol.cli.outcome import _name_of
from cardsol.cli.params import Number, OneOf
from cardsol.cli.solving import seed_after
from tests.support import harness
from tests.support.harness import environment
from tests.support.harness import run_loaded as run
from tests.support.typed import STARTS, game, in_process, put

NAMES = cardsol.names()


def parameters() -> Iterator[tuple[str, click.Parameter]]:
    """Yields every parameter of every command with the command's name."""
    context = click.Context(command)
    for name in COMMANDS:
        found = command.get_command(context, name)
        assert found is not None
        for parameter in found.params:
            yield name, parameter


def having(name: str) -> list[str]:
    """Returns the commands that have a parameter of this name."""
    return [each for each, parameter in parameters() if parameter.name == name]


ON_SAVES = [name for name in having("save") if name not in ("deal", "check")]


def told(*words: str, folder: Path, status: int = 2) -> str:
    """Returns the one line that a command line gets."""
    result = in_process(*words, folder=folder)
    assert (result.status, result.out) == (status, ""), result
    assert result.err.startswith("cardsol: ") and result.err.count("\n") == 1
    return result.err.removeprefix("cardsol: ").rstrip("\n")


@pytest.mark.parametrize("name", [name for name in ON_SAVES if name != "play"])
def test_without_a_save_the_next_step_is_to_deal(name: str, tmp_path: Path) -> None:
    words = (name, "draw") if name == "move" else (name,)
    text = told(*words, folder=tmp_path, status=3)
    assert text.startswith("'cardsol.json': can't be read: No such file") and "'cardsol deal GAME'" in text


def test_a_file_that_is_no_save_and_may_not_be_there_is_told_without_dealing(tmp_path: Path) -> None:
    assert "deal GAME" not in told("deal", "camelot", "--deck", "@x", folder=tmp_path, status=3)
    assert "folder" in told("deal", "camelot", "-f", "no/x.json", folder=tmp_path, status=3)


@pytest.mark.parametrize("start", STARTS)
@harness.part(4)
def test_a_refusal_tells_the_word_as_it_was_typed(start: str, part: int, tmp_path: Path) -> None:
    put(start, tmp_path)
    here = game(start)
    illegal = sorted(here.grammar - set(here.legal_moves))
    for token in random.Random(1).sample(illegal, min(12 // part, len(illegal))):
        assert told("move", token, folder=tmp_path, status=4).startswith(f"illegal move {token}: ")
        text = told("move", token.upper(), folder=tmp_path, status=4)
        assert text.startswith(f"illegal move {token.upper()} ({token}): ")
        assert in_process("move", "--json", token.upper(), folder=tmp_path).error["token"] == token


@pytest.mark.parametrize("start", STARTS)
def test_a_word_that_is_no_token_is_pointed_to_the_moves_and_cut_if_long(start: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    for word in ("zzz", "7" * 5000, "b2-b1x" + "9" * 5000):
        text = told("move", word, folder=tmp_path)
        assert text.endswith("; 'cardsol moves' lists the legal ones") and len(text) < 400


NO_NUMBERS = ("", " 1", "x", "\u0663", "\uff11", "1_0", "+1", "nan", "inf", "-1", "1e", "9" * 5000)


def test_every_number_is_plain_digits_and_a_wrong_one_gets_one_plain_line(tmp_path: Path) -> None:
    put("peaks played", tmp_path)
    numbers = [(name, each) for name, each in parameters() if isinstance(each.type, Number)]
    assert {f"{name} {_name_of(each)}" for name, each in numbers} == {
        "undo N", "redo N", "show --at", "hint --worlds", "hint --seconds", "solve --max-states",
        "solve --max-seconds", "solve --max-memory", "survey --max-states", "survey --jobs", "survey --move-seconds",
    }  # fmt: skip
    for name, each in numbers:
        assert isinstance(each.type, Number)
        fitting = ["camelot", "--seeds", "1"] if name == "survey" else []
        fitting += ["--player", "exec:true"] if "--move-seconds" in each.opts else []
        for word in (
            *NO_NUMBERS,
            "0" if each.type.min or each.type.min_open else "-0",
            "1.5" if each.type.kind is int else "1,5",
        ):
            if isinstance(each, click.Option):
                words = [name, *fitting, f"{each.opts[-1]}={word}"]
            else:
                words = [name, "--", word]
            if word == "9" * 5000 and each.type.kind is float and each.type.max is None:
                continue
            text = told(*words, folder=tmp_path)
            assert text.startswith(f"{_name_of(each)} takes a "), (name, word, text)
            span = f"above {each.type.min}, up" if each.type.min_open else f"from {each.type.min}"
            most = "" if each.type.max is None else f" to {each.type.max}"
            assert f"number {span}{most}, not '" in text


def test_no_parameter_reads_numbers_or_words_in_another_way() -> None:
    for name, each in parameters():
        plain = isinstance(each.type, (type(click.STRING), type(click.BOOL), Number, OneOf))
        assert plain, (name, each.name)


@pytest.mark.parametrize(
    ("seed", "after"),
    [("7", "9"), ("-1", "1"), ("0", "2"), ("07", "07+2"), ("\u0663", "\u0663+2"), ("1\u0663", "1\u0663+2"),
     ("2026-12-02", "2026-12-02+2"), ("a+1", "a+1+2"), ("9" * 30, "9" * 30 + "+2")],
)  # fmt: skip
def test_winnable_goes_on_from_a_whole_number_or_any_other_text(seed: str, after: str) -> None:
    assert (seed_after(seed, 0), seed_after(seed, 2)) == (seed, after)


def misspelled(word: str) -> str:
    """Returns a near miss: the last two letters changed about, or one too many."""
    turned = word[:-2] + word[-2:][::-1]
    return turned if turned != word and len(word) > 3 else word + word[-1]


def meant(text: str) -> list[str]:
    return text.partition("did you mean ")[2].partition("?")[0].split(" or ")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_near_miss_of_a_command_is_guessed(name: str, tmp_path: Path) -> None:
    text = told(misspelled(name), folder=tmp_path)
    assert text.startswith("no such command ") and name in meant(text)


@pytest.mark.parametrize("name", NAMES)
def test_a_near_miss_of_a_game_an_option_or_a_value_is_guessed(name: str, tmp_path: Path) -> None:
    for other in having("game"):
        words = (other, misspelled(name), *(("--seeds", "1") if other == "survey" else ()))
        text = told(*words, folder=tmp_path)
        assert name in meant(text) and text.endswith(f"the games are {', '.join(NAMES)}")
    for key, values in cardsol.deal(name, seed=1).rules.OPTIONS.items():
        assert key in meant(told("deal", name, "-o", f"{misspelled(key)}=x", folder=tmp_path))
        for value in values:
            text = told("deal", name, "-o", f"{key}={misspelled(value)}", folder=tmp_path)
            assert text.startswith(f"option {key} takes {' or '.join(values)}, not ")
            assert value in meant(text) or len(value) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_part_of_a_games_name_is_enough_to_guess_it(name: str, tmp_path: Path) -> None:
    for part in (*name.split("-"), name[:5]):
        if len(part) > 2 and part != name:
            assert name in meant(told("deal", part, folder=tmp_path))


def test_a_game_or_a_move_in_place_of_a_command_is_guessed(tmp_path: Path) -> None:
    for name in NAMES:
        assert f"did you mean 'cardsol deal {name}'?" in told(name, folder=tmp_path)
    put("peaks", tmp_path)
    for word in ("draw", "d3", "8C", "d1"):
        assert f"did you mean 'cardsol move {word}'?" in told(word, folder=tmp_path)
    assert "cardsol move" not in told("t1-t2", folder=tmp_path)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_in_place_of_a_move_is_guessed(name: str, tmp_path: Path) -> None:
    put("peaks", tmp_path)
    assert told("move", name, folder=tmp_path) == (
        f"'{name}' is a command, not a move: did you mean 'cardsol {name}'?"
    )


@pytest.mark.parametrize("words", [["draw", "zzz"], ["draw", "d1"]])
@pytest.mark.parametrize("way", ["words", "pipe", "dry run"])
def test_a_wrong_word_of_several_is_told_with_its_place(words: list[str], way: str, tmp_path: Path) -> None:
    put("universal" if words[1] == "d1" else "peaks", tmp_path)
    given = "\n".join(words) if way == "pipe" else ""
    typed = ["-"] if way == "pipe" else words + ["--dry-run"] * (way == "dry run")
    result = in_process("move", *typed, folder=tmp_path, given=given)
    assert result.status == 2 and "; word 2 of 2, and no move was made" in result.err
    assert in_process("move", *typed, "--json", folder=tmp_path, given=given).error["step"] == 2
    assert "word 1" not in told("move", words[1], folder=tmp_path)


@pytest.mark.parametrize(
    "words", ["camelot --daily yesterday", "--daily tomorrow camelot", "camelot --daily last-week --force"]
)
@pytest.mark.parametrize("name", ["deal", "play"])
def test_a_word_after_daily_that_is_no_date_is_told(name: str, words: str, tmp_path: Path) -> None:
    assert "--daily takes a date such as 2026-12-02, not '" in told(name, *words.split(), folder=tmp_path)


def test_one_key_of_a_score_is_asked_for(tmp_path: Path) -> None:
    put("peaks", tmp_path)
    assert "--get takes one key" in told("score", "--get", "score", "--get", "max", folder=tmp_path)


def test_rules_without_a_game_are_those_of_the_save(tmp_path: Path) -> None:
    assert "'cardsol deal GAME'" in told("rules", folder=tmp_path, status=3)
    put("camelot", tmp_path)
    assert in_process("rules", folder=tmp_path) == in_process("rules", "camelot", folder=tmp_path)


def test_a_near_miss_of_a_word_of_few_is_guessed(tmp_path: Path) -> None:
    put("peaks", tmp_path)
    for name, each in parameters():
        if isinstance(each.type, OneOf):
            for value in each.type.choices:
                fitting = ["camelot"] if name in having("game") else []
                option = each.opts[-1] if isinstance(each, click.Option) else ""
                text = told(name, *fitting, *filter(None, [option]), misspelled(value), folder=tmp_path)
                assert text.startswith(f"{_name_of(each)} takes ") and value in meant(text)
    for key in in_process("score", "--json", folder=tmp_path).json:
        assert key in meant(told("score", "--get", misspelled(key), folder=tmp_path))


def test_options_before_the_command_are_told_where_to_stand(tmp_path: Path) -> None:
    for option in sorted({opt for _, each in parameters() for opt in each.opts if opt.startswith("-")}):
        if option not in ("--help", "-h", "--version"):
            result = in_process(option, "show", folder=tmp_path)
            assert result.status == 2 and "; options stand after the command; " in result.err, option
    assert meant(told("--versoin", folder=tmp_path)) == ["--version"]


@pytest.mark.parametrize("name", having("game"))
def test_a_game_may_be_named_in_any_case(name: str, tmp_path: Path) -> None:
    words = ("--seeds", "1", "--player", "random") if name == "survey" else ()
    for game_name in ("Camelot", "CAMELOT"):
        assert in_process(name, game_name, *words, folder=tmp_path).status == 0
        (tmp_path / "cardsol.json").unlink(missing_ok=True)


@pytest.mark.parametrize("name", [name for name in ON_SAVES if name != "move"])
def test_a_save_given_as_a_word_is_told_of_the_option(name: str, tmp_path: Path) -> None:
    put("peaks played", tmp_path)
    (tmp_path / "a game").write_bytes((tmp_path / "cardsol.json").read_bytes())
    for word in ("cardsol.json", "./cardsol.json", "not-there.json", "a game"):
        assert "a save is named by -f FILE" in told(name, word, folder=tmp_path)
    if name == "play":
        return
    assert "-f FILE" not in told(name, "1", "7H", "extra", folder=tmp_path)


@pytest.mark.parametrize("name", ["games", "rules camelot", "completion bash"])
def test_a_command_without_a_save_tells_of_no_option_that_it_lacks(name: str, tmp_path: Path) -> None:
    put("peaks", tmp_path)
    assert "-f" not in told(*name.split(), "cardsol.json", folder=tmp_path)


@pytest.mark.parametrize("made", [0, 1, 2])
def test_one_is_one_move(made: int, tmp_path: Path) -> None:
    played = cardsol.deal("three-peaks", seed="1")
    for _ in range(made):
        played.push("draw")
    cardsol.save(played, tmp_path / "cardsol.json")
    moves = "1 move" if made == 1 else f"{made} moves"
    assert f"# Three Peaks, {moves}.\n" in in_process("log", "--script", folder=tmp_path).out
    assert told("show", "--at", "7", folder=tmp_path, status=4) == f"the history has {moves}, not 7"
    assert f" {moves}, " in repr(played)


@pytest.mark.parametrize("deck", [b"\xff", b"AS \xff", b'{"deck": 1}', b"{", b"7X"])
def test_a_wrong_deck_on_the_command_line_is_2_whatever_it_is(deck: bytes, tmp_path: Path) -> None:
    result = run("deal", "camelot", "--deck", deck, folder=tmp_path)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_save_is_kept_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "cardsol.json").write_text("a letter")
    text = told("deal", "camelot", "--force", folder=tmp_path, status=3)
    assert text.endswith("only a save is ever overwritten")


@pytest.mark.parametrize("columns", ["80", "60", "200"])
def test_the_list_of_commands_cuts_no_summary(columns: str, tmp_path: Path) -> None:
    text = run("--help", folder=tmp_path, env={"COLUMNS": columns}).out
    listed = " ".join(text.partition("Commands:\n")[2].split())
    context = click.Context(command)
    for name in COMMANDS:
        found = command.get_command(context, name)
        assert found is not None and found.help
        summary = " ".join(found.help.partition("\n\n")[0].split())
        assert f"{name} {summary}" in listed
        assert columns != "80" or f"{summary}\n" in text


@pytest.mark.parametrize(
    "words", harness.some(["", *(f"{name} --help" for name in COMMANDS), "rules camelot", "games"], 4)
)
def test_help_is_whole_without_docstrings(words: str, tmp_path: Path) -> None:
    with_them, without = (
        run(*words.split(), folder=tmp_path, env=environment({"PYTHONOPTIMIZE": level}))
        for level in ("", "2")
    )
    assert without == with_them and without.status == 0 and without.out.count("\n") > 4
