"""The commands that tell of a game and change nothing: show, score, moves, log, check."""

from __future__ import annotations

import click

from ..errors import BadRequest, BadSave, FileTrouble, NoSuchMove
from ..game import Game
from ..moves import Move
from ..text import clauses, close_matches, counted, did_you_mean, quoted
from .outcome import FILE, emit, warn
from .params import (
    Look,
    Number,
    board_options,
    command,
    if_save,
    json_option,
    load,
    load_from,
    offers,
    path_of,
    save_option,
)
from .show import print_game, print_json, writes_utf8


@command(
    """Shows the board.

    \b
      cardsol show
      cardsol show --plain | grep waste
      cardsol show --at 1 --json
    """
)
@click.option("--plain", "in_words", is_flag=True, help="One sentence per pile, for screen readers and grep.")
@click.option("--at", "made", metavar="N", type=Number(int, 0), help="The board as it was after N moves.")
@click.option("--deck", is_flag=True, help="Print the deck order, for deal --deck.")
@save_option
@board_options
def show(in_words: bool, made: int | None, deck: bool, save: str | None, look: Look) -> None:
    game = load(save)
    if deck:
        game.check_seal("its deck is not shown")
        if look.as_json:
            print_json({"deck": game.deck})
        else:
            emit(" ".join(game.deck) + "\n")
        return
    if made is not None:
        if made > len(game.moves):
            raise NoSuchMove(f"the history has {counted(len(game.moves), 'move')}, not {made:,}")
        game = game.rewound(made)
    print_game(game, look, plain=in_words)


@command(
    """Prints score, maximum, status, and what the game adds.

    \b
      cardsol score
      cardsol score --get status
    """
)
@click.option(
    "--get",
    "keys",
    metavar="KEY",
    multiple=True,
    shell_complete=offers("keys"),
    help="Print the value of one key alone.",
)
@save_option
@json_option
def score(keys: tuple[str, ...], save: str | None, as_json: bool) -> None:
    if len(keys) > 1:
        raise click.UsageError("--get takes one key: without it all are printed")
    key = keys[0] if keys else None
    view = load(save).view()
    facts = view.standing()
    if key is not None and key not in facts:
        help = clauses(did_you_mean(close_matches(key, facts)), f"there are {', '.join(facts)}")
        raise click.UsageError(f"there is no {quoted(key)} in a score: {help}")
    if as_json:
        print_json(facts if key is None else {key: facts[key]})
    elif key is not None:
        emit(f"{_value(facts[key])}\n")
    else:
        emit("".join(f"{name}: {_value(value)}\n" for name, value in facts.items()))


@command(
    """Lists the legal moves: all, or those of one card or pile.

    \b
      cardsol moves
      cardsol moves 7H
      cardsol moves -q waste
      cardsol moves --count
    """
)
@click.argument("card", metavar="[CARD|PILE]", required=False, shell_complete=offers("cards"))
@click.option("--count", is_flag=True, help="Print only how many there are.")
@click.option("-q", "--quiet", is_flag=True, help="Print the tokens alone.")
@save_option
@json_option
@click.pass_context
def moves(
    context: click.Context, card: str | None, count: bool, quiet: bool, save: str | None, as_json: bool
) -> None:
    game = load(save)
    if card is None:
        view = game.view()
        found = [game.rules.explain(view, token) for token in view.legal]
    else:
        found = _touching(game, card, context)
    if count:
        print_json({"count": len(found)}) if as_json else emit(f"{len(found)}\n")
    elif as_json:
        print_json({"moves": [move.as_dict() for move in found]})
    else:
        emit("".join(f"{move.token}\n" if quiet else f"{move.token}  {move.text}\n" for move in found))
        if not found and not quiet:
            warn(f"cardsol: {none_with(game, card)}")


def _touching(game: Game, name: str, context: click.Context) -> list[Move]:
    from ..notation import moves_with

    try:
        return moves_with(game, name)
    except BadRequest as error:
        raise click.UsageError(f"{error}{if_save(context, name)}") from None


def none_with(game: Game, name: str | None) -> str:
    """Says that there is no legal move, or none with a card or pile."""
    from ..notation import NONE_LEFT

    if not game.legal_moves:
        return "the game is won" if game.status == "won" else NONE_LEFT
    return f"no legal move with {quoted(name)}"


@command(
    """Prints the moves made, one token per line.

    The last line of --share has a bar for each move, or for an equal part of the moves, 20 at most: the higher the
    bar, the more points those moves gained.

    \b
      cardsol log
      cardsol log --script > game.sh
      cardsol log --share
    """
)
@click.option("--script", is_flag=True, help="Print a shell script that deals and replays the game.")
@click.option(
    "--share",
    is_flag=True,
    help="Print a few lines to paste into a chat: the result and the course, but no cards.",
)
@save_option
@json_option
def log(script: bool, share: bool, save: str | None, as_json: bool) -> None:
    if script and share:
        raise click.UsageError("give --script or --share, not both")
    game = load(save)
    if share:
        from .sharing import share as shared

        text = shared(game, blocks=as_json or writes_utf8())
        print_json({"share": text}) if as_json else emit(text)
    elif script:
        game.check_seal("a script would show how it was dealt")
        text = _script(game)
        print_json({"script": text}) if as_json else emit(text, encoding="utf-8")
    elif as_json:
        print_json({"moves": game.moves, "undone": game.undone, "undos": game.undos})
    else:
        emit("".join(token + "\n" for token in game.moves))


@command(
    """Verifies saves, one line per file.

    A save is valid if it is well formed, its deck is whole and every move in it is legal.

    \b
      cardsol check
      cardsol check *.json
    """
)
@click.argument("paths", metavar="[FILE]...", nargs=-1, shell_complete=offers("files"))
@save_option
@json_option
@click.pass_context
def check(context: click.Context, paths: tuple[str, ...], save: str | None, as_json: bool) -> None:
    if paths and save is not None:
        raise click.UsageError("give files or -f PATH, not both")
    if paths.count("-") > 1:
        raise click.UsageError("standard input can be read only once, so - names only one of the files")
    wrong = False
    for path in [path_of(each) for each in paths or (save,)]:
        fault = _fault(path)
        wrong = wrong or fault is not None
        where, error = fault or (None, None)
        shown = path.decode("utf-8", "replace")
        if as_json:
            print_json({"file": shown, "ok": fault is None, "where": where, "error": error})
        elif fault is None:
            emit(f"{_on_one_line(shown)}: ok\n")
        else:
            emit(f"{_on_one_line(shown)}: {where + ': ' if where else ''}{error}\n")
    if wrong:
        context.exit(FILE)


def _fault(path: bytes) -> tuple[str | None, str] | None:
    """Returns where and what is wrong with a save, or None."""
    try:
        load_from(path)
    except BadSave as error:
        return error.where or None, error.what
    except FileTrouble as error:
        return None, error.what
    return None


def _on_one_line(name: str) -> str:
    return name if name.isprintable() else quoted(name, len(name))


def _value(value: object) -> str:
    return "none" if value is None else str(value)


WORDS_OF_SCRIPT = """\
save=
force=
board=show
look=
usage() {
    echo "$0: takes -f FILE, --force, -q, --json, --hide-seed, --style=STYLE, --color=WHEN; not '$1'" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
    -f | --save) [ -n "$2" ] || usage "$1"; save=$2; shift ;;
    -f?*) save=${1#-f} ;;
    --save=?*) save=${1#--save=} ;;
    --force) force=$1 ;;
    -q | --quiet) board= ;;
    --json | --hide-seed | --style=* | --color=*) look="$look $1" ;;
    *) usage "$1" ;;
    esac
    [ "$save" != - ] || usage "-f -"
    shift
done
[ -z "$save" ] || { CARDSOL_SAVE=$save; export CARDSOL_SAVE; }
"""
"""How a script of `log --script` reads its own words: all of them before it deals.

`deal` gets those of the look too, so that it refuses a wrong one before anything is replaced.
"""


def _script(game: Game) -> str:
    """Returns a POSIX shell script that plays the game again."""
    from shlex import join

    origin = ["--seed", game.seed] if game.seed is not None else ["--deck", " ".join(game.deck)]
    options = [word for key, value in game.options.items() for word in ("-o", f"{key}={value}")]
    tokens = [*game.moves, *game.undone]
    whose = "" if game.pysol is None else f", the deal {game.pysol} of PySolFC"
    lines = [
        "#!/bin/sh",
        f"# {game.rules.TITLE}, {counted(len(game.moves), 'move')}{whose}.",
        "# Takes -f FILE, and --force to replace a game that is still being played.",
        "set -e",
        WORDS_OF_SCRIPT + f"cardsol deal {join([game.name, *options, *origin])} -q $force $look",
    ]
    if tokens:
        lines += ["cardsol move -q - <<'MOVES'", *tokens, "MOVES"]
    if game.undone:
        lines.append(f"cardsol undo {len(game.undone)} -q")
    return "\n".join([*lines, '[ -z "$board" ] || cardsol show $look', ""])
