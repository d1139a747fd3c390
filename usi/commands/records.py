"""Game records as people hand them over and get them back: CSA, KIF, KI2, JKF, or a line of USI."""
import re
from collections.abc import Callable
from pathlib import Path

from engine import Position
from engine.notation.csa import format_csa
from engine.notation.files import Found, decode, find_records
from engine.notation.jkf import format_jkf
from engine.notation.ki2 import format_ki2
from engine.notation.kif import format_kif
from engine.notation.record import IllegalMove, Record, require_legal, with_place
from engine.notation.sfen import STARTPOS_SFEN, parse_position
from usi.commands.illegal import explain_all_illegal
from usi.commands.positions import names_position
from usi.reading import read_text_file
from usi.writing import write_file

# What is written by the endings of names, and in which encoding; Python's name for it may differ from people's.
FORMATS: dict[str, tuple[Callable[[Record], str], str]] = {
    ".kif": (format_kif, "Shift_JIS"), ".kifu": (format_kif, "UTF-8"), ".csa": (format_csa, "UTF-8"),
    ".ki2": (format_ki2, "Shift_JIS"), ".ki2u": (format_ki2, "UTF-8"), ".jkf": (format_jkf, "UTF-8"),
}
ENDINGS = f"{', '.join([*FORMATS][:-1])} or {[*FORMATS][-1]}"
_CODECS = {"Shift_JIS": "cp932", "UTF-8": "utf-8"}
_DECLARED = re.compile(r"^(#KIF\b.*\bencoding=)\S+", re.MULTILINE)

# How a file of moves alone begins.
_MOVE = re.compile(r"\s*[1-9][a-i][1-9][a-i]\+?(?:\s|$)")
_ENDS = {"resign": "TORYO", "win": "KACHI"}     # where an engine's answer would stand


def read_game(source: str, number: int | None = None) -> Record:
    """As `find_game`, the game alone."""
    return find_game(source, number)[0]


def find_game(source: str, number: int | None = None) -> tuple[Record, str]:
    """The game in a file, or on standard input if `source` is "-", and the form that was recognised, as "KIF in UTF-8";
    `number`, from 1, is needed if there are several.

    OSError if it cannot be read; ValueError, saying where, for what is no record, and if there is no such game.
    """
    found = find_games(read_text_file(source))
    games = found.records
    if number is None and len(games) > 1:
        raise ValueError(f"there are {len(games)} games in it; choose one by its number, from 1 to {len(games)}")
    if not 1 <= (number or 1) <= len(games):
        raise ValueError(f"there is no game {number} in it; the last is {len(games)}")
    return games[(number or 1) - 1], found.form


def parse_games(data: bytes) -> list[Record]:
    """All games of a file. ValueError as `find_records` raises it, or for USI that is wrong.

    In USI each position begins a game, whose moves may go on in the lines below; lines with # are comments.
    """
    return find_games(data).records


def find_games(data: bytes) -> Found:
    """As `parse_games`, with the format and the encoding that were recognised."""
    try:
        return _find_games(data)
    except IllegalMove as fault:
        raise ValueError(f"{fault}: {explain_all_illegal(Position(fault.sfen), fault.moves)}") from None


def _find_games(data: bytes) -> Found:
    text, encoding = decode(data)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)
             if line.strip() and not line.lstrip().startswith("#")]
    if not lines or not (names_position(lines[0][1]) or _MOVE.match(lines[0][1])):
        return find_records(data)
    games: list[tuple[int, str]] = []
    for number, line in lines:
        if not games or names_position(line):
            games.append((number, line))
        else:
            games[-1] = games[-1][0], f"{games[-1][1]} {line}"
    return Found([_at_line(number, game) for number, game in games], "USI", encoding)


def _at_line(number: int, text: str) -> Record:
    try:
        return parse_usi_game(text)
    except ValueError as fault:
        raise with_place(fault, f"line {number}") from None


def parse_usi_game(text: str) -> Record:
    """A game in USI: what follows `position` with or without that word, or moves alone; at its end, `resign` or `win`.

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
        except ValueError as fault:
            raise with_place(fault, f"move {ply}") from None
    return Record(position.initial_sfen, moves, terminal=terminal)


def write_game(record: Record, path: Path) -> None:
    """Write a game in the format that the file's name ends in (see FORMATS).

    ValueError for another ending, or if the format or its encoding cannot hold the game; OSError.
    """
    write_file(path, encoded(record, path))


def encoded(record: Record, path: Path) -> bytes:
    """What `write_game` writes; raises as it does, but for OSError."""
    form, encoding = FORMATS[require_record_suffix(path)]
    text = _DECLARED.sub(rf"\g<1>{encoding}", form(record))
    try:
        return text.encode(_CODECS[encoding])
    except UnicodeEncodeError as fault:
        letters, instead = fault.object[fault.start:fault.end], path.with_suffix(path.suffix + "u").name
        raise ValueError(f"{letters!r} cannot be written in {encoding}, which {path.suffix} is in; write {instead} "
                         "instead") from None


def require_record_suffix(path: Path) -> str:
    """The ending of a record's name, in small letters; ValueError if it tells no format."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"'{path}' does not end in {ENDINGS}, so its format is not known")
    return suffix
