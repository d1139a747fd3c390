"""Games and positions in USI: the text of a `position` command, with or without that word, or moves alone."""
import re
from collections.abc import Iterator

from engine.board import Position
from engine.errors import Phrase, UserError
from engine.records.record import GameRecord, require_legal
from engine.sfen import STARTPOS_SFEN, parse_position

HEADS = ("position", "startpos", "sfen")
_LETTERS = "PLNSGBRKplnsgbrk"
_BOARD = rf"[1-9{_LETTERS}+]+(?:/[1-9{_LETTERS}+]+){{2,}}"
_BOARD_ALONE = re.compile(_BOARD)
_MOVE = re.compile(r"[1-9][a-i][1-9][a-i]\+?")        # how a file of moves alone begins
FIRST_MOVES = 2         # moves that distinguish a file in USI from other notations
_FIRST_LINE = re.compile(r"^[^\S\n]*[^\s#].*", re.MULTILINE)
_ENDS = {"resign": "TORYO", "win": "KACHI"}     # where an engine's answer would stand


def names_position(text: str) -> bool:
    """Whether a text is meant as a position, and not as a file name.

    >>> names_position("startpos moves 7g7f"), names_position("problems/one.kif")
    (True, False)
    """
    first, *others = text.split(maxsplit=2)[:2] or [""]
    # A word of USI, a board, or any text with slashes that is followed by the side to move.
    return (first in HEADS or _BOARD_ALONE.fullmatch(first) is not None
            or ("/" in first[1:-1] and others in (["b"], ["w"])))


def is_usi(text: str) -> bool:
    """Whether the text of a file is meant as USI, with or without faults."""
    match = _FIRST_LINE.search(text)
    first = match[0] if match else ""
    words = first.split(maxsplit=FIRST_MOVES)[:FIRST_MOVES]
    return names_position(first) or (bool(words) and all(map(_is_word, words)))


def _is_word(word: str) -> bool:
    return _MOVE.fullmatch(word) is not None or word in _ENDS


def parse_usi(text: str, strict: bool = True) -> list[GameRecord]:
    """The games of a file in USI: each position begins one, whose moves may go on in the lines below; lines that begin
    with # are comments. Raises UserError, with the line's number, as `parse_usi_game` raises it.
    """
    games: list[tuple[int, list[str]]] = []
    for number, line in _lines(text):
        if not games or names_position(line):
            games.append((number, [line]))
        else:
            games[-1][1].append(line)
    return [_at_line(number, " ".join(lines), strict) for number, lines in games]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#"))


def _at_line(number: int, text: str, strict: bool) -> GameRecord:
    try:
        record = parse_usi_game(text, strict)
    except UserError as fault:
        raise fault.at(Phrase("line {number}", number=number)) from None
    record.faults = [fault.at(Phrase("line {number}", number=number)) for fault in record.faults]
    return record


def parse_usi_game(text: str, strict: bool = True) -> GameRecord:
    """The game of a text in USI: a `position` command, with or without that word, or moves alone. `resign` or `win` may
    stand at its end. Raises UserError for a position that cannot be read and for a move that is not legal; unless
    `strict`, such a move ends the game and is noted in the record's `faults`.

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
        except UserError as error:
            fault = error.at(Phrase("move {number}", number=ply))
            if strict:
                raise fault from None
            return GameRecord(position.initial_sfen, moves[:ply - 1], faults=[fault])
    return GameRecord(position.initial_sfen, moves, terminal=terminal)


def format_usi(*records: GameRecord) -> str:
    """Games in USI, one a line, as `parse_usi_game` reads them: only starts, moves, `resign` and `win` are kept.

    >>> format_usi(GameRecord(moves=["7g7f"], terminal="TORYO"))
    'position startpos moves 7g7f resign\\n'
    """
    return "".join(f"position {' '.join(_usi_words(record))}\n" for record in records)


def _usi_words(record: GameRecord) -> Iterator[str]:
    yield "startpos" if record.initial_sfen == STARTPOS_SFEN else f"sfen {record.initial_sfen}"
    yield from ["moves", *record.moves] if record.moves else []
    yield from (word for word, terminal in _ENDS.items() if terminal == record.terminal)
