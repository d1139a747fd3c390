"""Positions, moves, marks and scores as text for people: in Japanese as in KIF, or in USI."""
import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from engine import Position
from engine.records.japanese import SIDE_MARKS, SIDE_NAMES
from engine.records.kif import usi_to_kif
from engine.records.picture import draw_set_up
from engine.sfen import parse_sfen
from eval.material import SLOPE
from search.limits import is_mate, is_superior, mate_plies
from usi.words.language import _

SUPERIOR = "優等局面"       # a board that comes again with more in hand: no lead that could be counted

Style = Literal["japanese", "usi"]


def format_move(position: Position, move: str, style: Style) -> str:
    """A legal move of `position`. In Japanese a move to the square of the last one has 同, and a piece that could
    promote and does not is 不成, which records leave out.

    >>> format_move(Position(), "7g7f", "japanese")
    '▲７六歩(77)'
    >>> format_move(Position("4k4/9/9/4S4/9/9/9/9/4K4 b - 1"), "5d4c", "japanese")
    '▲４三銀不成(54)'
    """
    if style == "usi":
        return move
    words = usi_to_kif(position, move, last_move(position))
    if "*" not in move and not move.endswith("+") and position.is_legal(f"{move}+"):
        words = words.replace("(", "不成(")
    return SIDE_MARKS[position.turn] + words


def format_line(position: Position, moves: Iterable[str], style: Style, in_full: bool = False) -> str:
    """Moves played one after another from `position`, which is left as it was; `in_full` as records have them, with
    every square named.

    >>> format_line(Position(), ["7g7f", "3c3d", "8h2b+", "3a2b"], "japanese")
    '▲７六歩(77) △３四歩(33) ▲２二角成(88) △同　銀(31)'
    """
    node = position.copy()
    words = []
    for move in moves:
        words.append(SIDE_MARKS[node.turn] + usi_to_kif(node, move) if in_full else
                     format_move(node, move, style))
        node.push(move)
    return " ".join(words)


def format_last_move(position: Position, style: Style) -> str:
    """The move that led to a position; "" if none did."""
    before = position.copy()
    return format_move(before, before.pop(), style) if before.moves else ""


def last_move(position: Position) -> str | None:
    """The move that led to a position, in USI."""
    moves = position.moves
    return moves[-1] if moves else None


def expected_score(score: int) -> float:
    """The points, 0 to 1, that the side to move can expect at this score: a logistic curve with the slope that the
    evaluation is trained with; 1 or 0 for a mate."""
    return float(score > 0) if is_mate(score) else 1 / (1 + math.exp(-score / SLOPE))


# Scores that are neither centipawns nor a mate: the winner declares; the board is repeated with more in the hand of the
# side that is ahead; the rules have ended the game.
Special = Literal["declaration", "superior", "repetition", "perpetual check"]


def show_score(score: int, special: Special | None = None) -> str:
    """A score for a table: centipawns with their sign, the plies to a mate, or the name of a special score.

    >>> show_score(35), show_score(-31995), show_score(0, "repetition")
    ('+35', 'mate -5', 'fourfold')
    """
    sign = "-" if score < 0 else "+"
    match special or ("superior" if is_superior(score) else None):
        case "declaration":
            return sign + _("declares")
        case "superior":
            return sign + _("superior")
        case "repetition":
            return _("fourfold")
        case "perpetual check":
            return sign + _("perpetual")
    plies = mate_plies(score)
    return f"{score:+}" if plies is None else _("mate {sign}{plies}", sign=sign, plies=abs(plies))


def move_count(count: int) -> str:
    """So many moves, in words."""
    return _("1 move") if count == 1 else _("{count} moves", count=count)


def mate_in(plies: int) -> str:
    """A mate of this length, in words."""
    return _("mate in 1 ply") if plies == 1 else _("mate in {plies} plies", plies=plies)


def show_own_score(score: int) -> str:
    """A score for its own side, in a sentence, where a mate needs no sign.

    >>> show_own_score(31999), show_own_score(-31998), show_own_score(35)
    ('mate in 1 ply', 'mated in 2 plies', '+35')
    """
    plies = mate_plies(score)
    if plies is None:
        return show_score(score)
    return mate_in(plies) if plies > 0 else _("mated in {plies} plies", plies=-plies)


def pad(text: str, columns: int) -> str:
    """`text` padded with blanks to a width in terminal columns, where an East Asian letter takes two."""
    return text + " " * (columns - columns_of(text))


def pad_left(text: str, columns: int) -> str:
    """`text` padded with blanks on the left."""
    return " " * (columns - columns_of(text)) + text


def cut(text: str, columns: int) -> str:
    """The text cut to this many columns.

    >>> cut("名人 太郎", 7), cut("名人", 4)
    ('名人 …', '名人')
    """
    if columns_of(text) <= columns:
        return text
    while columns_of(text) >= columns:
        text = text[:-1]
    return text + "…"


def columns_of(text: str) -> int:
    """The columns of a terminal that a text takes."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


_WORDS = re.compile("( *)([^ ]+)")
# Also between Japanese letters, but not before closing or behind opening punctuation.
LETTERS = re.compile(r"(\s*)([（「[]*(?:[!-Z\\-~]+|\S)[、。）」：ー]*)")


def fold(text: str, columns: int, indent: int = 4, parts: re.Pattern[str] = _WORDS) -> list[str]:
    """The parts of a line that fit a width in columns. It is broken at blanks, never within a move, which may hold the
    wide blank of 同; or between other `parts`, each a gap and the text behind it. Later lines are indented. A wider
    part stays whole.

    >>> fold("▲２二角成(88) △同　銀(31) ▲４五角打", 30)
    ['▲２二角成(88) △同　銀(31)', '    ▲４五角打']
    >>> fold("表の大きさ（MB）。小さい表ほど", 16, 0, LETTERS)
    ['表の大きさ', '（MB）。小さい表', 'ほど']
    """
    lines, line = [], ""
    for gap, word in parts.findall(text):
        if line.strip() and columns_of(line + gap + word) > columns:
            lines.append(line)
            line = " " * indent + word
        else:
            line += gap + word
    return [*lines, line]


DECIDED = 2000      # centipawns: a score beyond it, or a mate, counts as this much when centipawns are compared


@dataclass(frozen=True)
class Mark:
    """A kind of bad move: one that loses at least this much expected score, or this many centipawns."""

    symbol: str
    name: str
    japanese: str
    expected: float     # points of a game, 0 to 1
    centipawns: int
    colour: str         # on a terminal


# The worst first.
MARKS = (
    Mark("??", "blunder", "大悪手", 0.20, 1200, "bright_red"),
    Mark("?", "mistake", "悪手", 0.10, 600, "red"),
    Mark("?!", "doubtful", "疑問手", 0.05, 300, "yellow"),
)
# The mark of a move where every other one would be a blunder.
ONLY_MOVE = Mark("!", "only move", "好手", MARKS[0].expected, MARKS[0].centipawns, "green")


def diagram(sfen: str, from_white: bool = False,
            hands_of: tuple[str, str] = ("Black's hand", "White's hand")) -> list[str]:
    """The lines of a picture of a canonical SFEN: the far side's hand, the board as Black or White sees it, the near
    side's hand."""
    board, _turn, hands, _ply = sfen.split()
    turned = slice(None, None, -1 if from_white else 1)
    rows = []
    for rank, row in zip("abcdefghi", board.split("/"), strict=True):
        cells = re.findall(r"\+?.", re.sub(r"\d", lambda empty: "." * int(empty[0]), row))
        rows.append("".join(f"{cell:>3}" for cell in cells[turned]) + f"  {rank}")
    black = f"{hands_of[0]}: " + ("".join(re.findall(r"\d*[A-Z]", hands)) or "-")
    white = f"{hands_of[1]}: " + ("".join(re.findall(r"\d*[a-z]", hands)) or "-")
    files = "".join(f"{file:>3}" for file in "987654321"[turned])
    return [black if from_white else white, files, *rows[turned], white if from_white else black]


def japanese_diagram(sfen: str, from_white: bool = False, sides: tuple[str, str] = SIDE_NAMES) -> list[str]:
    """The lines of the same picture as Japanese records draw it; a `v` marks White's pieces, from either side."""
    lines = draw_set_up(parse_sfen(sfen), sides)
    if not from_white:
        return lines
    white, files, edge, *rows, _, black = lines
    turned = [re.sub(r"\|(.*)\|", lambda row: f"|{''.join(re.findall('..', row[1])[::-1])}|", row)
              for row in reversed(rows)]
    return [black, f"  {files.strip()[::-1]}", edge, *turned, edge, white]
