"""Game records for the commands: read from files and folders, and written."""
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from engine import Position
from engine.errors import UserError, one_line, telling
from engine.records.files import FoundRecords, find_records
from engine.records.formats import READ_SUFFIXES, Part, format_of
from engine.records.record import GameRecord, IllegalMove, LesserFault
from engine.records.writing import encoded, told_parts, written
from usi.console.options import click_type
from usi.console.settings import COUNT
from usi.files.reading import read_text_file
from usi.files.writing import require_writable, unused, write_file, write_new
from usi.words.illegal import explain_all_illegal
from usi.words.language import _, translate

SHOWN = 600         # letters of what is said of a fault


game_option: Callable[[Any], Any] = click.option(
    "--game", "number", type=click_type(COUNT), help="Number of the game, if the file has several.")
strict_option: Callable[[Any], Any] = click.option(
    "--strict", is_flag=True, help="Refuse a record that cannot be read whole.")


def game_told(source: str, number: int | None, strict: bool) -> tuple[GameRecord, str]:
    """The game in a file (standard input if `source` is "-"), and the format and encoding found, as "KIF in UTF-8".
    `number`, from 1, is needed if there are several games. Unless `strict`, stderr says which parts were skipped.

    Raises OSError if it cannot be read. Raises UserError, saying where, if it is no record or has no such game.
    """
    with telling(source):
        found = find_games(read_text_file(source), strict)
        if number is None and len(found.records) > 1:
            raise UserError("there are {count} games in it; choose one with --game, from 1 to {count}",
                            count=len(found.records))
        game = game_of(found.records, number or 1)
    tell_left_out(source, game)
    return game, found.form.told(translate)


def game_of(games: Sequence[GameRecord], number: int) -> GameRecord:
    """A game of a file by its number, from 1. Raises UserError if there is none."""
    if number > len(games):
        raise UserError("there is no game {number} in it; the last is {count}", number=number, count=len(games))
    return games[number - 1]


def games_told(source: str, strict: bool) -> list[GameRecord]:
    """All games of a file; stderr says which parts were skipped."""
    with telling(source):
        games = find_games(read_text_file(source), strict).records
    for game in games:
        tell_left_out(source, game)
    return games


def tell_left_out(source: str, game: GameRecord) -> None:
    """Say on stderr which parts of a game were not read, if any."""
    if game.faults:
        click.echo(f"{one_line(source)}: {left_out(game)}", err=True)


def left_out(record: GameRecord) -> str:
    """A line that names the parts left out of a record that was read leniently; "" if none were."""
    if not record.faults:
        return ""
    first = _explained(record.faults[0]).told(translate)
    if len(first) > SHOWN:
        first = f"{first[:SHOWN // 2]} … {first[-SHOWN // 2:]}"
    if more := len(record.faults) - 1:
        first = _("{first}; and {count} more", first=first, count=more)
    return (_("left out: {first}", first=first) if all(isinstance(fault, LesserFault) for fault in record.faults) else
            _("left out, with what follows from it: {first}", first=first))


def find_games(data: bytes, strict: bool = True) -> FoundRecords:
    """The games of a file with its format and encoding, as `find_records` reads it; an illegal move is explained."""
    try:
        return find_records(data, strict)
    except IllegalMove as fault:
        raise _explained(fault) from None


def _explained(fault: UserError) -> UserError:
    """The error, with the rule that an illegal move breaks."""
    if not isinstance(fault, IllegalMove) or not fault.moves:
        return fault
    return UserError("{fault}: {why}", fault=fault, why=explain_all_illegal(Position(fault.sfen), fault.moves))


def write_game(record: GameRecord, path: Path) -> None:
    """Write a game in the format of the file's ending, without the parts that the format cannot hold.

    Raises UserError for another ending, or if the encoding cannot hold the game. Raises OSError.
    """
    write_file(path, encoded(path, record))


def where_to_save(path: Path, replaces: bool) -> Path:
    """The file to save a game to: `path`, or, if that exists and must not be replaced, a name with a number, which is
    reported on stderr. Raises OSError or UserError if it cannot be written, or its ending names no format."""
    format_of(path)
    target = path if replaces else unused(path)
    if target != path:
        click.echo(_("{file} exists, so the game will be saved to {path} (--force replaces it)", file=path,
                     path=target), err=True)
    require_writable(target)
    return target


def write_new_game(record: GameRecord, path: Path) -> Path:
    """Write a game to a new file; if there is one of that name, the name gets a number. Returns the file's name."""
    return write_new(path, encoded(path, record))


def lost_of(path: Path, record: GameRecord) -> list[Part]:
    """The parts of a game that a file of this name does not keep. Raises UserError as `write_game` raises it."""
    return written(path, [record], strict=False)[1]


def keeps(path: Path, record: GameRecord) -> bool:
    """Whether a file of this name would hold the whole game."""
    try:
        return not lost_of(path, record)
    except UserError:       # its ending, or the encoding
        return False


def lost_told(name: object, lost: Iterable[Part]) -> str:
    """A line that names the parts of a game that a file of this name does not hold."""
    return _("{file}: not all {things} could be kept", file=name, things=told_parts(lost, " or "))


def require_variations_kept(record: GameRecord, path: Path) -> None:
    """Raise UserError if a file of this name could not hold the game with all its variations."""
    if "variations" in lost_of(path, record):
        raise UserError("{format} has no place for all {things} of the game; leave them out, or choose another format",
                        format=format_of(path).name, things=told_parts(["variations"], " and "))


def files_of(sources: tuple[Path, ...]) -> Iterator[Path]:
    """The files named, and all records in the folders named, however deep. Pipes in a folder are skipped, because
    reading them would wait; dangling links are kept, and fail when they are read."""
    for source in sources:
        if source.is_dir():
            yield from sorted(path for path in source.rglob("*") if path.suffix.lower() in READ_SUFFIXES
                              and (path.is_file() or not path.exists()))
        else:
            yield source
