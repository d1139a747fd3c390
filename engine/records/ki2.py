"""Records and moves in the KI2 format of Kakinoki Shogi: as books print them, ▲７六歩 △３四歩, several to a line."""
import re
from collections.abc import Sequence

from engine.board import Position
from engine.errors import Phrase, UserError
from engine.pieces import LETTERS, SIDES, WHITE_PIECE
from engine.records.ends import end_of
from engine.records.japanese import SIDE_MARKS, SIDE_NAMES
from engine.records.kakinoki import (
    MOVES_BEGIN,
    SUMMARY,
    Reader,
    Span,
    beside,
    closing,
    handicap_of,
    heading,
    side_names,
    spans,
    spent_seconds,
    variation_heading,
)
from engine.records.kif import MOVE_NAMES, RELATIVE_MOVE, place_of, relative_to_usi
from engine.records.record import GameRecord, require_legal
from engine.records.relation import relation

_SIDES = {mark: side for side, marks in enumerate(("▲☗▼⛊", "△☖▽⛉")) for mark in marks}
_MARKS = "".join(_SIDES)
# A row of moves, which may be numbered; and a move with the words behind it.
_ROW = re.compile(rf"(?:[0-9０-９]+[\s.．:：、)）手目]*)?[{_MARKS}]")
_TOKEN = re.compile(rf"[{_MARKS}][^{_MARKS}]+")
# A line that begins with a move. No line is looked at twice, however many blanks it has.
_MOVES = re.compile(r"^[^\S\n]*(?:[0-9０-９]+[.．:：、)）手目]*)?[▲△☗☖▼▽⛊⛉](?:[1-9１-９同]|投了)", re.MULTILINE)
_NUMBER_OF_NEXT = re.compile(r"[0-9０-９]+[.．:：、)）手目]*")
_APART = re.compile(r"$|[\s()（）、,，。．.!！?？「『]")
_LINK = re.compile(r"^(?:で|にて|、)")          # between the last move and how the game ended
MOVES_IN_A_ROW = 6
MOVE_COLUMNS = 14


# -- Moves -------------------------------------------------------------------------------------------------------------

def usi_to_ki2(position: Position, usi: str, previous: str | None = None) -> str:
    """A legal move in KI2, without the side's mark. 同 stands for the square if the move `previous`, in USI,
    went there. Raises UserError if it is not legal.

    >>> usi_to_ki2(Position(), "6i5h")
    '５八金左'
    """
    require_legal(position, usi, usi)
    place = place_of(usi, previous)
    words = relation(position, usi)
    if usi[1] == "*":
        return f"{place}{MOVE_NAMES[LETTERS.index(usi[0])]}{words}"
    promotion = "成" if usi.endswith("+") else "不成" if position.is_legal(usi + "+") else ""
    return f"{place}{MOVE_NAMES[position.piece_at(usi[:2]) % WHITE_PIECE]}{words}{promotion}"


def ki2_to_usi(position: Position, text: str, previous: str | None = None) -> str:
    """A KI2 move, with or without the side's mark, in USI; `previous`, in USI, is where 同 points to. Raises UserError
    if it is malformed, not legal, or could be several moves.

    >>> ki2_to_usi(Position(), "▲５八金右")
    '4i5h'
    """
    side = _SIDES.get(text[:1], position.turn)
    if side != position.turn:
        raise UserError("{text!r} is {side}'s move, but it is {other}'s turn", text=text, side=Phrase(SIDES[side]),
                        other=Phrase(SIDES[position.turn]))
    return relative_to_usi(position, text, previous)


# -- Reading -----------------------------------------------------------------------------------------------------------

def is_ki2(text: str) -> bool:
    """Whether a text is meant as KI2, with or without faults: somewhere it has a row of moves, and no column of
    them."""
    return MOVES_BEGIN not in text and _MOVES.search(text) is not None


def parse_ki2(text: str, strict: bool = True) -> GameRecord:
    """Read the game of a KI2 file, with its variations (変化) and remarks.

    Raises UserError, with the line and its number, for a line that is not KI2, an impossible position, and a move that
    is illegal or ambiguous. Unless `strict`, faulty parts are skipped, as
    `engine.records.files.find_records` describes.
    """
    return _Reader().read(text, strict)


class _Reader(Reader[str]):
    def moves_in(self, line: str) -> Sequence[str]:
        tokens = [token.strip() for token in _TOKEN.findall(line)] if _ROW.match(line) else []
        is_header = tokens and not self.path and not RELATIVE_MOVE.match(tokens[0])     # ▲先手：A
        return [] if is_header else tokens

    def ending_in(self, move: str) -> str:
        return move

    def play(self, move: str) -> None:
        branch = self.branch()
        if branch.record.terminal:
            raise UserError("{text!r} comes after the end of the game", text=move)
        match = RELATIVE_MOVE.match(move)
        if match and not self._is_attached(move[match.end():]):
            branch.play(ki2_to_usi(branch.position, match[0], branch.previous))
            ply = len(branch.record.moves)
            if spent := self.remark_and_time(branch.record, ply, move[match.end():]):
                branch.record.times[ply] = spent_seconds(spent)
        elif end := end_of(SIDE_NAMES[_SIDES[move[0]]] + move[1:], branch.position):        # ▲投了
            branch.record.terminal = end
        else:
            raise UserError("{text!r} is no KI2 move; write it as ▲７六歩, ▲同銀右成 or ▲５五角打", text=move)

    def take_remark(self, record: GameRecord, ply: int, remark: str) -> None:
        words = remark.strip("()（）")
        if words.startswith(SUMMARY):
            self.summarize(words)
        elif end := end_of(_LINK.sub("", words), self.branch().position):
            record.terminal = end
        elif not _NUMBER_OF_NEXT.fullmatch(words):
            super().take_remark(record, ply, remark)

    def _is_attached(self, rest: str) -> bool:
        """Whether the text behind a move seems to be part of the word, so that this is no move."""
        return not (_APART.match(rest) or rest.startswith(SUMMARY) or _NUMBER_OF_NEXT.fullmatch(rest)
                    or end_of(_LINK.sub("", rest), self.branch().position))


# -- Writing -----------------------------------------------------------------------------------------------------------

def format_ki2(record: GameRecord) -> str:
    """Write a game, with its variations, as KI2, to be saved in cp932 as .ki2 or in UTF-8 as .ki2u.

    Times, NAGs, the move number of the set-up, and how exactly a game was lost are dropped: KI2 has no place for them.
    Raises UserError if a move is not legal.
    """
    sides = side_names(handicap_of(record))
    lines = heading(record, _Reader)
    for span in spans(record):
        lines += variation_heading(span) if span.is_variation else [""]
        lines += _rows(span)
        if span.record.terminal:
            lines += [closing(span, sides), *beside(span.record, len(span.record.moves) + 1)]
    return "".join(line + "\n" for line in lines)


def _rows(span: Span) -> list[str]:
    """The moves, with a new row after each that has a remark."""
    record = span.record
    position = Position(record.initial_sfen)
    lines, row, previous = beside(record, 0), "", span.before
    for ply, usi in enumerate(record.moves, 1):
        move = SIDE_MARKS[position.turn] + usi_to_ki2(position, usi, previous)
        row += move + " " * max(MOVE_COLUMNS - 2 * len(move), 1)
        remarks = beside(record, ply)
        if remarks or ply % MOVES_IN_A_ROW == 0 or ply == len(record.moves):
            lines += [row.rstrip(), *remarks]
            row = ""
        position.push(usi)
        previous = usi
    return lines
