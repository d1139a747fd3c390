"""Records and moves in the CSA format, versions 2 to 3.0.

Source: computer-shogi.org, 標準棋譜ファイル形式, http://www2.computer-shogi.org/protocol/record_v3.html
"""

import re

from engine.board import Position
from engine.errors import Phrase, UserError
from engine.pieces import (
    FILES,
    GOLD,
    HAND_ORDER,
    LETTERS,
    PAWN,
    PROMOTED,
    SET,
    SIDES,
    SQUARES,
    WHITE_PIECE,
    row_slice,
    square_digits,
    square_index,
    square_of_digits,
)
from engine.recordlines import KIND_NAMES, play_csa
from engine.records.record import (
    OFFENCES,
    TERMINALS,
    Comments,
    GameRecord,
    IllegalMove,
    LesserFault,
    lines_of,
    require_legal,
    seconds_spent,
    single_line,
    take_lines,
    whole_number,
)
from engine.sfen import STARTPOS_SFEN, Placement, format_sfen, parse_sfen

_START = parse_sfen(STARTPOS_SFEN)
_SIGNS = "+-"                                               # by side
KINDS = {name: kind for kind, name in enumerate(KIND_NAMES) if kind}
_PIECES = {"*": 0} | {
    sign + name: kind + WHITE_PIECE * side for side, sign in enumerate(_SIGNS) for name, kind in KINDS.items()
}
_CELLS = {piece: cell.center(3) for cell, piece in _PIECES.items()}
_MOVE = re.compile(r"([+-]?)(00|[1-9]{2})([1-9]{2})([A-Z]{2})", re.ASCII)
_ROW = re.compile(r"P([1-9])(.*)")
_CELL = re.compile(r"[+-][A-Z]{2}|\*")
_TIME = re.compile(r"T([0-9]+)((?:\.[0-9]*)?)", re.ASCII)
_ENCODING = "'CSA encoding="
# The beginning of a CSA file, apart from blank lines. No line of KIF begins like this.
_FIRST_LINE = re.compile(r"\s*(?:'|V[1-3]|N[+-]|\$|PI|P[1-9]\s*[*+-]|P[+-]\s*(?:[0-9]{2}[A-Z]{2}|$)"
                         r"|[+-]\s|[+-][0-9]{4}[A-Z]{2}|%|/\s)")
# Shogi Wars puts tabs between moves and the seconds left behind each, and has its own words for the ends of games.
_SEPARATOR = re.compile(r"[,\t]")
_SECONDS_LEFT = re.compile(r"L([0-9]+)", re.ASCII)
_MAIN_TIME = re.compile(r"([0-9]{1,4}):([0-9]{2})\+[0-9]+", re.ASCII)       # of $TIME_LIMIT: hours and minutes
_WON = re.compile(r"%?(SENTE|GOTE)_WIN_([A-Z_]+)")
_LOST_BY = {"TORYO": "TORYO", "CHECKMATE": "TSUMI", "TIMEOUT": "TIME_UP", "DISCONNECT": "TIME_UP"}
_WITHOUT_SIDE = ("ILLEGAL_ACTION", "OUTE_SENNICHITE")
_DRAWN = {"DRAW_SENNICHI": "SENNICHITE", "DRAW_PLY_LIMIT": "MAX_MOVES", "DRAW_INVALID": "CHUDAN"}


# -- Moves -------------------------------------------------------------------------------------------------------------

def usi_to_csa(position: Position, usi: str) -> str:
    """A legal move in CSA, with the sign of the side that plays it. Raises UserError if it is not legal.

    >>> usi_to_csa(Position(), "7g7f")
    '+7776FU'
    """
    require_legal(position, usi, usi)
    if usi[1] == "*":
        kind, origin = LETTERS.index(usi[0]), "00"
    else:
        kind = position.piece_at(usi[:2]) % WHITE_PIECE + PROMOTED * usi.endswith("+")
        origin = square_digits(usi[:2])
    return f"{_SIGNS[position.turn]}{origin}{square_digits(usi[2:4])}{KIND_NAMES[kind]}"


def csa_to_usi(position: Position, text: str) -> str:
    """A CSA move, with or without its sign, in USI. Raises UserError if it is malformed or not legal.

    >>> csa_to_usi(Position(), "+7776FU")
    '7g7f'
    """
    match = _MOVE.fullmatch(text)
    if not match or match[4] not in KINDS:
        raise UserError("{text!r} is no CSA move; write it as +7776FU or +0055FU", text=text)
    sign, origin, target, name = match.groups()
    if sign and sign != _SIGNS[position.turn]:
        raise UserError("{text!r} is {side}'s move, but it is {other}'s turn", text=text,
                        side=Phrase(SIDES[_SIGNS.index(sign)]), other=Phrase(SIDES[position.turn]))
    kind, target = KINDS[name], square_of_digits(target)
    if origin == "00":
        if kind > GOLD:
            raise UserError("{text!r} drops {name}, which no hand can hold", text=text, name=name)
        usi = f"{LETTERS[kind]}*{target}"
    else:
        origin = square_of_digits(origin)
        moved = position.piece_at(origin) % WHITE_PIECE
        if kind not in (moved, moved + PROMOTED):
            raise UserError("{text!r} moves {name}, but {other} stands on {square}", text=text, name=name,
                            other=KIND_NAMES[moved], square=match[2])
        usi = origin + target + ("+" if kind != moved else "")
    require_legal(position, usi, text)
    return usi


# -- Reading -----------------------------------------------------------------------------------------------------------

def is_csa(text: str) -> bool:
    """Whether a text is meant as CSA, with or without faults."""
    return _FIRST_LINE.match(text) is not None


def parse_csa(text: str, strict: bool = True) -> list[GameRecord]:
    """Read the games of a CSA file, which `/` separates. Moves as Shogi Wars writes them, `+7776FU,L600`, are read as
    well.

    Comments keep their text without the `'` or `'*` before it. Raises UserError, with the line and its number, for a
    line that is not CSA, an impossible position or an illegal move; also if there is no game at all. Unless `strict`,
    such a line is skipped, a move together with all that follows it, and noted in the game's `faults`.
    """
    readers = [_Reader()]

    def take(line: str) -> None:
        if line.strip() == "/":
            readers[-1].close()
            readers.append(_Reader())
        else:
            readers[-1].take(line)

    take_lines(text, take, None if strict else lambda fault: readers[-1].record.faults.append(fault),
               lambda lines, number: readers[-1].run(lines, number))
    records = [reader.record for reader in readers if reader.position]
    faults = [fault for reader in readers for fault in reader.record.faults]
    if not records and faults:
        raise faults[0]
    for reader in readers:
        reader.comments.close()
    if strict or not records:
        readers[-1].close()
    if not records:
        raise UserError("there is no game in this CSA text")
    return records


class _Reader:
    """A game that is being read. `position` is None until the side to move is known."""

    def __init__(self) -> None:
        self.record = GameRecord()
        self.comments = Comments()
        # is_broken: a move or the set-up could not be read, so later moves have no position. is_illegal: it was an
        # illegal move, and no other follows.
        self.is_broken = self.is_illegal = False
        self.unread_end = -1                # the ply before an end that is not known; a time behind it is skipped
        self.left: list[int | None] = [None, None]  # seconds that each side has, where moves say that
        self.position: Position | None = None
        self.board: list[int] = []          # empty as long as no piece was placed
        self.hands: tuple[list[int], list[int]] = [0] * 8, [0] * 8

    def close(self) -> None:
        self.comments.close()
        if not self.position and (self.board or self.record != GameRecord()):
            raise UserError("the game has no line + or - to say whose turn it is")

    @property
    def ply(self) -> int:
        """The ply of the line read last."""
        return len(self.record.moves) + (self.record.terminal is not None)

    def take(self, line: str) -> None:
        line = line.lstrip()
        if line.startswith("'"):
            if not line.startswith(_ENCODING):
                self.comment(line)
            return
        line = line.rstrip()
        if line.startswith("V"):
            if not re.fullmatch(r"V[123](\.[0-9])?", line):
                raise LesserFault("version {text!r} of CSA is not known", text=line[1:])
        elif line.startswith(("N+", "N-")):
            black, white = self.record.names
            self.record.names = (line[2:], white) if line[1] == "+" else (black, line[2:])
        elif line.startswith("$"):
            keyword, colon, value = line[1:].partition(":")
            if not colon:
                raise LesserFault("a $ line is written $KEYWORD:VALUE")
            self.record.headers[keyword] = value
        else:
            statements, apostrophe, comment = line.partition("'")
            for part in _SEPARATOR.split(statements):
                for statement in [part] if part.startswith("P") else part.split():
                    self.take_statement(statement)
            if apostrophe:
                self.comment(apostrophe + comment)

    def run(self, lines: list[str], number: int) -> int:
        """Read plain moves, their times and comments from this line on, fast. Returns the number of lines read."""
        if not self.position or self.is_broken or self.record.terminal:
            return 0
        return play_csa(self.position, lines, number, self.record.moves, self.record.times,
                        self.record.comments, self.comments.longer(self.record))

    def comment(self, text: str) -> None:
        if not self.is_broken:
            self.comments.add(self.record, self.ply, text[2:] if text.startswith("'*") else text[1:])

    def take_statement(self, statement: str) -> None:
        if self.is_broken:
            # A game may end with an illegal move, if the next line names that end.
            if self.is_illegal and statement.endswith(("ILLEGAL_MOVE", "ILLEGAL_ACTION")):
                self.record.terminal = "ILLEGAL_MOVE"
            self.is_illegal = self.is_illegal and not _MOVE.fullmatch(statement)
            return
        if not statement:
            return
        if statement.startswith(("P", "+", "-")):
            try:
                self.take_position(statement)
            except UserError as fault:
                self.is_broken, self.is_illegal = True, isinstance(fault, IllegalMove)
                raise
        elif statement.startswith("T"):
            self.clock(statement)
        elif match := _SECONDS_LEFT.fullmatch(statement):
            self.clock_left(whole_number(match[1]))
        elif statement.startswith("%") or statement in _DRAWN or _WON.fullmatch(statement):
            try:
                self.end(statement)
            except LesserFault:
                self.unread_end = self.ply
                raise
        else:
            raise LesserFault("{text!r} is no CSA statement", text=statement)

    def take_position(self, statement: str) -> None:
        """Read a statement of the set-up, the side to move, or a move."""
        if statement.startswith("P"):
            self.place(statement)
        elif statement in ("+", "-"):
            self.begin(_SIGNS.index(statement))
        else:
            self.play(statement)

    def place(self, statement: str) -> None:
        if self.position:
            raise UserError("{text!r} comes after the side to move", text=statement)
        if statement.startswith("PI"):
            self.board = [*_START.board]
            for digits, name in _pairs(statement):
                square = square_index(square_of_digits(digits))
                if self.board[square] not in (_PIECES.get("+" + name), _PIECES.get("-" + name)):
                    raise UserError("{text!r}: no {name} stands on {square}", text=digits + name, name=name,
                                    square=digits)
                self.board[square] = 0
            return
        self.board = self.board or [0] * SQUARES
        if statement.startswith(("P+", "P-")):
            for digits, name in _pairs(statement):
                self.add(_SIGNS.index(statement[1]), digits, name)
        elif row := _ROW.fullmatch(statement):
            self.board[row_slice(FILES.index(row[1]))] = _cells(row[2])
        else:
            raise UserError("{text!r} places no pieces; write PI, P1 to P9, P+ or P-", text=statement)

    def add(self, side: int, digits: str, name: str) -> None:
        if digits == "00" and name == "AL":
            for kind in range(PAWN, GOLD + 1):
                placed = sum(piece & 7 == kind for piece in self.board)     # & 7: promoted or not, of either side
                self.hands[side][kind] = SET[kind] - placed - self.hands[1 - side][kind]
        elif name not in KINDS:
            raise UserError("{text!r}: {name!r} is no piece", text=digits + name, name=name)
        elif digits != "00":
            square = square_index(square_of_digits(digits))
            if self.board[square]:
                raise UserError("{text!r}: two pieces on {square}", text=digits + name, square=digits)
            self.board[square] = KINDS[name] + WHITE_PIECE * side
        elif KINDS[name] <= GOLD:
            self.hands[side][KINDS[name]] += 1
        else:
            raise UserError("{text!r}: no hand can hold {name}", text=digits + name, name=name)

    def begin(self, turn: int) -> Position:
        if self.position:
            raise UserError("the side to move was given before")
        placement = Placement(self.board or _START.board, self.hands, turn, 1)
        self.position = Position() if placement == _START else Position(format_sfen(placement))
        self.record.initial_sfen = self.position.sfen
        return self.position

    def play(self, statement: str) -> None:
        if self.record.terminal:
            raise UserError("{text!r} comes after %{terminal}", text=statement, terminal=self.record.terminal)
        # Some programs leave out the line with the side to move; then the first move shows which side it is.
        position = self.position or self.begin(_SIGNS.index(statement[0]))
        usi = csa_to_usi(position, statement)
        position.push(usi)
        self.record.moves.append(usi)

    def clock(self, statement: str) -> None:
        if self.unread_end == self.ply:
            return
        match = _TIME.fullmatch(statement)
        if not match or not self.ply:
            raise LesserFault("{text!r} is no time spent on a move; write seconds as in T12", text=statement)
        self.record.times[self.ply] = float(f"{whole_number(match[1])}{match[2]}")

    def clock_left(self, seconds: int) -> None:
        """Compute the time of a move from the clock at the side's previous move, or, for its first move, from the time
        for the game."""
        if not self.record.moves:
            raise LesserFault("this is time left after a move, but there was none")
        side = 1 - self.record.turn
        before = self.left[side]
        if before is None and (limit := _MAIN_TIME.fullmatch(self.record.headers.get("TIME_LIMIT", ""))):
            before = 3600 * int(limit[1]) + 60 * int(limit[2])
        if before is not None and before >= seconds:
            self.record.times[self.ply] = float(before - seconds)
        self.left[side] = seconds

    def end(self, statement: str) -> None:
        word = statement.removeprefix("%")
        terminal = _DRAWN.get(word, word)
        if word in _WITHOUT_SIDE and self.position:
            terminal = self.offence(self.position, word)
        if match := _WON.fullmatch(statement):
            terminal = self.won(["SENTE", "GOTE"].index(match[1]), match[2])
        if terminal not in TERMINALS:
            raise LesserFault("{text!r} is no way to end a game in CSA", text=statement)
        if self.record.terminal and self.record.terminal != terminal:       # some servers say it twice
            raise LesserFault("{text!r} comes after %{terminal}", text=statement, terminal=self.record.terminal)
        self.record.terminal = terminal

    def offence(self, position: Position, word: str) -> str:
        """The end by an offence where the word does not name the offender: perpetual check, or JKF's word for the side
        that has just moved."""
        by_mover = word == "ILLEGAL_ACTION" or position.repetition() == "win"
        return OFFENCES[1 - position.turn if by_mover else position.turn]

    def won(self, winner: int, how: str) -> str:
        """CSA's word for a win. CSA's words for ends say that the side to move has won or lost, or which side broke a
        rule."""
        if winner == self.record.turn:
            return "KACHI" if how in ("ENTERINGKING", "TRY") else OFFENCES[1 - winner]
        return _LOST_BY.get(how, OFFENCES[1 - winner])


def _pairs(statement: str) -> list[tuple[str, str]]:
    """The squares and the names of the pieces in PI…, P+… and P-…."""
    body = "".join(statement[2:].split())
    if len(body) % 4:
        raise UserError("{text!r} does not consist of squares and pieces, as in P+55FU", text=statement)
    return [(body[start:start + 2], body[start + 2:start + 4]) for start in range(0, len(body), 4)]


def _cells(row: str) -> list[int]:
    # Three characters a cell; but some programs drop blanks at the end of the line, or double ones.
    cells = _CELL.findall(row)
    if len(cells) != 9 or any(cell not in _PIECES for cell in cells) or _CELL.sub("", row).strip():
        raise UserError("{row!r} is no row of nine cells such as '-FU' or ' * '", row=row)
    return [_PIECES[cell] for cell in cells]


# -- Writing -----------------------------------------------------------------------------------------------------------

def format_csa(*records: GameRecord) -> str:
    """Write games as one CSA file, to be saved in UTF-8. Its first line names the encoding, except in an ASCII file of
    version 2.2. The version is 3.0 if a time has a fraction or a game ends by a limit of moves, otherwise 2.2.

    Variations, NAGs, the move number of the set-up, remarks, headers with : in their name, and games won or lost by
    default are left out: CSA has no place for them. Raises UserError if a move is not legal.
    """
    needs_3 = any(record.terminal == "MAX_MOVES" or any(seconds % 1 for seconds in record.times.values())
                  for record in records)
    games = "/\n".join("".join(line + "\n" for line in _lines(record)) for record in records)
    encoding = f"{_ENCODING}UTF-8\n" if needs_3 or not games.isascii() else ""
    return f"{encoding}V{'3.0' if needs_3 else '2.2'}\n{games}"


def _lines(record: GameRecord) -> list[str]:
    lines = [f"N{sign}{single_line(name)}" for sign, name in zip(_SIGNS, record.names, strict=True) if name]
    lines += [f"${single_line(f'{keyword}:{value}')}" for keyword, value in record.headers.items()
              if ":" not in keyword]
    lines += _set_up(parse_sfen(record.initial_sfen))
    lines += _comment(record, 0)
    position = Position(record.initial_sfen)
    for ply, usi in enumerate(record.moves, 1):
        lines += [usi_to_csa(position, usi), *_time(record, ply), *_comment(record, ply)]
        position.push(usi)
    if record.terminal and record.terminal not in TERMINALS:
        raise UserError("{text!r} is no way to end a game", text=record.terminal)
    if record.terminal and not record.terminal.endswith("_BY_DEFAULT"):
        ply = len(record.moves) + 1
        lines += [f"%{record.terminal}", *_time(record, ply), *_comment(record, ply)]
    return lines


def _set_up(placement: Placement) -> list[str]:
    turn = _SIGNS[placement.turn]
    if format_sfen(placement._replace(turn=0, move_number=1)) == STARTPOS_SFEN:
        return ["PI", turn]
    rows = [
        f"P{FILES[rank]}" + "".join(_CELLS[piece] for piece in placement.board[row_slice(rank)]) for rank in range(9)
    ]
    hands = [
        f"P{sign}" + "".join(f"00{KIND_NAMES[kind]}" * hand[kind] for kind in HAND_ORDER)
        for sign, hand in zip(_SIGNS, placement.hands, strict=True) if any(hand)
    ]
    return [*rows, *hands, turn]


def _time(record: GameRecord, ply: int) -> list[str]:
    if ply not in record.times:
        return []
    seconds = seconds_spent(record, ply)
    return [f"T{seconds:.3f}" if seconds % 1 else f"T{seconds:.0f}"]


def _comment(record: GameRecord, ply: int) -> list[str]:
    comment = record.comments.get(ply)
    return [] if comment is None else [f"'*{line}" for line in lines_of(comment)]
