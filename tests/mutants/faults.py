"""The faults that are seeded: each is one replacement in one file of the package."""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """A fault, and the tests that are run against it."""

    name: str
    path: str
    """The file, within the package."""
    right: str
    """Text that stands in the file exactly once."""
    wrong: str
    tests: tuple[str, ...]


WORDS = (
    "tests/rules/test_words.py",
    "tests/commands/test_typed_words.py",
    "tests/commands/test_near_misses.py",
)
SAVES = (
    "tests/fire/test_hostile_saves.py",
    "tests/fire/test_old_saves.py",
    "tests/library/test_properties.py",
)
FILES = ("tests/fire/test_disk.py", "tests/fire/test_kill.py", "tests/fire/test_races.py")
SEARCH = ("tests/solve/test_search.py", "tests/solve/test_lemmas.py", "tests/solve/test_answers.py")
HINT = ("tests/hint/test_hint.py", "tests/hint")
SURVEY = ("tests/survey/test_statistics.py", "tests/survey/test_survey.py")
STREAMS = ("tests/fire/test_streams.py",)
CLOSED_PIPE = ("tests/fire/test_streams.py::test_a_closed_pipe_is_silent", *STREAMS)
RACES = ("tests/fire/test_races.py", *FILES)


def of_rules(game: str) -> tuple[str, ...]:
    return (f"tests/rules/test_{game}.py", "tests/library/test_perft.py")


FAULTS: tuple[Fault, ...] = (
    # Rules
    Fault(
        "a King takes no Ace",
        "games/three_peaks.py",
        "(STANDARD.ranks[i - 1], STANDARD.ranks[(i + 1) % len(STANDARD.ranks)])",
        "(STANDARD.ranks[i - 1] if i else '', STANDARD.ranks[(i + 1) % len(STANDARD.ranks)])",
        of_rules("three_peaks"),
    ),
    Fault(
        "one card of two is enough to cover",
        "games/three_peaks.py",
        "return not any(tableau[INDEX[over]] for over in COVERS[name])",
        "return not tableau[INDEX[COVERS[name][0]]] if COVERS[name] else True",
        of_rules("three_peaks"),
    ),
    Fault(
        "a draw costs nothing",
        "games/three_peaks.py",
        'DRAW_COSTS = {"classic": 5,',
        'DRAW_COSTS = {"classic": 0,',
        of_rules("three_peaks"),
    ),
    Fault(
        "the bar skips a rank",
        "games/universal.py",
        "return len(state.bar[SUIT[card]]) + 1 == RANK[card]",
        "return len(state.bar[SUIT[card]]) + 1 in (RANK[card], RANK[card] - 1)",
        of_rules("universal"),
    ),
    Fault(
        "one pass too many",
        "games/universal.py",
        "state.nth_pass < state.draw",
        "state.nth_pass <= state.draw",
        of_rules("universal"),
    ),
    Fault(
        "a slip behind the head of a column with face-down cards",
        "games/universal.py",
        "if end and not column.down and card in GOES_ON",
        "if end and card in GOES_ON",
        of_rules("universal"),
    ),
    Fault(
        "a second card is turned up",
        "games/vanishing_cross.py",
        'if state.stock and not state.drawn and source in (None, "draw")',
        'if state.stock and source in (None, "draw")',
        of_rules("vanishing_cross"),
    ),
    Fault(
        "a whole pile moves to a space",
        "games/vanishing_cross.py",
        'found = [f"{name}-{space}" for space in spaces if height > 1]',
        'found = [f"{name}-{space}" for space in spaces]',
        of_rules("vanishing_cross"),
    ),
    Fault(
        "a sequence without its Ace",
        "games/rouge_et_noir.py",
        "len(up) >= KING and RANK[up[-1]] == 1 and run_length(up) == KING",
        "len(up) >= KING - 1 and run_length(up) >= KING - 1",
        of_rules("rouge_et_noir"),
    ),
    Fault(
        "a King leaves an empty column for another",
        "games/rouge_et_noir.py",
        "if RANK[up[head]] == KING and (head or column.down):",
        "if RANK[up[head]] == KING:",
        of_rules("rouge_et_noir"),
    ),
    Fault(
        "cards are removed before the grid is full",
        "games/camelot.py",
        'if state.phase == 2 and source != "draw":',
        'if source != "draw":',
        of_rules("camelot"),
    ),
    Fault(
        "a pair makes eleven",
        "games/camelot.py",
        "before.get(TEN - rank, ())",
        "before.get(TEN + 1 - rank, ())",
        of_rules("camelot"),
    ),
    # Deals and words
    Fault(
        "a biased shuffle", "deals.py", "if byte < limit:", "if byte < 256:", ("tests/library/test_deals.py",)
    ),
    Fault(
        "names have to be typed in capitals",
        "notation.py",
        "frozenset(name.upper() for name in (part,",
        "frozenset(name for name in (part,",
        WORDS,
    ),
    Fault(
        "the first of several moves is taken", "notation.py", "if len(fitting) == 1:", "if fitting:", WORDS
    ),
    Fault(
        "a number of cards is not heeded",
        "notation.py",
        "if word.times != token.times and (word.times or not by_card):",
        "if word.times != token.times and word.times and not by_card:",
        WORDS,
    ),
    # Saves and files
    Fault(
        "a key twice is taken",
        "saves.py",
        "if len(found) < len(pairs):",
        "if False:",
        SAVES,
    ),
    Fault(
        "piles are not checked",
        "saves.py",
        "            if card != right:\n",
        "            if False:\n",
        SAVES,
    ),
    Fault(
        "an unknown key is passed over",
        "saves.py",
        "        if key not in KEYS[version]:\n",
        "        if False:\n",
        SAVES,
    ),
    Fault(
        "moves taken back are counted too low",
        "saves.py",
        "if type(undos) is not int or undos < len(undone):",
        "if type(undos) is not int:",
        SAVES,
    ),
    Fault(
        "written in place",
        "files.py",
        "            self._rename(temporary)\n",
        "            open(self.path, 'wb').write(data)\n            self._rename(temporary)\n",
        FILES,
    ),
    Fault("not forced to the disk", "files.py", "                os.fsync(out.fileno())\n", "", FILES),
    Fault(
        "another's change is overwritten",
        "files.py",
        "if _stamp_of(self.path) != self.seen:",
        "if False:",
        RACES,
    ),
    Fault(
        "no lock",
        "files.py",
        "            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)\n            return\n",
        "            return\n",
        RACES,
    ),
    # Solving
    Fault(
        "a position as good as the best is hopeless",
        "solve/search.py",
        "self.least = enough - 1 if self.win else self.best",
        "self.least = enough if self.win else self.best",
        SEARCH,
    ),
    Fault(
        "a beam that left positions out settles",
        "solve/search.py",
        "            if len(chosen) == width:\n                return chosen, False\n",
        "            if len(chosen) == width:\n                return chosen, complete\n",
        SEARCH,
    ),
    Fault(
        "an exhausted limit settles",
        "solve/search.py",
        "            if not most:\n                return False\n",
        "            if not most:\n                return self._settle()\n",
        SEARCH,
    ),
    # Hints
    Fault(
        "a hint leads back",
        "hint/adviser.py",
        "new = [token for token in shown if shown[token].seen.board not in self.boards]",
        "new = list(shown)",
        HINT,
    ),
    Fault("hints never give up", "hint/adviser.py", "if self.idle >= LONGEST:", "if False:", HINT),
    # Surveys
    Fault(
        "the unknown count as lost",
        "survey/summary.py",
        "wilson(won + unknown, n)[1]",
        "wilson(won, n)[1]",
        SURVEY,
    ),
    Fault(
        "a seed done twice counts twice",
        "survey/summary.py",
        'if before is not None and before != "error":',
        "if False:",
        SURVEY,
    ),
    Fault(
        "an interval a little too narrow",
        "survey/summary.py",
        "Z * Z / (4 * n * n)",
        "Z * Z / (8 * n * n)",
        SURVEY,
    ),
    # Commands
    Fault(
        "a closed pipe is an error",
        "cli/outcome.py",
        "self.closed_pipe = error.errno == errno.EPIPE",
        "self.closed_pipe = False",
        CLOSED_PIPE,
    ),
    Fault(
        "a saved move is not told of",
        "cli/outcome.py",
        "        if run.saved:\n",
        "        if False:\n",
        STREAMS,
    ),
)
