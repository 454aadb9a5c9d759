"""A seed deals the same on every Python and under every setting (README, Seeds)."""

from __future__ import annotations

import json
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest

import cardsol
from cardsol.deals import shuffled
from tests.support import harness

PACKAGE = Path(cardsol.__file__).parent.parent
SEEDS = (
    "0",
    "-1",
    "00",
    "1",
    "x" * 200,
    "\u2660" * 200,
    "caf\u00e9",
    "cafe\u0301",
    " ",
    "\U0001f0a1",
    "\ufeff",
    "\u00a0",
)
DECKS = ("standard", "double", "universal")
HASH_SEEDS = ("0", "1", "4294967295", "random")
PROGRAM = """\
import json, sys
from cardsol.deals import shuffled
json.dump([shuffled(deck, seed, n) for deck, seed, n in json.load(sys.stdin)], sys.stdout)
"""
ASKED = [(deck, seed, n) for deck in DECKS for seed in SEEDS for n in (1, 2)]


def pythons() -> list[str]:
    """The interpreters at hand that start and are new enough."""
    there = [shutil.which(f"python3.{minor}") for minor in range(10, 15)]
    return [harness.PYTHON, *(path for path in there if path and starts(path))]


def starts(python: str) -> bool:
    """Tells whether it is an interpreter, and not a shim that stands for one that is not chosen."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def dealt_by(python: str, hash_seed: str) -> list[list[str]]:
    env = harness.environment(
        {"PYTHONPATH": str(PACKAGE), "PYTHONHASHSEED": hash_seed, "PYTHONDONTWRITEBYTECODE": "1"}
    )
    done = subprocess.run(
        [python, "-c", PROGRAM], input=json.dumps(ASKED).encode(), env=env, capture_output=True, check=True
    )
    orders: list[list[str]] = json.loads(done.stdout)
    return orders


@harness.part(4)
def test_every_python_at_hand_deals_the_same(part: int) -> None:
    due = [list(shuffled(deck, seed, n)) for deck, seed, n in ASKED]
    found = pythons()
    for python in found:
        for hash_seed in HASH_SEEDS[::part]:
            assert dealt_by(python, hash_seed) == due, python
    harness.figure("deals", pythons=len(found), hash_seeds=len(HASH_SEEDS[::part]), decks=len(ASKED))


@pytest.mark.parametrize("hash_seed", harness.some(HASH_SEEDS, 3))
def test_the_command_deals_the_same_under_every_hash_seed(hash_seed: str, tmp_path: Path) -> None:
    result = harness.run(
        "deal", "rouge-et-noir", "--seed", "7", "-f", "-", folder=tmp_path, env={"PYTHONHASHSEED": hash_seed}
    )
    assert json.loads(result.out)["deck"] == list(shuffled("double", "7"))


@pytest.mark.parametrize("seed", SEEDS, ids=ascii)
def test_the_command_takes_a_seed_as_it_is(seed: str, tmp_path: Path) -> None:
    result = harness.run_loaded("deal", "camelot", "--seed", seed, "-q", folder=tmp_path)
    assert (result.status, result.err) == (0, "")
    save = json.loads((tmp_path / "cardsol.json").read_text("utf-8"))
    assert (save["seed"], save["deck"]) == (seed, list(shuffled("standard", seed)))


def test_two_normal_forms_of_one_text_are_two_seeds() -> None:
    one, other = SEEDS[6], SEEDS[7]
    assert unicodedata.normalize("NFC", other) == one
    assert shuffled("standard", one) != shuffled("standard", other)
    assert len({shuffled("standard", seed) for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize(
    "seed",
    [b"", b"x" * 201, "\u00e9".encode() * 201, b"\n", b"a\tb", b"\x1b[31m", b"\x7f", "\u0085".encode(),
     "\u2028".encode(), "\u2029".encode(), b"\xff", b"\xed\xa0\x80"],
    ids=lambda seed: ascii(seed[:12]),
)  # fmt: skip
def test_what_is_no_seed_is_refused_with_2(seed: bytes, tmp_path: Path) -> None:
    result = harness.run_loaded("deal", "camelot", "--seed", seed, folder=tmp_path)
    assert (result.status, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert result.err.rstrip("\n").isprintable()
    assert list(tmp_path.iterdir()) == []
