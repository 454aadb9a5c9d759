"""A near miss gets help: what was meant, or why not, and the legal moves that involve that card."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import cardsol
from cardsol.cli.advice import AT_PROMPT, AT_SHELL, IN_PIPE, advised
from cardsol.errors import BadToken, IllegalMove
from cardsol.notation import check, helped, resolve
from tests.support.engine import few, variant_name
from tests.support.harness import run_inside

START = {
    "rouge": ("rouge-et-noir", ""),
    "peaks": ("three-peaks", ""),
    "universal": ("universal", ""),
    "camelot": ("camelot", "draw"),
}

TOLD: list[tuple[str, str, int, str]] = [
    ("rouge", "7H-9H", 4, "in the other colour; legal with 7H: t7-t2, t7-t3\n"),
    ("rouge", "t7-t5", 4, "in the other colour; legal with 7H: t7-t2, t7-t3\n"),
    ("rouge", "t1-t2", 4, "in the other colour; legal with 8C: t2-t5, t7-t2\n"),
    ("rouge", "TS-KC", 4, "no TS lies face up; legal with KC: t4-t10\n"),
    ("rouge", "2S-f", 4, "; legal here: draw, t2-t5, t3-t5, t4-t10, t6-t10, ... (8 in all)\n"),
    ("peaks", "TS", 4, "of any suit; legal here: d2, d3, d4, d9, draw\n"),
    ("peaks", "7D", 4, "; legal with 7D: d2, d3, d4, d9\n"),
    ("universal", "w-h3", 4, "w-h3: the waste is empty; legal here: draw, t1-f, t2-f, t5-f\n"),
    ("universal", "t1-f2", 4, "t1-f is another move: 1S from t1 to the bar, on f5\n"),
    ("camelot", "draw", 4, "; legal here: w-"),
    ("peaks", "drwa", 2, "is not a token of three-peaks: did you mean draw? its tokens are like draw, d4"),
    ("rouge", "7H8S", 2, "did you mean t7-t3 (7H from t7 onto 8S)? its tokens are like "),
    ("peaks", "8c-w", 2, "did you mean d3 (8C onto 7D: +1)? its tokens are like "),
    ("peaks", "ts-w", 2, "not a token of three-peaks: its tokens are like "),
    ("universal", "6j-venus", 2, "not a token of universal: its tokens are like "),
    ("rouge", "7h", 4, "illegal move 7h: it could be t7-t2 or t7-t3"),
    ("peaks", "zzz", 2, "'zzz' is not a token of three-peaks: its tokens are like "),
]


@pytest.mark.parametrize(
    ("start", "word", "status", "says"), TOLD, ids=[f"{told[0]} {told[1]}" for told in TOLD]
)
def test_a_near_miss_is_told_with_what_can_be_done(
    start: str, word: str, status: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, moves = START[start]
    game = cardsol.deal(name, seed=1)
    for token in moves.split():
        game.push(token)
    cardsol.save(game, "cardsol.json")
    result = run_inside("move", word)
    assert (result.status, result.out) == (status, "") and says in result.err and result.err.count("\n") == 1


@pytest.mark.parametrize("variant", few(2), ids=variant_name)
def test_help_lists_at_most_five_moves_all_of_them_legal_and_ends_in_one_line(
    variant: tuple[str, dict[str, str]],
) -> None:
    name, options = variant
    dice = random.Random(1)
    game = cardsol.deal(name, seed=3, options=options)
    for _ in range(12):
        for token in dice.sample(sorted(game.grammar - set(game.legal_moves)), 8):
            told = str(helped(game, token, IllegalMove(token, game.why_not(token))))
            listed = told.rpartition("; ")[2].partition(": ")[2].partition(", ...")[0].split(", ")
            assert "\n" not in told and len(listed) <= 5
            assert set(listed) <= set(game.legal_moves) or "; " not in told
        if game.status != "playing":
            break
        game.push(dice.choice(game.legal_moves))


@pytest.mark.parametrize("variant", few(2), ids=variant_name)
def test_help_tells_no_face_down_card_from_one_not_in_play(variant: tuple[str, dict[str, str]]) -> None:
    name, options = variant
    game = cardsol.deal(name, seed=4, options=options)
    seen = {card for pile in game.piles().values() for card in pile.up}
    unseen = sorted({card for pile in game.piles().values() for card in pile.down} - seen)
    for form in ("{}", "{}-f", "{}-t1", "w-{}", "{}!"):
        answers = set()
        for card in random.Random(2).sample(unseen, 6):
            word = form.format(card)
            try:
                check(game, word)
                resolve(game, word)
            except BadToken as error:
                answers.add(str(error).replace(card, "CARD"))
            except IllegalMove as error:
                answers.add(str(helped(game, word, error)).replace(card, "CARD"))
        assert len(answers) == 1


def test_a_game_that_is_over_lists_no_move_and_says_how_to_go_on() -> None:
    refused = IllegalMove("draw", "the game is already won")
    game = cardsol.deal("camelot", seed=1)
    while game.legal_moves:
        game.push(game.legal_moves[0])
    told = helped(game, "draw", refused)
    assert str(told) == f"{refused}; no move is left"
    for advice in (AT_SHELL, AT_PROMPT, IN_PIPE):
        assert advised(told, advice) == f"{told}; {advice.none_left}" and "u" in advice.none_left


@pytest.mark.parametrize("variant", few(2), ids=variant_name)
def test_a_word_that_is_no_token_is_guessed_as_a_move_of_its_first_card(
    variant: tuple[str, dict[str, str]],
) -> None:
    name, options = variant
    game = cardsol.deal(name, seed=3, options=options)
    for pile in game.piles().values():
        for card in pile.up:
            with pytest.raises(BadToken) as caught:
                check(game, f"{card}-nowhere")
            guess = str(caught.value).partition("did you mean ")[2].partition("?")[0]
            tokens = [each.partition(" (")[0] for each in guess.split(" or ")] if guess else []
            assert all(card in game.explain(token).cards for token in tokens)
            assert bool(tokens) == any(card in game.explain(token).cards for token in game.legal_moves)


def test_errors_know_no_shell_and_no_prompt() -> None:
    """Only the command line says what to type: a library's caller, or a program on a pipe, types nothing."""
    package = Path(cardsol.__file__).parent
    for path in package.rglob("*.py"):
        if "cli" not in path.relative_to(package).parts:
            text = path.read_text(encoding="utf-8")
            assert "'cardsol " not in text and "--force replaces" not in text and "-f PATH" not in text, path


@pytest.mark.parametrize("name", cardsol.names())
def test_every_option_that_is_no_default_has_a_played_example(name: str) -> None:
    rules = cardsol.deal(name, seed=1).rules
    shown = {pair for word in rules.TOKEN_FORMS for pair in word.deal.split() if "=" in pair}
    assert {f"{key}={value}" for key, values in rules.OPTIONS.items() for value in [*values][1:]} == shown
