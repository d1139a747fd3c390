"""Records and moves in the KI2 format of Kakinoki Shogi: as books print them, ▲７六歩 △３四歩, several to a line."""
import re
from collections.abc import Sequence

from engine.board import Position
from engine.notation.kakinoki import (
    Reader,
    Span,
    beside,
    closing,
    handicap_of,
    heading,
    side_names,
    spans,
    variation_heading,
)
from engine.notation.kif import KINDS, MOVE_HEAD, MOVE_NAMES, place_of, target_of
from engine.notation.record import IllegalMove, Record, require_legal
from engine.notation.relation import DROP, WORDS, related, relation
from engine.text.japanese import MARKS
from engine.text.pieces import GOLD, LETTERS, NAMES, SIDES, WHITE_PIECE, square_name

_SIDES = {mark: side for side, marks in enumerate(("▲☗▼", "△☖▽")) for mark in marks}
_TOKEN = re.compile(rf"[{''.join(_SIDES)}][^{''.join(_SIDES)}]+")
_MOVE = re.compile(rf"{MOVE_HEAD}(?P<words>[{WORDS}]*)(?P<promotion>成|不成|生)?(?P<drop>{DROP})?")
MOVES_IN_A_ROW = 6
MOVE_COLUMNS = 14


# -- Moves -------------------------------------------------------------------------------------------------------------

def usi_to_ki2(position: Position, usi: str, previous: str | None = None) -> str:
    """A legal move in KI2, without the side's mark; 同 stands for the square if `previous`, in USI, went there.
    ValueError if it is not legal.

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
    """A KI2 move, with or without the side's mark, in USI; `previous`, in USI, is where 同 points to. ValueError if it
    is malformed, not legal, or could be several moves.

    >>> ki2_to_usi(Position(), "▲５八金右")
    '4i5h'
    """
    match = _MOVE.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no KI2 move; write it as ▲７六歩, ▲同銀右成 or ▲５五角打")
    side = _SIDES.get(text[0], position.turn)
    if side != position.turn:
        raise ValueError(f"{text!r} is {SIDES[side]}'s move, but it is {SIDES[position.turn]}'s turn")
    return find_move(position, text, KINDS[match["piece"]], target_of(match, text, previous), match["words"],
                     promotes=match["promotion"] == "成", drops=match["drop"] is not None)


def find_move(position: Position, text: str, kind: int, target: str, words: str, *, promotes: bool,
              drops: bool) -> str:
    """The one legal move, in USI, of a piece of this kind to this square that fits the words (see `relation`).

    What could be a move on the board is a drop only if that is said. ValueError, quoting `text`, if there are several;
    IllegalMove, with all that the text could mean, if there is none.
    """
    suffix = "+" if promotes else ""
    piece = kind + WHITE_PIECE * position.turn
    named = [] if drops else [square_name(square) + target + suffix
                              for square, there in enumerate(position.placement.board) if there == piece]
    moves = related(filter(position.is_legal, named), position.turn, words)
    drop = [f"{LETTERS[kind]}*{target}"] if not words and not promotes and kind <= GOLD else []
    if not moves and drop and position.is_legal(drop[0]):
        moves = drop
    if len(moves) > 1:
        raise ValueError(f"{text!r} could be {' or '.join(sorted(moves))} in {position.sfen!r}")
    if not moves:
        refused = f"{text!r} is not legal in {position.sfen!r}"
        if not (meant := related(named, position.turn, words) or named) and not drop:
            raise ValueError(f"{refused}: {SIDES[position.turn]} has no {NAMES[kind]}")
        raise IllegalMove(refused, position.sfen, [*meant, *drop])
    return moves[0]


# -- Reading -----------------------------------------------------------------------------------------------------------

def parse_ki2(text: str, strict: bool = True) -> Record:
    """Read the game of a KI2 file, with its variations (変化) and remarks.

    ValueError, with the line and its number, for what KI2 does not know, an impossible position, and a move that is not
    legal or could be several. If it is not `strict`, what cannot be read is left out, as `parse_kif` has it.
    """
    return _Reader().read(text, strict)


class _Reader(Reader[str]):
    def moves_in(self, line: str) -> Sequence[str]:
        return [token.strip() for token in _TOKEN.findall(line)] if line.lstrip()[:1] in _SIDES else []

    def ending_in(self, move: str) -> str:
        return move

    def play(self, move: str) -> None:
        branch = self.branch()
        if branch.record.terminal:
            raise ValueError(f"{move!r} comes after the end of the game")
        branch.play(ki2_to_usi(branch.position, move, branch.previous))


# -- Writing -----------------------------------------------------------------------------------------------------------

def format_ki2(record: Record) -> str:
    """Write a game, with its variations, as KI2, to be saved in cp932 as .ki2 or in UTF-8 as .ki2u.

    Times, the move number of the set-up, and how exactly a game was lost are dropped: KI2 has no place for them.
    ValueError if a move is not legal.
    """
    sides = side_names(handicap_of(record))
    lines = heading(record)
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
        move = MARKS[position.turn] + usi_to_ki2(position, usi, previous)
        row += move + " " * max(MOVE_COLUMNS - 2 * len(move), 1)
        remarks = beside(record, ply)
        if remarks or ply % MOVES_IN_A_ROW == 0 or ply == len(record.moves):
            lines += [row.rstrip(), *remarks]
            row = ""
        position.push(usi)
        previous = usi
    return lines
