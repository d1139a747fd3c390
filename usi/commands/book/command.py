"""The commands `engine book …`: make, show and merge opening books."""
import json
from collections.abc import Iterator
from pathlib import Path

import click

from usi.book.db import Entry, blocks, open_book, write_book
from usi.book.lookup import Book, InMemory, OnTheFly
from usi.book.own import PACKAGED
from usi.commands.book.build import Builder
from usi.commands.book.games import files_of
from usi.commands.book.merge import merged
from usi.commands.book.show import as_json, as_lines, look_up, where_it_left
from usi.commands.faults import reason, usage_error
from usi.commands.records import parse_games
from usi.commands.terminal import position_or_exit

PACKAGED_WORD = "packaged"

out_option = click.option("--out", "out", required=True, metavar="FILE", help="The book to write.",
                          type=click.Path(dir_okay=False, path_type=Path))


@click.group()
def book() -> None:
    """Make, show and merge opening books."""


@book.command()
@click.argument("records", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@out_option
@click.option("--max-ply", type=click.IntRange(1), default=40, show_default=True, help="The last ply that is taken in.")
@click.option("--min-count", type=click.IntRange(1), default=1, show_default=True,
              help="Games in which a move was played at least.")
@click.option("--scores", is_flag=True, help="Score the moves by the results of their games.")
def build(records: tuple[Path, ...], out: Path, max_ply: int, min_count: int, scores: bool) -> None:
    """Make a book of what was played in RECORDS: files of CSA, KIF, KI2, JKF or USI, or folders of them.

    A file in USI has a game on each line, 'startpos moves …' or 'sfen … moves …'. Files that cannot be read are named
    and left out.
    """
    builder = Builder(max_ply)
    games = files = 0
    for path in files_of(records):
        files += 1
        try:
            found = parse_games(path.read_bytes())
            for game in found:
                builder.add(game)
        except (OSError, ValueError) as error:
            click.echo(f"left out: {path}: {reason(error)}", err=True)
            continue
        games += len(found)
    if not games:
        raise click.ClickException(f"there is no game in the {files} file(s) of {', '.join(map(str, records))}")
    positions = _write(out, builder.entries(min_count, scores), f"made by engine book build of {games} games")
    click.echo(f"{out}: {positions} positions of {games} games")


@book.command()
@click.argument("source", metavar=f"FILE|{PACKAGED_WORD}")
@click.argument("position", nargs=-1, metavar="[POSITION]")
@click.option("--on-the-fly", is_flag=True, help="Search the file, which must be sorted, and do not read all of it.")
@click.option("--json", "as_json_", is_flag=True, help="Print one JSON object in place of the lines.")
def show(source: str, position: tuple[str, ...], on_the_fly: bool, as_json_: bool) -> None:
    """Say what a book holds: in all, or on a POSITION, given as an SFEN or as 'startpos moves …'.

    The exit status is 1 if the book does not have the position.
    """
    path = _path(source)
    try:
        if not position:
            click.echo(json.dumps(_figures(path), indent=2) if as_json_ else _summary(path))
            return
        wanted = position_or_exit(" ".join(position))
        opened: Book = OnTheFly(path) if on_the_fly else InMemory(path)
        shown = look_up(opened, wanted)
        missing = "" if shown else "; ".join(filter(None, [f"{path} does not have {wanted.sfen!r}",
                                                           where_it_left(opened, wanted)]))
        opened.close()
    except (OSError, ValueError) as error:
        raise usage_error(error) from None
    if not shown:
        raise click.ClickException(missing)
    click.echo(json.dumps(as_json(shown), indent=2) if as_json_ else "\n".join(as_lines(shown)))


@book.command()
@click.argument("sources", nargs=-1, required=True, metavar="BOOKS...")
@out_option
def merge(sources: tuple[str, ...], out: Path) -> None:
    """Put BOOKS together in one that is sorted, so that it can be searched on the fly. One alone is sorted.

    Where several have a move of a position, its games add up, and the score of the deepest search is kept.
    """
    positions = _write(out, merged([_path(source) for source in sources]), "made by engine book merge")
    click.echo(f"{out}: {positions} positions")


def _path(source: str) -> Path:
    return PACKAGED if source == PACKAGED_WORD else Path(source)


def _write(out: Path, entries: Iterator[Entry], note: str) -> int:
    try:
        return write_book(out, entries, note)
    except (OSError, ValueError) as error:
        raise usage_error(error) from None


def _figures(path: Path) -> dict[str, int | bool]:
    """Of a whole book; `sorted` says whether it can be searched on the fly."""
    positions = moves = last_ply = 0
    in_order, before = True, (b"", "")
    with open_book(path) as file:
        for block in blocks(file, path):
            positions += 1
            moves += len(block.entry().moves)
            last_ply = max(last_ply, block.ply or 0)
            in_order = in_order and before <= (before := block.order)
    return {"positions": positions, "moves": moves, "last_ply": last_ply, "sorted": in_order}


def _summary(path: Path) -> str:
    figures = _figures(path)
    order = "it is sorted: BookOnTheFly can be used" if figures["sorted"] else (
        f"it is not sorted: for BookOnTheFly, sort it with 'engine book merge {path} --out SORTED'")
    return (f"{path}: {figures['positions']} positions up to ply {figures['last_ply']} with {figures['moves']} moves\n"
            f"{order}")
