"""The common part of KIF and KI2, the formats of Kakinoki Shogi: headers, set-up, comments, variations, how a game
ended.

Source: 柿木 義一, KIF 形式, http://kakinoki.o.oo7.jp/kif_format.html
"""
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine.board import Position
from engine.errors import Listed, UserError
from engine.records.ends import end_of, last_words, told_end
from engine.records.handicaps import EVEN, HANDICAP_NAMES, HANDICAPS, OTHER
from engine.records.japanese import HANDICAP_SIDE_NAMES, SIDE_NAMES
from engine.records.picture import (
    draw_set_up,
    has_turn_line,
    is_board_line,
    is_hand_line,
    is_picture_line,
    parse_picture,
    turn_line,
)
from engine.records.record import (
    HEADER_PLY,
    OFFENCES,
    Comments,
    GameRecord,
    IllegalMove,
    LesserFault,
    lines_of,
    seconds_spent,
    single_line,
    take_lines,
    whole_number,
)
from engine.records.timecontrol import parse_time_control
from engine.sfen import format_sfen, parse_sfen

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
_HEADER = re.compile(r"([^：:\s][^：:]*)[：:](.*)")
_VARIATION = re.compile(r"変化\s*[：:]\s*([0-9０-９]+)\s*手.*")
MOVES_BEGIN = "手数-"         # and any more of them
SUMMARY = "まで"
_CLOSING_COMMENT = re.compile(r"\*.+にて終局\s*")
_TURNED = "盤面回転"        # for a program that shows the board: White is at its bottom
# The lines to write among those that only their own format knows.
_REMARK = re.compile(rf"(?:[#&]|{SUMMARY}|{_TURNED}).*")
# Headers that only a game has, and no other text.
_BLACK_NAMES, _WHITE_NAMES = ("先手", "下手"), ("後手", "上手")
_SIGNS = frozenset((_HANDICAP, *_BLACK_NAMES, *_WHITE_NAMES, "開始日時"))
_MARKS = "▲△☗☖▼▽⛊⛉"
_KANJI_DIGITS = dict(zip("2345678１２３４５６７８", "二三四五六七八一二三四五六七八", strict=True))
TIME = re.compile(r"\s*[(（](?P<time>[^()（）]*)[)）]")         # behind a move
_CLOCK = re.compile(r"(?:(?:([0-9]+):)?([0-9]+):)?([0-9]+)(\.[0-9]*)?", re.ASCII)
_JAPANESE_CLOCK = re.compile(r"(?:([0-9]+)時間)?(?:([0-9]+)分)?(?:([0-9]+)(\.[0-9]*)?秒)?", re.ASCII)
_PUNCTUATION = " \t\u3000、,，。．!！"
DEEPEST = 100       # depth of nested variations that are read

Words = TypeVar("Words")    # how a format writes a move


# -- Headers -----------------------------------------------------------------------------------------------------------

def note_header(record: GameRecord, key: str, value: str) -> None:
    """Store a header other than the handicap in a record."""
    black, white = record.names
    if key in _BLACK_NAMES:
        record.names = (value, white)
    elif key in _WHITE_NAMES:
        record.names = (black, value)
    else:
        name = _HEADERS.get(key, key)
        if name == "TIME_LIMIT" and (control := parse_time_control(value)) and control.words() == value:
            value = control.csa()       # as other formats have it
        record.headers[name] = value


def headers_of(record: GameRecord) -> list[tuple[str, str]]:
    """The headers under their names in these formats, with the handicap before the players."""
    handicap = handicap_of(record)
    sides = side_names(handicap)
    control = parse_time_control(record.headers.get("TIME_LIMIT", ""))
    words = {"TIME_LIMIT": control.words()} if control else {}
    return [
        *((_KEYS.get(name, name), words.get(name, value)) for name, value in record.headers.items()
          if name != _HANDICAP),
        (_HANDICAP, handicap),
        *((side, name) for side, name in zip(sides, record.names, strict=True) if name),
    ]


def handicap_of(record: GameRecord) -> str:
    """The name of a record's set-up; その他 for one that has none. Three, five or seven pieces and the dragonfly count
    as having none, because some programs, such as ShogiHome, do not know their names."""
    name = HANDICAP_NAMES.get(format_sfen(Position(record.initial_sfen).placement._replace(move_number=1)), OTHER)
    return OTHER if re.search("[三五七]枚|トンボ", name) else name


def side_names(handicap: str) -> tuple[str, str]:
    return SIDE_NAMES if handicap in (EVEN, OTHER) else HANDICAP_SIDE_NAMES


# -- Reading -----------------------------------------------------------------------------------------------------------

@dataclass
class ReadBranch:
    """A line that is being read: the game, or a variation."""

    record: GameRecord
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
    """A reader of a game. Subclasses know how their format writes moves."""

    def __init__(self) -> None:
        self.record = GameRecord()
        self.is_recognized = False          # whether anything was read that only a record has
        self.comments = Comments()
        self.path: list[ReadBranch] = []    # the game and the variations around us; empty before the first move
        self.handicap: str | None = None
        self.names_handicap_sides = False   # the players are called 上手, who begins, and 下手
        self.picture: list[str] = []
        self.first_number = 1               # a record from the middle of a game may count on from there
        # is_broken: a move of the branch could not be read, so later moves there have no position. is_illegal: it was
        # an illegal move, and nothing follows yet.
        self.is_broken = self.is_illegal = False

    @abstractmethod
    def moves_in(self, line: str) -> Sequence[Words]:
        """The moves of a line, or how the game ended; none if it is another kind of line."""

    @abstractmethod
    def play(self, move: Words) -> None:
        """Play one of the moves. Raises UserError if it cannot be played."""

    def run(self, lines: list[str], number: int) -> int:
        """Read several lines from this one on at once. Returns their number, 0 if the line has to be read alone."""
        return 0

    @abstractmethod
    def ending_in(self, move: Words) -> str:
        """The words that may say that an unreadable move ended the game."""

    def read(self, text: str, strict: bool) -> GameRecord:
        """The game of a file. If `strict`, every fault raises; see `engine.records.files.find_records`."""
        take_lines(text, self._take, None if strict else self.record.faults.append, self.run)
        self.comments.close()
        if not self.is_recognized:
            raise (self.record.faults or [UserError("there is no move, no set-up and no player's name in it")])[0]
        if not self.path:
            self.begin()
        self._take_closing_comment()
        return self.record

    def _take_closing_comment(self) -> None:
        """Read the end of the game from the last comment, where 81Dojo writes it."""
        record = self.record
        words = record.comments.get(len(record.moves), "").split("\n")[-1]
        if not record.terminal and not record.faults and _CLOSING_COMMENT.fullmatch(f"*{words}"):
            # The illegal move is the move before this one.
            record.terminal = OFFENCES[1 - record.turn] if "反則" in words else told_end(words, record.position())

    def branch(self) -> ReadBranch:
        """The line to which the next move belongs. Some writers leave out the header above the moves."""
        if not self.path:
            self.begin()
        return self.path[-1]

    def begin(self, number: int = 1) -> None:
        """Set up the board for a move with this number. The number tells whose turn it is if the board picture does
        not."""
        if self.path:
            raise UserError("the moves begin a second time")
        self.is_recognized = True
        has_board = any(map(is_board_line, self.picture))
        handicap = self.handicap or EVEN
        for line in self.picture:
            # Without a board, the line of the side to move is a header, and empty hands say nothing.
            if not has_board and not is_hand_line(line) and (match := _HEADER.fullmatch(line)):
                note_header(self.record, match[1].strip(), match[2].strip())
        if has_board:
            placement = parse_picture(self.picture)
            if not has_turn_line(self.picture):
                known = self.handicap and HANDICAPS.get(self.handicap)
                first = parse_sfen(known).turn if known else int(self.names_handicap_sides)
                placement = placement._replace(turn=(first + number - 1) % 2)
            sfen = format_sfen(placement)
        elif require_handicap(handicap) == OTHER:
            raise UserError("the handicap is {name}, but no board picture shows the set-up", name=handicap)
        else:
            sfen = HANDICAPS[handicap]
        position = Position(sfen)
        self.record.initial_sfen = position.sfen
        self.path = [ReadBranch(self.record, position, 0, None)]

    def _take(self, line: str) -> None:
        remark = line.lstrip()
        if remark.startswith(("*", "#", "&")):      # & marks a bookmark
            if self.is_broken:
                if _CLOSING_COMMENT.fullmatch(remark):
                    self._end_by_offence(remark)
                return
            if remark[0] == "*":
                self.comments.add(self._here, self._ply, remark[1:])
            else:
                self._remark(remark)
            return
        line = remark.rstrip()
        if not line:
            return
        if line.startswith(MOVES_BEGIN):
            self.begin()
        elif (match := _VARIATION.fullmatch(line)) and self.path:       # above the moves it is a header like others
            self._vary(whole_number(match[1]) - self.first_number + 1)
        elif line.startswith(SUMMARY):
            self.summarize(line)
        elif line.startswith(_TURNED):
            self._remark(line)
        elif not self.path and is_picture_line(bare := line.partition("#")[0].rstrip()):
            self.picture.append(bare)
            self.names_handicap_sides |= bare.startswith(HANDICAP_SIDE_NAMES)
            self.is_recognized |= is_board_line(bare)
        elif moves := self.moves_in(line):
            self._play(moves)
        else:
            self._take_header(line)

    def _remark(self, line: str) -> None:
        self._here.add_remark(self._ply if self.path else HEADER_PLY, line)

    def _play(self, moves: Sequence[Words]) -> None:
        for move in moves:
            if self.is_broken:
                self._end_by_offence(self.ending_in(move))
                return
            try:
                self.play(move)
            except LesserFault:
                raise
            except UserError as fault:
                self.is_broken, self.is_illegal = True, isinstance(fault, IllegalMove)
                self._drop_empty()
                raise

    def _drop_empty(self) -> None:
        """Drop a variation whose first move could not be read."""
        if len(self.path) > 1 and not self.path[-1].record.moves:
            parent, branch = self.path[-2:]
            ply = branch.offset - parent.offset + 1
            del parent.record.variations[ply][-1]
            if not parent.record.variations[ply]:
                del parent.record.variations[ply]

    def _end_by_offence(self, words: str) -> None:
        """End the game by an illegal move, if the words behind the move say so."""
        if self.is_illegal and "反則" in words:
            self.path[-1].record.terminal = "ILLEGAL_MOVE"
        self.is_illegal = False

    def remark_and_time(self, record: GameRecord, ply: int, rest: str) -> str:
        """Read the comment and the time behind a move. Returns the time as it is written."""
        time = TIME.match(rest)
        if time and not any(map(str.isdigit, time["time"])):
            time = None
        remark = (rest[time.end():] if time else rest).strip(_PUNCTUATION)
        if not time and ":" in remark and _CLOCK.fullmatch(remark.partition("/")[0].strip()):
            return remark
        if remark.startswith(("(", "（")) and remark[-1] not in ")）":
            raise LesserFault("{text!r} is no time spent on a move; write it as (0:12)", text=remark)
        if remark:
            self.take_remark(record, ply, remark)
        return time["time"] if time else ""

    def take_remark(self, record: GameRecord, ply: int, remark: str) -> None:
        """Read a remark behind a move."""
        self.comments.add(record, ply, remark)

    def is_header(self, line: str, key: str, value: str) -> bool:
        """Whether the line, as the first one read, would be taken as a header with this key and value, apart from
        blanks at the ends."""
        expected = GameRecord()
        note_header(expected, key, value.strip())
        with suppress(UserError):
            self._take(line)
        return (not self.path and not self.picture and self.handicap is None and self.record == expected
                and set(key).isdisjoint(_MARKS))        # with them, it might look like a row of moves

    @property
    def _here(self) -> GameRecord:
        return self.path[-1].record if self.path else self.record

    @property
    def _ply(self) -> int:
        """The ply of the line read last, in the branch that it belongs to."""
        return len(self._here.moves) + (self._here.terminal is not None)

    def _take_header(self, line: str) -> None:
        if self.path:
            if not self.is_broken and not self._here.terminal and (end := end_of(line, self.path[-1].position)):
                self._here.terminal = end
                return
            raise LesserFault("this is no move, comment or end of a game")
        if match := _HEADER.fullmatch(line):
            key, value = match[1].strip(), match[2].strip()
            if (name := key.strip(_MARKS)) in (*_BLACK_NAMES, *_WHITE_NAMES):
                key = name
            self.is_recognized |= key in _SIGNS
            self.names_handicap_sides |= key in HANDICAP_SIDE_NAMES
            if key == _HANDICAP:
                self.handicap = _handicap(value.partition("#")[0].strip())
            else:
                note_header(self.record, key, value)
        else:
            raise LesserFault("this is no header of a game, which is written KEY：VALUE")

    def _vary(self, ply: int) -> None:
        """Begin a variation in place of a ply of the game, in the nearest branch that has the ply before."""
        self.branch()
        path = self.path
        self.is_broken, self.is_illegal = True, False       # until the branch is found
        while len(path) > 1 and not path[-1].offset + 1 < ply <= path[-1].offset + len(path[-1].record.moves) + 1:
            path.pop()
        own_ply = ply - path[-1].offset
        if not 1 <= own_ply <= len(path[-1].record.moves) + 1:
            raise UserError("there is no move {number} that this could be a variation of",
                            number=ply + self.first_number - 1)
        if len(path) > DEEPEST:
            raise UserError("there are more than {most} variations within one another", most=DEEPEST)
        parent = path[-1].record
        position = parent.position(own_ply - 1)
        variation = GameRecord(position.sfen)
        parent.variations.setdefault(own_ply, []).append(variation)
        before = parent.moves[own_ply - 2] if own_ply > 1 else path[-1].before
        path.append(ReadBranch(variation, position, ply - 1, before))
        self.is_broken = False

    def summarize(self, line: str) -> None:
        """Read the end of the game from the closing line, まで…, if no numbered line had it."""
        branch = self.branch()
        record = branch.record
        if self.is_broken:
            self._end_by_offence(line)
        if record.terminal or self.is_broken:
            return
        for side, name in zip(SIDE_NAMES, self.record.names, strict=True):
            line = line.replace(f"{name}の勝ち", f"{side}の勝ち") if name else line
        record.terminal = told_end(line, branch.position)
        if not record.terminal:
            record.add_remark(self._ply, line)


def _handicap(name: str) -> str:
    """The usual name of a handicap: 2枚落ち and 飛落 are other names of some."""
    plain = "".join(_KANJI_DIGITS.get(letter, letter) for letter in name.replace("10", "十"))
    plain = plain.removesuffix("ち").removesuffix("落") + "落ち"
    plain = {"飛落ち": "飛車落ち", "飛車香落ち": "飛香落ち", "左香落ち": "香落ち", "香車落ち": "香落ち",
             "角行落ち": "角落ち"}.get(plain, plain)
    return plain if name not in HANDICAPS and plain in HANDICAPS else name


def spent_seconds(text: str) -> float:
    """The seconds that a move took, by what stands in brackets behind it. Raises LesserFault if that is no time.

    >>> [spent_seconds(text) for text in (" 1:02/00:01:02", "0:01.5/0:01", "1分5秒", "/00:00:00")]
    [62.0, 1.5, 65.0, 0.0]
    """
    spent = "".join(unicodedata.normalize("NFKC", text).partition("/")[0].split())
    match = _CLOCK.fullmatch(spent) or _JAPANESE_CLOCK.fullmatch(spent)
    if not match:
        raise LesserFault("{text!r} is no time spent on a move; write it as (0:12)", text=text)
    try:
        hours, minutes, seconds = (whole_number(part or "0") for part in match.groups()[:3])
    except UserError as fault:
        raise LesserFault.of(fault) from None
    return 3600 * hours + 60 * minutes + seconds + float(f"0{match[4] or ''}")


def require_handicap(name: str) -> str:
    """The handicap's name itself. Raises UserError for an unknown name."""
    if name != OTHER and name not in HANDICAPS:
        raise UserError("{name!r} is no handicap; those known are {names} and {other}", name=name,
                        names=Listed(HANDICAPS), other=OTHER)
    return name


# -- Writing -----------------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Span:
    """A line that is being written: the game, or a variation."""

    record: GameRecord
    offset: int                 # plies of the game before it
    before: str | None          # the move before its first
    spent: tuple[int, int] = (0, 0)     # whole seconds before it, by the parity of plies
    is_variation: bool = True


def heading(record: GameRecord, reader: Callable[[], "Reader[Any]"]) -> list[str]:
    """The lines above the moves, without those that `reader` would misread."""
    lines: list[str] = []
    for key, value in headers_of(record):
        key, value = single_line(key), single_line(value)
        line = f"{key}：{value}"
        if key == _HANDICAP and any(line[0].isascii() for line in lines):
            lines.insert(0, line)       # so that no other format is seen in the first line
        elif key == _HANDICAP or reader().is_header(line, key, value):
            lines.append(line)
        if (key, value) == (_HANDICAP, OTHER):
            position = Position(record.initial_sfen)
            lines += [*draw_set_up(position.placement), turn_line(position.turn)]
    return [*_remarks(record, HEADER_PLY), *lines]


def _remarks(record: GameRecord, ply: int) -> list[str]:
    return [line for line in record.remarks.get(ply, []) if _REMARK.fullmatch(line) and lines_of(line) == [line]]


def spans(record: GameRecord) -> Iterator[Span]:
    """The game and its variations in the order of the file: variations that begin later in the game come first, and
    each is followed by its own variations."""
    waiting = [Span(record, 0, None, is_variation=False)]
    while waiting:
        span = waiting.pop()
        yield span
        for ply, variations in sorted(span.record.variations.items()):
            before = span.record.moves[ply - 2] if ply > 1 else span.before
            spent = tuple(seconds + sum(int(seconds_spent(span.record, at)) for at in span.record.times
                                        if at < ply and (span.offset + at) % 2 == parity)
                          for parity, seconds in enumerate(span.spent))
            waiting += [Span(variation, span.offset + ply - 1, before, (spent[0], spent[1]))
                        for variation in reversed(variations)]


def variation_heading(span: Span) -> list[str]:
    return ["", f"変化：{span.offset + 1}手"]


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
    if record.terminal in ("WIN_BY_DEFAULT", "LOSS_BY_DEFAULT"):
        return f"{count}{winner}不戦勝"
    return f"{count}{'時間切れにより' if record.terminal == 'TIME_UP' else ''}{winner}勝ち"


def beside(record: GameRecord, ply: int) -> list[str]:
    """The lines of comments and remarks behind a move."""
    comment = record.comments.get(ply)
    return [*([] if comment is None else (f"*{line}" for line in lines_of(comment))), *_remarks(record, ply)]
