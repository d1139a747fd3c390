"""The commands `engine book …`: make, show and merge opening books. `think` is a package of its own."""
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from engine import Position
from engine.errors import Listed, Phrase, UserError
from usi.book.choice import BookSettings, legal_moves_of, why_unplayed
from usi.book.db import BookEntry, LeftOut, blocks, open_book, write_book
from usi.book.lookup import Book, InMemory, OnTheFly
from usi.book.own import PACKAGED
from usi.commands.book.build import Builder, merged
from usi.commands.book.show import as_json, as_lines, look_up, where_it_left
from usi.commands.book.think.command import think
from usi.commands.book.tree import Branches, JsonTree, tree_as_lines
from usi.commands.records import files_of, find_games
from usi.console.options import click_type, options_of
from usi.console.settings import GAMES, PLIES, SHARE, WholeRange, setting
from usi.console.terminal import show as show_lines
from usi.console.terminal import show_json, shown_style, style_option
from usi.files.reading import read_text_file
from usi.files.writing import require_new
from usi.words.language import _, translate
from usi.words.reasons import reason
from usi.words.typed import read_position

PACKAGED_WORD = "packaged"

source_argument = click.argument("source", metavar=f"FILE|{PACKAGED_WORD}")
position_argument = click.argument("position", nargs=-1, metavar="[POSITION]")
on_the_fly_option = click.option("--on-the-fly", is_flag=True,
                                 help="Search the file on disk; it must be sorted.")
force_option = click.option("--force", is_flag=True, help="Replace FILE if it exists.")
json_option = click.option("--json", "as_json_", is_flag=True, help="Print JSON in place of the lines.")
out_option = click.option("--out", "out", required=True, metavar="FILE", help="The book to write.",
                          type=click.Path(dir_okay=False, path_type=Path))


@click.group()
def book() -> None:
    """Make, show and merge opening books."""


book.add_command(think)


@book.command()
@click.argument("records", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@out_option
@force_option
@click.option("--max-ply", type=click_type(PLIES), default=40, show_default=True, help="The last ply to include.")
@click.option("--min-count", type=click_type(GAMES), default=1, show_default=True,
              help="Minimum number of games with a move.")
@click.option("--scores", is_flag=True, help="Score moves by the results of their games.")
def build(records: tuple[Path, ...], out: Path, force: bool, max_ply: int, min_count: int, scores: bool) -> None:
    """Make a book from games in {formats}.

    RECORDS are files, or folders of files.
    A USI file has one game per line, 'startpos moves …' or 'sfen … moves …'. Unreadable files are named and
    skipped: the book is made from the others, and the exit status is 1.
    """
    require_new(out, force)
    builder = Builder(max_ply)
    games = files = left_out = 0
    for path in files_of(records):
        files += 1
        try:
            found = find_games(read_text_file(path)).records
            for game in found:
                builder.add(game)
        except (OSError, UserError) as error:
            click.echo(_("left out: {name}: {reason}", name=path, reason=reason(error)), err=True)
            left_out += 1
            continue
        games += len(found)
    if not games:
        raise UserError("there is no game in the {count} file(s) of {names}", count=files, names=Listed(records))
    positions = _write(out, builder.entries(min_count, scores), f"made by engine book build of {games} games")
    click.echo(_("{file}: {positions} positions of {games} games", file=out, positions=positions, games=games))
    if left_out:
        raise UserError("{count} of {all} files were left out", count=left_out, all=files)


@book.command()
@source_argument
@position_argument
@on_the_fly_option
@json_option
def show(source: str, position: tuple[str, ...], on_the_fly: bool, as_json_: bool) -> None:
    """Show a book's size, or its moves in a POSITION.

    POSITION is an SFEN or 'startpos moves …'.

    The exit status is 1 if the book does not have the position.
    """
    path = _path(source)
    if not position:
        click.echo(json.dumps(_figures(path), indent=2) if as_json_ else _summary(path))
        return
    wanted = read_position(" ".join(position))
    with closing(_opened(path, on_the_fly)) as opened:
        if not (shown := look_up(opened, wanted)):
            raise _missing(opened, wanted)
    if as_json_:
        show_json(as_json(shown))
    else:
        show_lines(*as_lines(shown))


@dataclass(frozen=True)
class Extent:
    """Limits of the tree that is shown."""

    plies: int = setting("Maximum length of a line.", WholeRange(1, 1000, "PLIES"), 10)
    least: float = setting("Leave out lines less frequent than this.", SHARE, 0.02)


@book.command()
@source_argument
@position_argument
@options_of(Extent, "extent")
@on_the_fly_option
@style_option
@json_option
def tree(source: str, position: tuple[str, ...], extent: Extent, on_the_fly: bool, style: str | None,
         as_json_: bool) -> None:
    """Show the lines that a book plays.

    They begin at POSITION, or at the start of the game; both sides play from the book, with the options at their
    defaults. Moves without alternatives share a row; the others show their probability. Each row ends with the score of
    its last move, for the side that plays it. The exit status is 1 if the book plays nothing in the position.
    """
    wanted = read_position(" ".join(position))
    with closing(_opened(_path(source), on_the_fly)) as opened:
        branches = Branches(opened, wanted, extent.plies, extent.least)
        if not branches:
            raise _unplayed(opened, wanted) if look_up(opened, wanted) else _missing(opened, wanted)
        if as_json_:
            json.dump(JsonTree(branches), sys.stdout, indent=2)
            click.echo()
        else:
            for line in tree_as_lines(branches, wanted, shown_style(style)):
                show_lines(line)


@book.command()
@click.argument("sources", nargs=-1, required=True, metavar="BOOKS...")
@out_option
@force_option
def merge(sources: tuple[str, ...], out: Path, force: bool) -> None:
    """Merge books into one sorted book.

    A sorted book can be searched on disk; a single book is just sorted. Where several books have the same move, its
    games add up, and the score of the deepest search is kept. FILE may be one of BOOKS.
    """
    require_new(out, force or out.resolve() in [_path(source).resolve() for source in sources])
    positions = _write(out, merged([_path(source) for source in sources]), "made by engine book merge")
    click.echo(_("{file}: {positions} positions", file=out, positions=positions))


def _path(source: str) -> Path:
    return PACKAGED if source == PACKAGED_WORD else Path(source)


def _opened(path: Path, on_the_fly: bool) -> Book:
    left_out = LeftOut(_say)
    opened = (OnTheFly if on_the_fly else InMemory)(path, left_out)
    left_out.tell_of_others(path)
    return opened


def _say(fault: Phrase) -> None:
    click.echo(fault.told(translate), err=True)


def _missing(opened: Book, position: Position) -> UserError:
    """The error for a position that the book does not have."""
    if where := where_it_left(opened, position):
        return UserError("{path} does not have {sfen!r}; {where}", path=opened.path, sfen=position.sfen, where=where)
    return UserError("{path} does not have {sfen!r}", path=opened.path, sfen=position.sfen)


def _unplayed(opened: Book, position: Position) -> UserError:
    moves = legal_moves_of(opened, position, BookSettings(flipped=True, ignore_ply=True))
    why = why_unplayed(moves, BookSettings(), position.move_number) or Phrase(
        "it is there at another ply (IgnoreBookPly)")
    return UserError("{path} has {sfen!r}, but nothing is played there with the options at their defaults: {why}; "
                     "'engine book show' has the moves", path=opened.path, sfen=position.sfen, why=why)


def _write(out: Path, entries: Iterator[BookEntry], note: str) -> int:
    written = write_book(out, entries, note)
    if written.kept:
        click.echo(_("the book that was there had more positions, and is kept as {file}", file=written.kept), err=True)
    return written.positions


def _figures(path: Path) -> dict[str, int | bool]:
    """The figures of a whole book; `sorted` says whether it can be searched on the fly. Raises UserError if it is
    empty."""
    left_out = LeftOut(_say)
    positions = moves = last_ply = 0
    in_order, before = True, (b"", "")
    with open_book(path) as file:
        for block in blocks(file, path, fault_in=left_out):
            positions += 1
            moves += len(block.entry().moves)
            last_ply = max(last_ply, block.move_number or 0)
            in_order = in_order and before <= (before := block.order)
    left_out.tell_of_others(path)
    if not positions:
        raise UserError("{path} holds no position", path=path)
    return {"positions": positions, "moves": moves, "last_ply": last_ply, "sorted": in_order}


def _summary(path: Path) -> str:
    figures = _figures(path)
    order = _("it is sorted: BookOnTheFly can be used") if figures["sorted"] else _(
        "it is not sorted: for BookOnTheFly, sort it with 'engine book merge {file} --out SORTED'", file=path)
    return _("{file}: {positions} positions up to ply {ply} with {moves} moves", file=path,
             positions=figures["positions"], ply=figures["last_ply"], moves=figures["moves"]) + f"\n{order}"
