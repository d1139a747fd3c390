"""Records and moves in the KIF format of Kakinoki Shogi and Kifu for Windows.

Source: 柿木 義一, KIF 形式, http://kakinoki.o.oo7.jp/kif_format.html
"""

import re

from engine.board import Position
from engine.notation.japanese import FILE_DIGITS, KIND_NAMES, RANK_DIGITS, SIDE_NAMES, square_name
from engine.notation.picture import draw_set_up, is_picture_line, parse_picture, turn_line
from engine.notation.pieces import FILES, KING, LETTERS, WHITE_PIECE, square_digits, square_index, square_of_digits
from engine.notation.record import OFFENCES, Record, require_legal, require_single_line, take_lines
from engine.notation.sfen import STARTPOS_SFEN, format_sfen

# The two ranks that White, the stronger player, starts with; "left" and "right" are White's own.
_HANDICAP_RANKS = {
    "香落ち": "lnsgkgsn1/1r5b1",
    "右香落ち": "1nsgkgsnl/1r5b1",
    "角落ち": "lnsgkgsnl/1r7",
    "飛車落ち": "lnsgkgsnl/7b1",
    "飛香落ち": "lnsgkgsn1/7b1",
    "二枚落ち": "lnsgkgsnl/9",
    "三枚落ち": "lnsgkgsn1/9",
    "四枚落ち": "1nsgkgsn1/9",
    "五枚落ち": "2sgkgsn1/9",
    "左五枚落ち": "1nsgkgs2/9",
    "六枚落ち": "2sgkgs2/9",
    "左七枚落ち": "2sgkg3/9",
    "右七枚落ち": "3gkgs2/9",
    "八枚落ち": "3gkg3/9",
    "十枚落ち": "4k4/9",
}
_EVEN = "平手"
HANDICAPS = {_EVEN: STARTPOS_SFEN} | {
    name: f"{ranks}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" for name, ranks in _HANDICAP_RANKS.items()
}
# No other program that we tried reads the names of the seven-piece handicap: it is written as a picture.
_HANDICAP_NAMES = {sfen: name for name, sfen in HANDICAPS.items() if "七枚" not in name}
_OTHER = "その他"                           # a set-up that a board picture shows
_HANDICAP_SIDE_NAMES = ("下手", "上手")

_HEADERS = {                                # CSA's names for what both formats have
    "棋戦": "EVENT",
    "場所": "SITE",
    "開始日時": "START_TIME",
    "終了日時": "END_TIME",
    "持ち時間": "TIME_LIMIT",
    "戦型": "OPENING",
}
_KEYS = {name: key for key, name in _HEADERS.items()}
_TERMINALS = {
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
_WORDS = {name: words for words, name in _TERMINALS.items()} | {"HIKIWAKE": "持将棋"}
_CLOSINGS = _TERMINALS | {"時間切れ": "TIME_UP", "の勝ち": "TORYO"}
_OFFENCE = re.compile(r"([先下後上])手の反則([勝負])")
_WON_BY_OFFENCE = "反則勝ち"                # the side to move wins: the other has broken a rule

_SAME = "同　"
_MOVE_NAMES = (*KIND_NAMES[:10], "成香", "成桂", "成銀", *KIND_NAMES[13:])          # by kind, as moves have them
_KINDS = {name: kind for names in (KIND_NAMES, _MOVE_NAMES) for kind, name in enumerate(names) if kind}
_KINDS |= {"王": KING, "竜": _KINDS["龍"]}
_MOVE = re.compile(
    rf"[▲△☗☖]?(?:(?P<same>同)\s*|(?P<file>[1-9{FILE_DIGITS}])(?P<rank>[1-9{FILE_DIGITS}{RANK_DIGITS}]))"
    rf"(?P<piece>{'|'.join(sorted(_KINDS, key=len, reverse=True))})"
    r"(?P<promotion>成|不成)?(?:打|\((?P<origin>[1-9]{2})\))"
)
_DIGITS = str.maketrans(FILE_DIGITS + RANK_DIGITS, 2 * FILES)
_LINE = re.compile(r"\s*(?P<number>[0-9]+)\s+(?P<move>.*?)\s*(?:\(\s*(?P<time>[0-9]+(?::[0-9]+)+)(?:/[^)]*)?\)\s*)?\+?")
_HEADER = re.compile(r"([^：:\s][^：:]*)[：:](.*)")
_MOVES_BEGIN = "手数----"
_SUMMARY = "まで"
_VARIATION = "変化"


# -- Moves -------------------------------------------------------------------------------------------------------------

def usi_to_kif(position: Position, usi: str, previous: str | None = None) -> str:
    """A legal move in KIF; 同 stands for the square if `previous`, in USI, went there. ValueError if it is not legal.

    >>> usi_to_kif(Position(), "7g7f")
    '７六歩(77)'
    """
    require_legal(position, usi, usi)
    target = usi[2:4]
    place = _SAME if previous and previous[2:4] == target else square_name(square_index(target))
    if usi[1] == "*":
        return f"{place}{_MOVE_NAMES[LETTERS.index(usi[0])]}打"
    kind = position.piece_at(usi[:2]) % WHITE_PIECE
    return f"{place}{_MOVE_NAMES[kind]}{'成' if usi.endswith('+') else ''}({square_digits(usi[:2])})"


def kif_to_usi(position: Position, text: str, previous: str | None = None) -> str:
    """A KIF move in USI; `previous`, in USI, is where 同 points to. ValueError if it is malformed or not legal.

    >>> kif_to_usi(Position(), "７六歩(77)")
    '7g7f'
    """
    match = _MOVE.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no KIF move; write it as ７六歩(77), 同　銀成(31) or ５五角打")
    if not match["same"]:
        target = square_of_digits((match["file"] + match["rank"]).translate(_DIGITS))
    elif previous:
        target = previous[2:4]
    else:
        raise ValueError(f"{text!r}: no move came before that 同 could point to")
    kind, origin = _KINDS[match["piece"]], match["origin"]
    if origin is None:
        if kind >= KING or match["promotion"]:
            raise ValueError(f"{text!r} drops what no hand can hold")
        usi = f"{LETTERS[kind]}*{target}"
    else:
        moved = position.piece_at(square_of_digits(origin)) % WHITE_PIECE
        if kind != moved:
            raise ValueError(f"{text!r} moves {match['piece']}, but {_MOVE_NAMES[moved]} stands on {origin}")
        usi = square_of_digits(origin) + target + ("+" if match["promotion"] == "成" else "")
    require_legal(position, usi, text)
    return usi


# -- Reading -----------------------------------------------------------------------------------------------------------

def parse_kif(text: str) -> Record:
    """Read the game of a KIF file; variations (変化) are left out.

    A board picture, where there is one, goes before the handicap. ValueError, with the line and its number, for what
    KIF does not know, an impossible position and an illegal move.
    """
    reader = _Reader()
    take_lines(text, lambda line: reader.take(line.rstrip()))
    if not reader.position:
        reader.begin()
    return reader.record


class _Reader:
    """A game as far as it has been read. `position` is None before the moves begin."""

    def __init__(self) -> None:
        self.record = Record()
        self.position: Position | None = None
        self.handicap = _EVEN
        self.picture: list[str] = []
        self.in_variations = False
        self.first_number: int | None = None        # a record from the middle of a game may count on from there

    def take(self, line: str) -> None:
        self.in_variations |= line.startswith(_VARIATION)
        if self.in_variations or not line or line[0] in "#&":       # & marks a bookmark
            return
        if line.startswith("*"):
            ply = len(self.record.moves) + (self.record.terminal is not None)
            self.record.add_comment(ply, line[1:])
        elif line.startswith(_MOVES_BEGIN):
            self.begin()
        elif line.startswith(_SUMMARY):
            self.summarize(line)
        elif match := _LINE.fullmatch(line):
            self.play(int(match["number"]), match["move"], match["time"])
        elif self.position:
            raise ValueError("this is no move, comment or end of a KIF game")
        elif is_picture_line(line):
            self.picture.append(line)
        elif match := _HEADER.fullmatch(line):
            self.note(match[1], match[2].strip())
        else:
            raise ValueError("this is no header of a KIF game, which is written KEY：VALUE")

    def note(self, key: str, value: str) -> None:
        black, white = self.record.names
        if key in ("先手", "下手"):
            self.record.names = (value, white)
        elif key in ("後手", "上手"):
            self.record.names = (black, value)
        elif key == "手合割":
            if value != _OTHER and value not in HANDICAPS:
                raise ValueError(f"{value!r} is no handicap; KIF knows {', '.join(HANDICAPS)} and {_OTHER}")
            self.handicap = value
        else:
            self.record.headers[_HEADERS.get(key, key)] = value

    def begin(self) -> Position:
        if self.position:
            raise ValueError("the moves begin a second time")
        if self.picture:
            sfen = format_sfen(parse_picture(self.picture))
        elif self.handicap in HANDICAPS:
            sfen = HANDICAPS[self.handicap]
        else:
            raise ValueError(f"the handicap is {self.handicap}, but no board picture shows the set-up")
        self.position = Position(sfen)
        self.record.initial_sfen = self.position.sfen
        return self.position

    def play(self, number: int, move: str, time: str | None) -> None:
        # Some writers leave out the line above the moves.
        position = self.position or self.begin()
        record = self.record
        ply = len(record.moves) + 1
        if record.terminal:
            raise ValueError(f"{move!r} comes after the end of the game")
        if self.first_number is None:
            self.first_number = number
        if number != self.first_number + ply - 1:
            raise ValueError(f"this is move {self.first_number + ply - 1}, not {number}")
        if move in _TERMINALS:
            record.terminal = _TERMINALS[move]
        elif move == _WON_BY_OFFENCE:
            record.terminal = OFFENCES[1 - position.turn]
        else:
            usi = kif_to_usi(position, move, record.moves[-1] if record.moves else None)
            position.push(usi)
            record.moves.append(usi)
        if time:
            record.times[ply] = _seconds(time)

    def summarize(self, line: str) -> None:
        """Take the end of the game from the closing line, まで…, where no numbered line had it."""
        if self.record.terminal:
            return
        if offence := _OFFENCE.search(line):
            loser = (offence[1] in "後上") ^ (offence[2] == "勝")
            self.record.terminal = OFFENCES[loser]
        else:
            self.record.terminal = next((name for words, name in _CLOSINGS.items() if words in line), None)


def _seconds(time: str) -> int:
    seconds = 0
    for part in time.split(":"):
        seconds = 60 * seconds + int(part)
    return seconds


# -- Writing -----------------------------------------------------------------------------------------------------------

def format_kif(record: Record) -> str:
    """Write a game as KIF, to be saved in cp932 as .kif or in UTF-8 as .kifu.

    Fractions of a second and the move number of the set-up are dropped: KIF has no place for them. ValueError if a move
    is not legal.
    """
    position = Position(record.initial_sfen)
    handicap = _HANDICAP_NAMES.get(format_sfen(position.placement._replace(ply=1)), _OTHER)
    sides = SIDE_NAMES if handicap in (_EVEN, _OTHER) else _HANDICAP_SIDE_NAMES
    lines = [f"{_KEYS.get(name, name)}：{value}" for name, value in record.headers.items()]
    lines.append(f"手合割：{handicap}")
    if handicap == _OTHER:
        lines += [*draw_set_up(position.placement), turn_line(position.turn)]
    lines += [f"{side}：{name}" for side, name in zip(sides, record.names, strict=True) if name]
    lines = [require_single_line(line) for line in lines]
    lines += [_MOVES_BEGIN + "指手---------消費時間--", *_comment(record, 0)]
    spent = [0, 0]
    for ply, usi in enumerate(record.moves, 1):
        move = usi_to_kif(position, usi, record.moves[ply - 2] if ply > 1 else None)
        lines += [_numbered(record, ply, move, spent), *_comment(record, ply)]
        position.push(usi)
    if record.terminal:
        ply = len(record.moves) + 1
        lines += [_numbered(record, ply, _last_words(record), spent), *_comment(record, ply), _closing(record, sides)]
    return "".join(line + "\n" for line in lines)


def _numbered(record: Record, ply: int, move: str, spent: list[int]) -> str:
    """A line of the list of moves; `spent` sums up each side's seconds."""
    if ply not in record.times:
        return f"{ply:4} {move}"
    seconds, side = int(record.times[ply]), ply % 2
    spent[side] += seconds
    total = f"{spent[side] // 3600:02}:{spent[side] // 60 % 60:02}:{spent[side] % 60:02}"
    blanks = " " * (13 - len(move.encode("cp932")))         # there a wide letter is two bytes, as it is two columns
    return f"{ply:4} {move}{blanks}({seconds // 60:2}:{seconds % 60:02}/{total})"


def _last_words(record: Record) -> str:
    if record.terminal in OFFENCES:
        return "反則負け" if OFFENCES.index(record.terminal) == record.turn else _WON_BY_OFFENCE
    if record.terminal not in _WORDS:
        raise ValueError(f"{record.terminal!r} is no way to end a game")
    return _WORDS[record.terminal]


def _closing(record: Record, sides: tuple[str, str]) -> str:
    count = f"まで{len(record.moves)}手で"
    if record.winner is None:
        return count + _last_words(record)
    winner = f"{sides[record.winner]}の"
    if record.terminal in (*OFFENCES, "ILLEGAL_MOVE"):
        return f"{count}{winner}反則勝ち"
    if record.terminal == "KACHI":
        return f"{count}{winner}入玉勝ち"
    return f"{count}{'時間切れにより' if record.terminal == 'TIME_UP' else ''}{winner}勝ち"


def _comment(record: Record, ply: int) -> list[str]:
    return [f"*{line}" for line in record.comments.get(ply, "").splitlines()]
