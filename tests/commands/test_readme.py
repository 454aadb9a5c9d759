"""Every shell block of the README does what the README says."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cardsol import names
from cardsol.cli import COMMANDS
from tests.support import readme

TEXT = readme.README.read_text(encoding="utf-8")
BLOCKS = list(readme.blocks(TEXT))
CHAPTERS = {
    chapter: list(blocks) for chapter, blocks in itertools.groupby(BLOCKS, key=lambda block: block.chapter)
}

FIRST = next(chapter for chapter, blocks in CHAPTERS.items() if "cardsol deal" in blocks[0].script)


@pytest.mark.parametrize("everything", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "chapter",
    [
        pytest.param(chapter, marks=pytest.mark.long if len(blocks) > 2 else ())
        for chapter, blocks in CHAPTERS.items()
    ],
)
def test_the_blocks_of_a_chapter_run_and_print_what_is_shown(
    chapter: str, everything: bool, tmp_path: Path
) -> None:
    """Without the programs of `examples/`, which start a process a move, and the surveys, if not `everything`."""
    folder = readme.prepared(tmp_path)
    for block in CHAPTERS[chapter]:
        if not block.is_setup and (everything or not block.takes_long):
            done = readme.run(block.script, folder)
            if block.out is not None:
                assert done.stdout == block.out, block.script
            assert done.returncode == 0 or "$?" in block.script, done.stdout


@pytest.mark.parametrize("everything", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_blocks_run_in_order_in_one_folder_and_again(everything: bool, tmp_path: Path) -> None:
    """As by a reader who types them all, and on the next day all or, if not `everything`, those of the first
    chapter with a game; nothing is left but the save.
    """
    folder = readme.prepared(tmp_path)
    before = {*folder.iterdir()}
    first_chapter = [block for block in BLOCKS if block.chapter == FIRST]
    for part in (BLOCKS, BLOCKS if everything else first_chapter):
        for block in part:
            if not block.is_setup and (everything or not block.takes_long):
                done = readme.run(block.script, folder)
                assert block.out in (None, done.stdout), block.script
                assert done.returncode == 0 or "$?" in block.script, done.stdout
    assert {*folder.iterdir()} - before == {folder / "cardsol.json"}


def _copy_of_the_project(folder: Path) -> Path:
    left_out = shutil.ignore_patterns(
        ".git", ".venv*", "cardsol.json", "build", "*.egg-info", "__pycache__", ".*_cache"
    )
    shutil.copytree(readme.ROOT, folder / "cardsol", ignore=left_out)
    return folder / "cardsol"


@pytest.mark.long
def test_the_first_command_installs_and_plays(tmp_path: Path) -> None:
    install = next(block for block in BLOCKS if block.is_setup)
    done = subprocess.run(
        ["sh", "-c", install.script],
        cwd=_copy_of_the_project(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == install.out


def test_the_test_command_is_what_ci_runs() -> None:
    command = [block for block in BLOCKS if block.is_setup][1].script.strip()
    ci = readme.ROOT / ".ci" / "run"
    if ci.exists():
        assert f"{command} |" in ci.read_text(encoding="utf-8")


def test_every_command_and_game_stands_in_the_readme() -> None:
    for name in (*COMMANDS, *names()):
        assert re.search(rf"(`|cardsol ){name}\b", TEXT), name


def test_no_text_tells_to_install_the_name_that_belongs_to_someone_else() -> None:
    for path in (readme.README, *readme.ROOT.glob("examples/**/*"), *readme.ROOT.glob("cardsol/**/*.py")):
        if path.suffix in (".md", ".py", ".sh", ".cfg", ".toml"):
            assert not re.search(
                r"pip install (-\S+ )*cardsol(?!-solitaire)\b", path.read_text(encoding="utf-8")
            )


PAGES = [
    path
    for pattern in ("README.md", "cardsol/**/README.md", "examples/**/README.md", "tests/README.md")
    for path in sorted(readme.ROOT.glob(pattern))
]


def test_the_readme_is_read_in_one_sitting() -> None:
    assert TEXT.count("\n") <= 250


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(readme.ROOT)))
def test_every_link_and_picture_leads_to_a_file(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


@pytest.mark.parametrize(
    "page", ["examples/README.md", pytest.param("examples/bots/README.md", marks=pytest.mark.long)]
)
def test_the_commands_of_the_examples_run(page: str, tmp_path: Path) -> None:
    folder = readme.prepared(tmp_path)
    found = list(readme.blocks((readme.ROOT / page).read_text(encoding="utf-8")))
    assert found
    for block in found:
        done = readme.run(f"set -e\n{block.script}", folder)
        assert done.returncode == 0, done.stdout
