"""Game records as people hand them over and get them back: CSA, KIF, KI2, JKF, PGN, or a line of USI."""
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from engine import Position
from engine.notation.csa import format_csa
from engine.notation.files import Found, decode, find_records, require_any
from engine.notation.jkf import format_jkf
from engine.notation.ki2 import format_ki2
from engine.notation.kif import format_kif
from engine.notation.record import IllegalMove, Record, require_legal, with_place
from engine.text.sfen import STARTPOS_SFEN, parse_position
from usi.commands.faults import usage_error
from usi.commands.illegal import explain_all_illegal
from usi.commands.positions import names_position
from usi.language import _
from usi.reading import read_text_file
from usi.writing import write_file

SHOWN = 600         # letters of what is said of a fault


def enumerated(names: Iterable[str]) -> str:
    """Names as people list them.

    >>> enumerated(["a", "b", "c"]), enumerated(["a"])
    ('a, b or c', 'a')
    """
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


# What is written by the endings of names, and in which encoding; Python's name for it may differ from people's.
Formats = Mapping[str, tuple[Callable[..., str], str]]
FORMATS: Formats = {
    ".kif": (format_kif, "Shift_JIS"), ".kifu": (format_kif, "UTF-8"), ".csa": (format_csa, "UTF-8"),
    ".ki2": (format_ki2, "Shift_JIS"), ".ki2u": (format_ki2, "UTF-8"), ".jkf": (format_jkf, "UTF-8"),
}
ENDINGS = enumerated(FORMATS)
_CODECS = {"Shift_JIS": "cp932", "UTF-8": "utf-8"}
_DECLARED = re.compile(r"^(#KIF\b.*\bencoding=)\S+", re.MULTILINE)

# How a file of moves alone begins.
_MOVE = re.compile(r"\s*[1-9][a-i][1-9][a-i]\+?(?:\s|$)")
_ENDS = {"resign": "TORYO", "win": "KACHI"}     # where an engine's answer would stand

game_option: Callable[[Any], Any] = click.option(
    "--game", "number", type=click.IntRange(1), metavar="N", help="Which game, if the file has several.")
strict_option: Callable[[Any], Any] = click.option(
    "--strict", is_flag=True, help="Refuse a record that cannot be read whole.")


def game_or_exit(source: str, number: int | None, strict: bool) -> tuple[Record, str]:
    """As `find_game`; says on stderr what of the game was left out, and what is wrong ends the command."""
    with _ending_command(source):
        game, form = find_game(source, number, strict)
    tell_left_out(source, game)
    return game, form


def games_or_exit(source: str, strict: bool) -> list[Record]:
    """All games of a file, likewise."""
    with _ending_command(source):
        games = find_games(read_text_file(source), strict).records
    for game in games:
        tell_left_out(source, game)
    return games


@contextmanager
def _ending_command(source: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise usage_error(error) from None
    except ValueError as error:
        raise click.ClickException(f"{source}: {error}") from None


def tell_left_out(source: str, game: Record) -> None:
    """Say on stderr what of a game was not read, if that is so."""
    if game.faults:
        click.echo(f"{source}: {left_out(game)}", err=True)


def read_game(source: str, number: int | None = None) -> Record:
    """As `find_game`, the game alone."""
    return find_game(source, number)[0]


def find_game(source: str, number: int | None = None, strict: bool = True) -> tuple[Record, str]:
    """The game in a file, or on standard input if `source` is "-", and the form that was recognised, as "KIF in UTF-8";
    `number`, from 1, is needed if there are several. `strict` as `find_games` has it.

    OSError if it cannot be read; ValueError, saying where, for what is no record, and if there is no such game.
    """
    found = find_games(read_text_file(source), strict)
    games = found.records
    if number is None and len(games) > 1:
        raise ValueError(_("there are {count} games in it; choose one with --game, from 1 to {count}",
                           count=len(games)))
    if not 1 <= (number or 1) <= len(games):
        raise ValueError(_("there is no game {number} in it; the last is {count}", number=number, count=len(games)))
    form = found.format if not found.encoding else _("{format} in {encoding}", format=found.format,
                                                     encoding=found.encoding)
    return games[(number or 1) - 1], form


def left_out(record: Record) -> str:
    """What is to be said, in one line, of a record that was not strictly read; nothing if all of it was."""
    if not record.faults:
        return ""
    first = str(_explained(record.faults[0]))
    if len(first) > SHOWN:
        first = f"{first[:SHOWN // 2]} … {first[-SHOWN // 2:]}"
    more = len(record.faults) - 1
    return (_("left out, with what follows from it: {first}", first=first) if not more else
            _("left out, with what follows from it: {first}; and {count} more", first=first, count=more))


def parse_games(data: bytes) -> list[Record]:
    """All games of a file. ValueError as `find_records` raises it, or for USI that is wrong.

    In USI each position begins a game, whose moves may go on in the lines below; lines with # are comments.
    """
    return find_games(data).records


def find_games(data: bytes, strict: bool = True) -> Found:
    """As `parse_games`, with the format and the encoding that were recognised. If it is not `strict`, a game is read up
    to what cannot be read, which its `faults` then has; ValueError is left for a file without anything else."""
    try:
        return _find_games(data, strict)
    except IllegalMove as fault:
        raise _explained(fault) from None


def _explained(fault: ValueError) -> ValueError:
    """The same, with the rule that an illegal move breaks."""
    if not isinstance(fault, IllegalMove) or not fault.moves:
        return fault
    return ValueError(f"{fault}: {explain_all_illegal(Position(fault.sfen), fault.moves)}")


def _find_games(data: bytes, strict: bool) -> Found:
    text, encoding = decode(data, strict)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)
             if line.strip() and not line.lstrip().startswith("#")]
    if not lines or not (names_position(lines[0][1]) or _MOVE.match(lines[0][1])):
        return find_records(data, strict)
    games: list[tuple[int, str]] = []
    for number, line in lines:
        if not games or names_position(line):
            games.append((number, line))
        else:
            games[-1] = games[-1][0], f"{games[-1][1]} {line}"
    found = Found([_at_line(number, game, strict) for number, game in games], "USI", encoding)
    require_any(found.records)
    return found


def _at_line(number: int, text: str, strict: bool) -> Record:
    try:
        record = parse_usi_game(text, strict)
    except ValueError as fault:
        raise with_place(fault, f"line {number}") from None
    record.faults = [with_place(fault, f"line {number}") for fault in record.faults]
    return record


def parse_usi_game(text: str, strict: bool = True) -> Record:
    """A game in USI: what follows `position` with or without that word, or moves alone; at its end, `resign` or `win`.
    If it is not `strict`, moves are read up to one that cannot be played, which the record's `faults` then has.

    >>> parse_usi_game("7g7f 3c3d resign").terminal
    'TORYO'
    """
    words = text.split()
    if words[:1] == ["position"]:
        words = words[1:]
    terminal = _ENDS.get(words[-1]) if words else None
    if terminal:
        words = words[:-1]
    if words and _MOVE.fullmatch(words[0]):
        sfen, moves = STARTPOS_SFEN, words
    else:
        sfen, moves = parse_position(" ".join(words))
    position = Position(sfen)
    for ply, move in enumerate(moves, 1):
        try:
            require_legal(position, move, move)
            position.push(move)
        except ValueError as error:
            fault = with_place(error, f"move {ply}")
            if strict:
                raise fault from None
            return Record(position.initial_sfen, moves[:ply - 1], faults=[fault])
    return Record(position.initial_sfen, moves, terminal=terminal)


def write_game(record: Record, path: Path) -> None:
    """Write a game in the format that the file's name ends in (see FORMATS).

    ValueError for another ending, or if the format or its encoding cannot hold the game; OSError.
    """
    write_file(path, encoded(path, record))


def encoded(path: Path, *records: Record, formats: Formats = FORMATS) -> bytes:
    """What `write_game` writes, of several games where the format has them; raises as it does, but for OSError."""
    form, encoding = formats[require_record_suffix(path, formats)]
    text = _DECLARED.sub(rf"\g<1>{encoding}", form(*records))
    try:
        return text.encode(_CODECS[encoding])
    except UnicodeEncodeError as fault:
        letters, instead = fault.object[fault.start:fault.end], path.with_suffix(path.suffix + "u").name
        raise ValueError(f"{letters!r} cannot be written in {encoding}, which {path.suffix} is in; write {instead} "
                         "instead") from None


def require_record_suffix(path: Path, formats: Formats = FORMATS) -> str:
    """The ending of a record's name, in small letters; ValueError if it tells no format."""
    suffix = path.suffix.lower()
    if suffix not in formats:
        raise ValueError(f"'{path}' does not end in {enumerated(formats)}, so its format is not known")
    return suffix


def format_usi(*records: Record) -> str:
    """Games in USI, one a line, as `parse_usi_game` reads them: all else than moves, and most ends, is dropped.

    >>> format_usi(Record(moves=["7g7f"], terminal="TORYO"))
    'position startpos moves 7g7f resign\\n'
    """
    return "".join(f"position {' '.join(_usi_words(record))}\n" for record in records)


def _usi_words(record: Record) -> Iterator[str]:
    yield "startpos" if record.initial_sfen == STARTPOS_SFEN else f"sfen {record.initial_sfen}"
    yield from ["moves", *record.moves] if record.moves else []
    yield from (word for word, terminal in _ENDS.items() if terminal == record.terminal)
