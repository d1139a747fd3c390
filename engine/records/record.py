"""A game record, apart from the file formats that carry it."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.board import Position
from engine.errors import Phrase, UserError
from engine.recordlines import add_comment, has_controls
from engine.sfen import STARTPOS_SFEN, parse_sfen

# How a game ended: CSA's words without their %, and two more that KIF has.
SIDE_TO_MOVE_LOSES = frozenset({"TORYO", "TIME_UP", "ILLEGAL_MOVE", "TSUMI", "LOSS_BY_DEFAULT"})
SIDE_TO_MOVE_WINS = frozenset({"KACHI", "WIN_BY_DEFAULT"})
OFFENCES = ("+ILLEGAL_ACTION", "-ILLEGAL_ACTION")          # by the side that broke a rule, and so lost
DRAWS = frozenset({"SENNICHITE", "JISHOGI", "HIKIWAKE", "MAX_MOVES"})
NOBODY_WINS = DRAWS | {"CHUDAN", "FUZUMI", "MATTA", "ERROR"}
TERMINALS = SIDE_TO_MOVE_LOSES | SIDE_TO_MOVE_WINS | NOBODY_WINS | frozenset(OFFENCES)

HEADER_PLY = -1         # of remarks above the moves
QUOTED = 200            # letters of a line that an error shows
MOST_DIGITS = 9         # digits of a number in a record: int() is slow for thousands of them
_LINE_END = re.compile(r"\r\n|\n|\r")      # no others, because comments may hold Unicode's other line ends
# Control characters, which could command a terminal or break a line. Control characters that Unicode counts as blanks
# become blanks. Surrogates are removed, because they cannot be encoded.
_CONTROLS = {code: " " if chr(code).isspace() else None
             for code in (*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000)) if chr(code) not in "\t\n\r"}


@dataclass
class GameRecord:
    """A game: its start, its moves, and the remarks on them.

    Plies count from 1 for the first move; `len(moves) + 1` is the terminal's. Headers that CSA and KIF share have CSA's
    name (EVENT, SITE, START_TIME, END_TIME, TIME_LIMIT, OPENING), all others the name in the file.

    A variation is a record too: it begins at the position before the move that it replaces, and counts its plies from
    there.
    """

    initial_sfen: str = STARTPOS_SFEN
    moves: list[str] = field(default_factory=list)              # in USI
    names: tuple[str, str] = ("", "")                           # of Black and White
    headers: dict[str, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)      # by ply; 0 is what stands before the first move
    times: dict[int, float] = field(default_factory=dict)       # seconds spent, by ply
    terminal: str | None = None                                 # one of TERMINALS
    variations: dict[int, list["GameRecord"]] = field(default_factory=dict)     # by the ply that they replace, in order
    # By ply, HEADER_PLY above the moves: lines that only their own format knows, KIF's # and &.
    remarks: dict[int, list[str]] = field(default_factory=dict)
    nags: dict[int, list[int]] = field(default_factory=dict)    # PGN's annotations of moves, by ply: 1 is !, 2 is ?
    # What a reader that is not strict left out, and why.
    faults: list[UserError] = field(default_factory=list, compare=False)

    @property
    def turn(self) -> int:
        """The side to move after the last move: 0 Black, 1 White."""
        return (parse_sfen(self.initial_sfen).turn + len(self.moves)) % 2

    @property
    def winner(self) -> int | None:
        """The side that won, 0 or 1; None if nobody did, or the record does not say.

        >>> GameRecord(moves=["7g7f"], terminal="TORYO").winner
        0
        """
        if self.terminal in OFFENCES:
            return 1 - OFFENCES.index(self.terminal)
        if self.terminal in SIDE_TO_MOVE_LOSES:
            return 1 - self.turn
        return self.turn if self.terminal in SIDE_TO_MOVE_WINS else None

    def position(self, ply: int | None = None) -> Position:
        """The position after `ply` moves, or after all of them. Raises UserError if one of them is not legal.

        >>> GameRecord(moves=["7g7f", "3c3d"]).position(1).turn
        1
        """
        if ply is not None and not 0 <= ply <= len(self.moves):
            raise UserError("ply {ply} is not between 0 and {most}", ply=ply, most=len(self.moves))
        position = Position(self.initial_sfen)
        for move in self.moves[:ply]:
            position.push(move)
        return position

    def add_comment(self, ply: int, line: str) -> None:
        """Add a line to the comment on a ply."""
        self.comments[ply] = f"{self.comments[ply]}\n{line}" if ply in self.comments else line

    def add_remark(self, ply: int, line: str) -> None:
        """Add a remark, a line that only its own format knows, behind a ply."""
        self.remarks.setdefault(ply, []).append(line)


class IllegalMove(UserError):
    """A record has a move that is not legal in the position `sfen`: the one of `moves`, in USI, or any of them if the
    record names no square that it begins on."""

    def __init__(self, template: str, /, *, sfen: str, moves: Sequence[str], **fields: object) -> None:
        super().__init__(template, sfen=sfen, **fields)
        self.sfen = sfen
        self.moves = moves


class LesserFault(UserError):
    """A fault that loses only what it names: the moves behind it can be read."""


def require_legal(position: Position, usi: str, text: str) -> None:
    """Raise IllegalMove, quoting `text`, unless the move it stands for is legal."""
    if not position.is_legal(usi):
        raise IllegalMove("{text!r} is not legal in {sfen!r}", text=text, sfen=position.sfen, moves=[usi])


def seconds_spent(record: GameRecord, ply: int) -> float:
    """The seconds of a move, checked. Raises UserError if they are negative or no number."""
    seconds = record.times[ply]
    if not 0 <= seconds < math.inf:
        raise UserError("the time of move {number} is {value!r}; give seconds, 0 or more", number=ply, value=seconds)
    return seconds


def printable(text: str) -> str:
    """A text without control characters but tabs and line ends.

    >>> printable("A\\x1b[2J\\0B")
    'A[2JB'
    """
    return text.translate(_CONTROLS) if has_controls(text) else text


def lines_of(text: str) -> list[str]:
    """The lines of a comment without control characters."""
    text = printable(text)
    return _LINE_END.split(text) if "\r" in text else text.split("\n")


def single_line(text: str) -> str:
    """The text on one line: line ends become blanks, control characters go.

    >>> single_line("A\\r\\nB\\0")
    'A B'
    """
    return " ".join(lines_of(text))


def whole_number(digits: str) -> int:
    """The number of these digits. Raises UserError if there are more than any record has.

    >>> whole_number("0012")
    12
    """
    if len(digits) > MOST_DIGITS:
        raise UserError("a number of {count} digits; {most} are the most", count=len(digits), most=MOST_DIGITS)
    return int(digits)


class Comments:
    """The comments of a record that is being read. Lines are joined at the end, because adding each to a long text
    would copy it every time."""

    def __init__(self) -> None:
        self._longer: dict[int, tuple[GameRecord, dict[int, list[str]]]] = {}

    def longer(self, record: GameRecord) -> dict[int, list[str]]:
        """The lines of the record's comments that have several, by ply; the first alone is in the record so far."""
        if id(record) not in self._longer:
            self._longer[id(record)] = (record, {})
        return self._longer[id(record)][1]

    def add(self, record: GameRecord, ply: int, line: str) -> None:
        """Add a line to the comment on a ply."""
        add_comment(record.comments, self.longer(record), ply, line)

    def close(self) -> None:
        """Store the joined comments in their records."""
        for record, lines in self._longer.values():
            for ply, those in lines.items():
                record.comments[ply] = "\n".join(those)
        self._longer.clear()


def take_lines(text: str, take: Callable[[str], None], note: Callable[[UserError], None] | None = None,
               run: Callable[[list[str], int], int] = lambda lines, number: 0) -> None:
    """Pass each line, made printable, to `take`. If `take` raises UserError, the line and its number are put before the
    error, which is passed to `note`, and reading goes on with the next line; without `note` it is raised. `run` may
    read several lines at once: it gets all lines and the index of the next one, and returns how many lines it has
    read."""
    lines = lines_of(text)
    number = 0
    while number < len(lines):
        if taken := run(lines, number):
            number += taken
            continue
        line = lines[number]
        number += 1
        try:
            take(line)
        except UserError as error:
            fault = error.at(Phrase("line {number}, {line!r}", number=number,
                                    line=line[:QUOTED] + "…" * (len(line) > QUOTED)))
            if note is None:
                raise fault from None
            note(fault)
