"""Whole games, move by move to the end, are printed as they stand in tests/playthroughs."""

from __future__ import annotations

import difflib

import pytest

import cardsol
from cardsol.registry import rules_of
from tests.regenerate import playthroughs
from tests.support.engine import VARIANTS, few, variant_name
from tests.support.positions import form

REGENERATE = "if the change is meant, run: python -m tests.regenerate.playthroughs"


def difference(due: str, found: str) -> str:
    """Returns the first lines in which two playthroughs differ, with the command that printed them."""
    lines = list(difflib.unified_diff(due.splitlines(), found.splitlines(), "due", "printed", "", "", 12, ""))
    more = f"... and {len(lines) - 60} more lines" if len(lines) > 60 else ""
    return "\n".join([*lines[:60], more, REGENERATE])


@pytest.mark.parametrize("variant", few(1), ids=variant_name)
def test_a_whole_game_is_printed_as_in_its_file(variant: tuple[str, dict[str, str]]) -> None:
    path = playthroughs.path_of(variant)
    assert path.exists(), REGENERATE
    due = path.read_text(encoding="utf-8")
    found = playthroughs.played(playthroughs.commands_of(due))
    if found != due:
        pytest.fail(f"{path.name}\n{difference(due, found)}", pytrace=False)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_a_playthrough_is_one_game_of_legal_moves_from_the_deal_to_the_end(
    variant: tuple[str, dict[str, str]],
) -> None:
    name, options = variant
    deal, *moves = playthroughs.commands_of(playthroughs.path_of(variant).read_text(encoding="utf-8"))
    assert deal[:3] == ["deal", name, "--seed"]
    chosen = dict(word.split("=") for word in deal if "=" in word)
    assert chosen == options
    game = cardsol.deal(name, seed=deal[3], options=chosen)
    for word, token in moves:
        assert (word, game.status) == ("move", "playing")
        game.push(token)
    assert game.status == ("lost" if "progressive" in options.values() else "won")


@pytest.mark.parametrize("game", cardsol.names())
def test_the_playthroughs_of_a_game_show_each_form_of_its_tokens(game: str) -> None:
    texts = [
        playthroughs.path_of(variant).read_text(encoding="utf-8")
        for variant in VARIANTS
        if variant[0] == game
    ]
    seen = {form(words[-1]) for text in texts for words in playthroughs.commands_of(text)}
    assert {form(word.moves.split()[-1]) for word in rules_of(game).TOKEN_FORMS} - seen == set()
