"""What KIF and KI2, the formats of Kakinoki Shogi, share: headers, set-up, comments, variations, how a game ended.

Source: 柿木 義一, KIF 形式, http://kakinoki.o.oo7.jp/kif_format.html
"""
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.board import Position
from engine.notation.handicaps import EVEN, HANDICAP_NAMES, HANDICAPS, OTHER
from engine.notation.record import (
    HEADER_PLY,
    OFFENCES,
    IllegalMove,
    Record,
    require_single_line,
    take_lines,
    whole_number,
)
from engine.text.japanese import HANDICAP_SIDE_NAMES, SIDE_NAMES
from engine.text.picture import draw_set_up, is_picture_line, parse_picture, turn_line
from engine.text.sfen import format_sfen

_HEADERS = {                                # CSA's names for what both formats have
    "棋戦": "EVENT",
    "場所": "SITE",
    "開始日時": "START_TIME",
    "終了日時": "END_TIME",
    "持ち時間": "TIME_LIMIT",
    "戦型": "OPENING",
}
_KEYS = {name: key for key, name in _HEADERS.items()}
_HANDICAP = "手合割"
TERMINALS = {
    "投了": "TORYO",
    "中断": "CHUDAN",
    "千日手": "SENNICHITE",
    "持将棋": "JISHOGI",
    "引き分け": "HIKIWAKE",
    "最大手数": "MAX_MOVES",
    "詰み": "TSUMI",
    "不詰": "FUZUMI",
    "切れ負け": "TIME_UP",
    "反則負け": "ILLEGAL_MOVE",
    "入玉勝ち": "KACHI",
    "不戦勝": "WIN_BY_DEFAULT",
    "不戦敗": "LOSS_BY_DEFAULT",
    "MATTA": "MATTA",                       # KIF has no words for the last two; other writers take CSA's
    "ERROR": "ERROR",
}
# 引き分け, which other readers do not know, is CSA's for a game drawn by entering kings: 持将棋.
_WORDS = {name: words for words, name in TERMINALS.items()} | {"HIKIWAKE": "持将棋"}
# What other programs write, too. A move that was sealed may follow its word, or the game was broken off there.
SEALED = "封じ手"
_ENDS = TERMINALS | {
    "詰": "TSUMI", "時間切れ": "TIME_UP", "反則手": "ILLEGAL_MOVE", "宣言勝ち": "KACHI", "引分": "HIKIWAKE",
    "引分け": "HIKIWAKE", "待った": "MATTA", "指し掛け": "CHUDAN", SEALED: "CHUDAN",
}
_CLOSINGS = _ENDS | {"の勝ち": "TORYO"}
_OFFENCE = re.compile(r"([先下後上])手の反則([勝負])")
WON_BY_OFFENCE = "反則勝ち"                 # the side to move wins: the other has broken a rule
_BY_SIDE = re.compile(rf"([先下後上])手\s*({WON_BY_OFFENCE}|\S+)")

_HEADER = re.compile(r"([^：:\s][^：:]*)[：:](.*)")
_VARIATION = re.compile(r"変化[：:]\s*([0-9]+)\s*手.*")
MOVES_BEGIN = "手数----"
_SUMMARY = "まで"
DEEPEST = 100       # variations of variations of … that are read

Words = TypeVar("Words")    # how a format writes a move


# -- Headers -----------------------------------------------------------------------------------------------------------

def note_header(record: Record, key: str, value: str) -> None:
    """Take a header other than the handicap into a record."""
    black, white = record.names
    if key in ("先手", "下手"):
        record.names = (value, white)
    elif key in ("後手", "上手"):
        record.names = (black, value)
    else:
        record.headers[_HEADERS.get(key, key)] = value


def headers_of(record: Record) -> list[tuple[str, str]]:
    """The headers as they are called in these formats, the handicap's in its place before the names."""
    handicap = handicap_of(record)
    sides = side_names(handicap)
    return [
        *((_KEYS.get(name, name), value) for name, value in record.headers.items()),
        (_HANDICAP, handicap),
        *((side, name) for side, name in zip(sides, record.names, strict=True) if name),
    ]


def handicap_of(record: Record) -> str:
    """The name of a record's set-up; その他 for one that has none.

    Not all programs know three, five or seven pieces, ShogiHome for one: those count as having none.
    """
    name = HANDICAP_NAMES.get(format_sfen(Position(record.initial_sfen).placement._replace(ply=1)), OTHER)
    return OTHER if re.search("[三五七]枚", name) else name


def side_names(handicap: str) -> tuple[str, str]:
    return SIDE_NAMES if handicap in (EVEN, OTHER) else HANDICAP_SIDE_NAMES


# -- Reading -----------------------------------------------------------------------------------------------------------

@dataclass
class Branch:
    """The game, or a variation, as far as it has been read."""

    record: Record
    position: Position          # after its last move
    offset: int                 # plies of the game before it
    before: str | None          # the move before its first

    @property
    def previous(self) -> str | None:
        return self.record.moves[-1] if self.record.moves else self.before

    def play(self, usi: str) -> None:
        self.position.push(usi)
        self.record.moves.append(usi)


class Reader(ABC, Generic[Words]):
    """A game as far as it has been read. How moves are written is for the format to say, and what it has of each."""

    def __init__(self) -> None:
        self.record = Record()
        self.path: list[Branch] = []        # the game and the variations that led to where we are; empty before moves
        self.handicap = EVEN
        self.picture: list[str] = []
        self.first_number = 1               # a record from the middle of a game may count on from there
        # Whether a move of the branch could not be read, so that what follows it there has no position; and whether it
        # is an illegal one, which nothing has followed yet.
        self.is_broken = self.is_illegal = False

    @abstractmethod
    def moves_in(self, line: str) -> Sequence[Words]:
        """The moves of a line, or how the game ended; none if it is another kind of line."""

    @abstractmethod
    def play(self, move: Words) -> None:
        """Take one of them; ValueError if that cannot be."""

    @abstractmethod
    def ending_in(self, move: Words) -> str:
        """Its words, as `end_of` takes them."""

    def read(self, text: str, strict: bool) -> Record:
        """The game of a file. If `strict`, whatever is not understood raises; if not, it is left out, with all that
        follows a move in its branch, and noted in the record's `faults`."""
        take_lines(text, self._take, None if strict else self.record.faults.append)
        if not self.path:
            self.begin()
        return self.record

    def branch(self) -> Branch:
        """Where the next move goes. Some writers leave out the line above the moves."""
        if not self.path:
            self.begin()
        return self.path[-1]

    def begin(self, turn: int | None = None) -> None:
        """Set up the board; `turn` is the side to move, where the picture does not say it."""
        if self.path:
            raise ValueError("the moves begin a second time")
        if self.picture:
            placement = parse_picture(self.picture)
            sfen = format_sfen(placement if turn is None else placement._replace(turn=turn))
        elif require_handicap(self.handicap) == OTHER:
            raise ValueError(f"the handicap is {self.handicap}, but no board picture shows the set-up")
        else:
            sfen = HANDICAPS[self.handicap]
        position = Position(sfen)
        self.record.initial_sfen = position.sfen
        self.path = [Branch(self.record, position, 0, None)]

    def _take(self, line: str) -> None:
        if line.startswith(("*", "#", "&")):        # & marks a bookmark
            if self.is_broken:
                return
            if line[0] == "*":
                self._here.add_comment(self._ply, line[1:])
            else:
                self._here.add_remark(self._ply if self.path else HEADER_PLY, line)
            return
        line = line.rstrip()
        if not line:
            return
        if line.startswith(MOVES_BEGIN):
            self.begin()
        elif match := _VARIATION.fullmatch(line):
            self._vary(whole_number(match[1]) - self.first_number + 1)
        elif line.startswith(_SUMMARY):
            self._summarize(line)
        elif moves := self.moves_in(line):
            self._play(moves)
        else:
            self._take_header(line)

    def _play(self, moves: Sequence[Words]) -> None:
        for move in moves:
            if self.is_broken:
                self._end_by_offence(self.ending_in(move))
                return
            try:
                self.play(move)
            except ValueError as fault:
                self.is_broken, self.is_illegal = True, isinstance(fault, IllegalMove)
                self._drop_empty()
                raise

    def _drop_empty(self) -> None:
        """Forget a variation whose first move could not be read."""
        if len(self.path) > 1 and not self.path[-1].record.moves:
            parent, branch = self.path[-2:]
            ply = branch.offset - parent.offset + 1
            parent.record.variations[ply].remove(branch.record)
            if not parent.record.variations[ply]:
                del parent.record.variations[ply]

    def _end_by_offence(self, words: str) -> None:
        """A game may end with an illegal move, if the words behind it say so."""
        if self.is_illegal and "反則" in words:
            self.path[-1].record.terminal = "ILLEGAL_MOVE"
        self.is_illegal = False

    @property
    def _here(self) -> Record:
        return self.path[-1].record if self.path else self.record

    @property
    def _ply(self) -> int:
        """The ply of the line read last, in the branch that it belongs to."""
        return len(self._here.moves) + (self._here.terminal is not None)

    def _take_header(self, line: str) -> None:
        if self.path:
            raise ValueError("this is no move, comment or end of a game")
        if is_picture_line(line):
            self.picture.append(line)
        elif match := _HEADER.fullmatch(line):
            key, value = match[1], match[2].strip()
            if key == _HANDICAP:
                self.handicap = value
            else:
                note_header(self.record, key, value)
        else:
            raise ValueError("this is no header of a game, which is written KEY：VALUE")

    def _vary(self, ply: int) -> None:
        """Begin a variation in place of a ply of the game, in the nearest branch that has the ply before."""
        self.branch()
        path = self.path
        self.is_broken, self.is_illegal = True, False       # until the branch is found
        while len(path) > 1 and not path[-1].offset + 1 < ply <= path[-1].offset + len(path[-1].record.moves) + 1:
            path.pop()
        own_ply = ply - path[-1].offset
        if not 1 <= own_ply <= len(path[-1].record.moves) + 1:
            raise ValueError(f"there is no move {ply + self.first_number - 1} that this could be a variation of")
        if len(path) > DEEPEST:
            raise ValueError(f"there are more than {DEEPEST} variations within one another")
        parent = path[-1].record
        position = parent.position(own_ply - 1)
        variation = Record(position.sfen)
        parent.variations.setdefault(own_ply, []).append(variation)
        before = parent.moves[own_ply - 2] if own_ply > 1 else path[-1].before
        path.append(Branch(variation, position, ply - 1, before))
        self.is_broken = False

    def _summarize(self, line: str) -> None:
        """Take the end of the game from the closing line, まで…, where no numbered line had it."""
        record = self.branch().record
        if self.is_broken:
            self._end_by_offence(line)
        if record.terminal or self.is_broken:
            return
        if offence := _OFFENCE.search(line):
            loser = (offence[1] in "後上") ^ (offence[2] == "勝")
            record.terminal = OFFENCES[loser]
        else:
            record.terminal = next((name for words, name in _CLOSINGS.items() if words in line), None)
        if not record.terminal:
            record.add_remark(self._ply, line)


def end_of(words: str, turn: int) -> str | None:
    """How a game ended, by the words that stand in a move's place, with or without the side that they are about; None
    if they are no such words.

    >>> end_of("投了", 0), end_of("先手 反則負け", 1), end_of("７六歩(77)", 0)
    ('TORYO', '+ILLEGAL_ACTION', None)
    """
    if match := _BY_SIDE.fullmatch(words):
        side, words = int(match[1] in "後上"), match[2]
        if words.startswith("反則") and side != turn:
            return "ILLEGAL_MOVE" if words == WON_BY_OFFENCE else OFFENCES[side]
        if side != turn:
            return None
    return OFFENCES[1 - turn] if words == WON_BY_OFFENCE else _ENDS.get(words)


def require_handicap(name: str) -> str:
    """The name itself; ValueError if it stands for no set-up."""
    if name != OTHER and name not in HANDICAPS:
        raise ValueError(f"{name!r} is no handicap; those known are {', '.join(HANDICAPS)} and {OTHER}")
    return name


# -- Writing -----------------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Span:
    """The game, or a variation, as it is written."""

    record: Record
    offset: int                 # plies of the game before it
    before: str | None          # the move before its first
    spent: tuple[int, int] = (0, 0)     # whole seconds before it, by the parity of plies
    is_variation: bool = True


def heading(record: Record) -> list[str]:
    """The lines above the moves."""
    lines = []
    for key, value in headers_of(record):
        lines.append(require_single_line(f"{key}：{value}"))
        if (key, value) == (_HANDICAP, OTHER):
            position = Position(record.initial_sfen)
            lines += [*draw_set_up(position.placement), turn_line(position.turn)]
    return [*record.remarks.get(HEADER_PLY, []), *lines]


def spans(record: Record) -> Iterator[Span]:
    """The game and its variations in the order of the file: the later a variation sets in, the earlier it comes, and
    each is followed by its own."""
    waiting = [Span(record, 0, None, is_variation=False)]
    while waiting:
        span = waiting.pop()
        yield span
        for ply, variations in sorted(span.record.variations.items()):
            before = span.record.moves[ply - 2] if ply > 1 else span.before
            spent = tuple(seconds + sum(int(time) for at, time in span.record.times.items()
                                        if at < ply and (span.offset + at) % 2 == parity)
                          for parity, seconds in enumerate(span.spent))
            waiting += [Span(variation, span.offset + ply - 1, before, (spent[0], spent[1]))
                        for variation in reversed(variations)]


def variation_heading(span: Span) -> list[str]:
    return ["", f"変化：{span.offset + 1}手"]


def last_words(record: Record) -> str:
    """How a game that has ended did so."""
    if record.terminal in OFFENCES:
        return "反則負け" if OFFENCES.index(record.terminal) == record.turn else WON_BY_OFFENCE
    if record.terminal not in _WORDS:
        raise ValueError(f"{record.terminal!r} is no way to end a game")
    return _WORDS[record.terminal]


def closing(span: Span, sides: tuple[str, str]) -> str:
    """The line below the moves of a game that has ended."""
    record = span.record
    count = f"まで{span.offset + len(record.moves)}手で"
    if record.winner is None:
        return count + last_words(record)
    winner = f"{sides[record.winner]}の"
    if record.terminal in (*OFFENCES, "ILLEGAL_MOVE"):
        return f"{count}{winner}反則勝ち"
    if record.terminal == "KACHI":
        return f"{count}{winner}入玉勝ち"
    return f"{count}{'時間切れにより' if record.terminal == 'TIME_UP' else ''}{winner}勝ち"


def beside(record: Record, ply: int) -> list[str]:
    """The lines of comments, and what else stands behind a move."""
    comment = record.comments.get(ply)
    return [*([] if comment is None else (f"*{line}" for line in comment.split("\n"))), *record.remarks.get(ply, [])]
