"""Records and moves in the KIF format of Kakinoki Shogi and Kifu for Windows.

Source: 柿木 義一, KIF 形式, http://kakinoki.o.oo7.jp/kif_format.html
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from engine.board import Position
from engine.errors import UserError
from engine.pieces import FILES, KING, LETTERS, WHITE_PIECE, square_digits, square_index, square_of_digits
from engine.recordlines import play_kif
from engine.records.ends import SEALED, end_of, last_words, told_end
from engine.records.japanese import FILE_DIGITS, KIND_NAMES, RANK_DIGITS, square_name
from engine.records.kakinoki import (
    MOVES_BEGIN,
    TIME,
    ReadBranch,
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
from engine.records.record import GameRecord, require_legal, seconds_spent, whole_number
from engine.records.relation import DROP, WORDS, find_move

SAME = "同　"
MOVE_NAMES = (*KIND_NAMES[:10], "成香", "成桂", "成銀", *KIND_NAMES[13:])           # by kind, as moves have them
KINDS = {name: kind for names in (KIND_NAMES, MOVE_NAMES) for kind, name in enumerate(names) if kind}
KINDS |= {"王": KING, "竜": KINDS["龍"]}
# A mark, a square or 同, and a piece: how a move begins.
MOVE_HEAD = (
    rf"[▲△☗☖▼▽⛊⛉]?(?:(?P<same>同)\s*|(?P<file>[1-9{FILE_DIGITS}])(?P<rank>[1-9{FILE_DIGITS}{RANK_DIGITS}])同?)"
    rf"(?P<piece>{'|'.join(sorted(KINDS, key=len, reverse=True))})"
)
_FROM = rf"[(（](?P<origin>[1-9{FILE_DIGITS}]{{2}})[)）]"      # where a move comes from
_NOWHERE = r"[(（][0０]{2}[)）]"
_MOVE = re.compile(rf"{MOVE_HEAD}(?P<promotion>成|不成|生)?(?:打ち?(?:\s*{_NOWHERE})?|\s*{_NOWHERE}|\s*{_FROM})")
# Moves as books print them, with words for their origin where several pieces could move.
RELATIVE_MOVE = re.compile(rf"{MOVE_HEAD}(?P<words>[{WORDS}]*)(?P<promotion>成|不成|生)?(?P<drop>{DROP})?"
                           rf"(?:\s*{_FROM})?")
_DIGITS = str.maketrans(FILE_DIGITS + RANK_DIGITS, 2 * FILES)
# The number of a move, and its separator; only a blank separates for certain.
_NUMBER = re.compile(r"\s*(?P<number>[0-9０-９]+)(?:手目?)?(?:(?P<blank>\s)|[.．:：、)）])\s*")
# The lines by which a KIF file is recognised: a header, a comment, a board, or a numbered line.
_ANY_LINE = re.compile(r"^(?:[^：:\s][^：:\n]*[：:]|[*#&|+]|手数|まで|[^\S\n]*[0-9０-９]+[^\S\n]+\S)", re.MULTILINE)
_NO_MOVE = "{text!r} is no KIF move; write it as ７六歩(77), 同　銀成(31) or ５五角打"
_APART = re.compile(r"$|[\s+!?！？。、]")          # what may follow a move
_TOLD = ("勝ち", "負け", "千日手")               # the end of a sentence in a move's place
_END_WORDS = re.compile(r"[^(（+#]*")
# -- Moves -------------------------------------------------------------------------------------------------------------

def usi_to_kif(position: Position, usi: str, previous: str | None = None) -> str:
    """A legal move in KIF; 同 stands for the square if `previous`, in USI, went there. Raises UserError if it is not
    legal.

    >>> usi_to_kif(Position(), "7g7f")
    '７六歩(77)'
    """
    require_legal(position, usi, usi)
    place = place_of(usi, previous)
    if usi[1] == "*":
        return f"{place}{MOVE_NAMES[LETTERS.index(usi[0])]}打"
    kind = position.piece_at(usi[:2]) % WHITE_PIECE
    return f"{place}{MOVE_NAMES[kind]}{'成' if usi.endswith('+') else ''}({square_digits(usi[:2])})"


def kif_to_usi(position: Position, text: str, previous: str | None = None) -> str:
    """A KIF move in USI; `previous`, in USI, is where 同 points to. Raises UserError if it is malformed or not legal.

    >>> kif_to_usi(Position(), "７六歩(77)")
    '7g7f'
    """
    match = _MOVE.fullmatch(text)
    if not match:
        raise UserError(_NO_MOVE, text=text)
    target = target_of(match, text, previous)
    kind, origin = KINDS[match["piece"]], match["origin"] and match["origin"].translate(_DIGITS)
    if origin is None:
        if kind >= KING or match["promotion"]:
            raise UserError("{text!r} drops what no hand can hold", text=text)
        usi = f"{LETTERS[kind]}*{target}"
    else:
        moved = position.piece_at(square_of_digits(origin)) % WHITE_PIECE
        if kind != moved:
            raise UserError("{text!r} moves {name}, but {other} stands on {square}", text=text, name=match["piece"],
                            other=MOVE_NAMES[moved], square=origin)
        usi = square_of_digits(origin) + target + ("+" if match["promotion"] == "成" else "")
    require_legal(position, usi, text)
    return usi


def relative_to_usi(position: Position, text: str, previous: str | None = None) -> str:
    """A move as books print it, or with the square that it comes from, in USI; `previous`, in USI, is where 同 points
    to. Raises UserError if it is malformed, not legal, or could be several moves."""
    match = RELATIVE_MOVE.fullmatch(text)
    if not match:
        raise UserError("{text!r} is no KI2 move; write it as ▲７六歩, ▲同銀右成 or ▲５五角打", text=text)
    target, promotes, drops = target_of(match, text, previous), match["promotion"] == "成", match["drop"] is not None
    if match["origin"] and not drops:
        usi = square_of_digits(match["origin"].translate(_DIGITS)) + target + "+" * promotes
        if position.piece_at(usi[:2]) % WHITE_PIECE != KINDS[match["piece"]]:
            raise UserError("{move!r}: there is no {piece} on {square}", move=text, piece=match["piece"],
                            square=match["origin"])
        require_legal(position, usi, text)
        return usi
    return find_move(position, text, KINDS[match["piece"]], target, match["words"], promotes=promotes, drops=drops)


def target_of(match: re.Match[str], text: str, previous: str | None) -> str:
    """The target square of a move that matches MOVE_HEAD. Raises UserError, quoting `text`, if 同 points to nothing."""
    if not match["same"]:
        return square_of_digits((match["file"] + match["rank"]).translate(_DIGITS))
    if not previous:
        raise UserError("{text!r}: no move came before that 同 could point to", text=text)
    return previous[2:4]


def place_of(usi: str, previous: str | None) -> str:
    """The square that a move goes to, in Japanese; 同 where the move before it went there too."""
    return SAME if previous and previous[2:4] == usi[2:4] else square_name(square_index(usi[2:4]))


# -- Reading -----------------------------------------------------------------------------------------------------------

def is_kif(text: str) -> bool:
    """Whether a text that is in no other format is meant as KIF, with or without faults."""
    return _ANY_LINE.search(text) is not None


def parse_kif(text: str, strict: bool = True) -> GameRecord:
    """Read the game of a KIF file, with its variations (変化) and remarks.

    A board diagram takes precedence over the handicap. Raises UserError, with the line and its number, for a line that
    is not KIF, an impossible position or an illegal move. Unless `strict`, UserError is raised only for a set-up that
    cannot be read, and for a text that is no record; see `engine.records.files.find_records`.
    """
    return _Reader().read(text, strict)


class _Line(NamedTuple):
    """A numbered line."""

    number: str
    move: str | None            # None if the line is the game's end
    rest: str                   # the words behind the move, or the game's end


class _Reader(Reader[_Line]):
    def __init__(self) -> None:
        super().__init__()
        # The branch and the number of a line that says that a move was sealed.
        self._sealed: tuple[ReadBranch, int] | None = None

    def run(self, lines: list[str], number: int) -> int:
        """Read plain moves, their times and comments, fast."""
        if not self.path or self.is_broken or self.path[-1].record.terminal:
            return 0
        branch = self.path[-1]
        record, played = branch.record, branch.offset + len(branch.record.moves)
        if not played:          # its number may be any
            return 0
        before = square_index(branch.previous[2:4]) if branch.previous else -1
        return play_kif(branch.position, lines, number, self.first_number + played, before, record.moves, record.times,
                        record.comments, self.comments.longer(record))

    def moves_in(self, line: str) -> Sequence[_Line]:
        number = _NUMBER.match(line)
        if not number:
            return []
        rest = line[number.end():]
        match = _MOVE.match(rest) or RELATIVE_MOVE.match(rest)
        if not (match or number["blank"]):          # a header such as 10秒将棋：可
            return []
        return [_Line(number["number"], match and match[0], rest[match.end():] if match else rest)]

    def ending_in(self, move: _Line) -> str:
        return move.rest

    def play(self, move: _Line) -> None:
        number = whole_number(move.number)
        if number % 2 == 0 and not self.record.moves and self.picture and len(self.path) <= 1:
            self.path.clear()
            self.begin(number)
        branch = self.branch()
        record, rest = branch.record, move.rest
        ply = len(record.moves) + 1
        if self._sealed and self._sealed[0] is branch:
            # The sealed move was opened. Some programs count the sealing as a move, some do not.
            self.first_number += number > self._sealed[1]
            record.terminal = self._sealed = None
            record.times.pop(ply, None)
        if record.terminal:
            raise UserError("{text!r} comes after the end of the game", text=move.move or rest)
        if branch.offset == 0 and ply == 1 and len(self.path) == 1:
            self.first_number = number
        if number != self.first_number + branch.offset + ply - 1:
            raise UserError("this is move {number}, not {other}", number=self.first_number + branch.offset + ply - 1,
                            other=number)
        if move.move is None:
            words = _END_WORDS.match(rest)[0]           # type: ignore[index]  # it may be empty
            self._end(branch, words.strip(), number)
            rest = rest[len(words):]
        else:
            if not (_APART.match(rest) or TIME.match(rest)):
                raise UserError(_NO_MOVE, text=move.move + rest)
            read = kif_to_usi if _MOVE.fullmatch(move.move) else relative_to_usi
            branch.play(read(branch.position, move.move, branch.previous))
        if spent := self.remark_and_time(record, ply, rest.rstrip("+ \u3000")):
            record.times[ply] = spent_seconds(spent)

    def _end(self, branch: ReadBranch, words: str, number: int) -> None:
        terminal = end_of(words, branch.position)
        if not terminal and words.endswith(_TOLD):
            terminal = told_end(words, branch.position)
        if not terminal:
            raise UserError(_NO_MOVE, text=words)
        branch.record.terminal = terminal
        self._sealed = (branch, number) if words == SEALED else None


# -- Writing -----------------------------------------------------------------------------------------------------------

def format_kif(record: GameRecord) -> str:
    """Write a game, with its variations, as KIF, to be saved in cp932 as .kif or in UTF-8 as .kifu.

    NAGs, fractions of a second and the move number of the set-up are dropped: KIF has no place for them. Raises
    UserError if a move is not legal.
    """
    sides = side_names(handicap_of(record))
    lines = heading(record, _Reader)
    for span in spans(record):
        lines += variation_heading(span) if span.is_variation else [MOVES_BEGIN + "---指手---------消費時間--"]
        lines += _moves(span)
        if span.record.terminal and not span.is_variation:
            lines.append(closing(span, sides))
    return "".join(line + "\n" for line in lines)


def _moves(span: Span) -> list[str]:
    record = span.record
    position = Position(record.initial_sfen)
    lines, spent, previous = beside(record, 0), list(span.spent), span.before
    for ply, usi in enumerate(record.moves, 1):
        move = usi_to_kif(position, usi, previous)
        lines += [_numbered(span, ply, move, spent), *beside(record, ply)]
        position.push(usi)
        previous = usi
    if record.terminal:
        ply = len(record.moves) + 1
        lines += [_numbered(span, ply, last_words(record), spent), *beside(record, ply)]
    return lines


def _numbered(span: Span, ply: int, move: str, spent: list[int]) -> str:
    """A line of the list of moves, with + where variations replace the move; `spent` sums up each side's seconds."""
    times, number = span.record.times, span.offset + ply
    line, is_varied = f"{number:4} {move}", ply in span.record.variations
    if ply in times or is_varied:       # in cp932 a wide letter is two bytes, as it is two columns
        line += " " * (13 - len(move.encode("cp932")))
    if ply in times:
        seconds = int(seconds_spent(span.record, ply))
        spent[number % 2] += seconds
        total = spent[number % 2]
        line += (f"({seconds // 60:2}:{seconds % 60:02}/"
                 f"{total // 3600:02}:{total // 60 % 60:02}:{total % 60:02})")
    return line + "+" * is_varied
