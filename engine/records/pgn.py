"""Records in PGN, as XBoard and WinBoard write games of shogi. PSN is read, but not written.

White is the side that moves first, which is Black everywhere else here. Squares are those of chess, files a to i from
White's left and ranks 1 to 9 from White's side (`c4`, `Bxh8+`, `P@e5`); the Western notation of shogi (`P-7f`, `Bx2b+`,
`P*5e`) is read as well. PSN has the latter, numbers each move, and calls the players Sente and Gote.

Source: the PGN standard, https://www.chessclub.com/help/PGN-spec; XBoard's manual, https://www.gnu.org/software/xboard
"""
import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap

from engine.board import Position
from engine.errors import Phrase, UserError
from engine.pieces import GOLD, LETTERS, PAWN, PROMOTED, RANKS, WHITE_PIECE
from engine.records.kakinoki import DEEPEST
from engine.records.record import (
    OFFENCES,
    Comments,
    GameRecord,
    IllegalMove,
    lines_of,
    printable,
    require_legal,
    single_line,
    with_place,
)
from engine.sfen import STARTPOS_SFEN, parse_sfen

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TOKEN = re.compile(
    rf"\s+|{_TAG.pattern}|\{{(?P<comment>[^}}]*)(?P<closed>\}}?)|;(?P<line>[^\n]*)|(?P<bracket>[()])|\$\d+"
    r"|\d+(?:\.+(?=\D|$)|-(?=\s))|(?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s)]|$)"
    r"|(?i:-{0,2}(?:(?P<who>black|sente|white|gote)\s)?(?P<did>resign|won\b|win|los[et])[a-z]*-{0,2})"
    r"|(?P<move>[^\s{}();]+)")
_MOVE = re.compile(
    r"(?P<piece>\+?[PLNSGBRK])?(?P<origin>[a-i]?[1-9]?|[1-9][a-i])(?P<drop>[@*'])?[-x]?(?P<target>[a-i][1-9]|[1-9][a-i])"
    r"(?P<promotion>[+=])?[!?]*", re.ASCII)
_FIRST = re.compile(r'\s*(?:\[\w+\s+"|1\.\s*[a-iPLNSGBRK+])')     # the first tag or the first move
_HEADERS = {"Event": "EVENT", "Site": "SITE", "Venue": "SITE", "TimeControl": "TIME_LIMIT", "Round": "ROUND"}
_PSN_NAMES = ("Sente", "Gote")
_UNKNOWN = ("", "?", "-", "????.??.??")
# Of the word before the result: how the side to move has lost.
_LOSSES = (("time", "TIME_UP"), ("illegal", "ILLEGAL_MOVE"), ("mate", "TSUMI"), ("", "TORYO"))
_DRAWS = (("repetition", "SENNICHITE"), ("", "HIKIWAKE"))
_DRAWN = ("SENNICHITE", "JISHOGI", "HIKIWAKE", "MAX_MOVES")
_QUOTED, _BACKSLASHED = re.compile(r'(["\\])'), r"\\\1"
COLUMNS = 80            # of the lines that are written


def is_pgn(text: str) -> bool:
    """Whether a text is PGN or PSN, rightly or wrongly."""
    return _FIRST.match(text) is not None


def parse_pgn(text: str, strict: bool = True) -> list[GameRecord]:
    """Read the games of a PGN file, with their variations.

    Raises UserError, with the game and the move, for a word that is no move, and for a move that is illegal or
    ambiguous. Unless `strict`, the rest of that game is skipped, and the fault noted in the game's `faults`.
    """
    games = [_Game()]
    text = printable(text)
    for token in _TOKEN.finditer(text):
        if (token[1] and games[-1].has_moves) or (games[-1].is_over and (token["move"] or token[1])):
            games.append(_Game())
        try:
            games[-1].take(token)
        except UserError as error:
            fault = with_place(error, Phrase("move {number}", number=games[-1].number) if len(games) < 2 else Phrase(
                "game {game}, move {number}", game=len(games), number=games[-1].number))
            if strict:
                raise fault from None
            games[-1].leave_out(fault, token)
    return [game.finished() for game in games if game.has_moves or game.tags]


@dataclass(frozen=True)
class _Wish:
    """The parts of a written move; None for each part that it leaves out."""

    kind: int | None            # of the piece before it moves
    file: str | None
    rank: str | None            # where it comes from
    target: str
    drops: bool
    promotes: bool


@dataclass
class _Branch:
    """The game, or a variation, as far as it has been read."""

    record: GameRecord
    offset: int = 0                     # plies of the game before it
    position: Position | None = None    # after its last move; None before the tags of a game are all read
    is_broken: bool = False             # what follows here has no position


class _Game:
    """One game as far as it has been read."""

    def __init__(self) -> None:
        self.record = GameRecord()
        self.is_western = False     # whether the first move named a square as shogi does, not as chess
        self._comments = Comments()
        self.tags: dict[str, str] = {}
        self.has_moves = False
        self._has_ended = False
        self._path = [_Branch(self.record)]     # the game and the variations that led to where we are
        self._comment = ""          # the last one on the game itself, which may say how it ended

    @property
    def number(self) -> int:
        """The number of the next move."""
        return self._path[-1].offset + len(self._path[-1].record.moves) + 1

    @property
    def is_over(self) -> bool:
        """Whether a move that comes now would be another game's."""
        return self._has_ended and not self._is_variation

    @property
    def _is_variation(self) -> bool:
        return len(self._path) > 1

    def leave_out(self, fault: UserError, token: re.Match[str]) -> None:
        """Note a fault; what follows in its branch rests on it, but for a bracket too many."""
        self.record.faults.append(fault)
        self._path[-1].is_broken |= token["bracket"] != ")"

    def take(self, token: re.Match[str]) -> None:
        if token[1]:
            self.tags[token[1]] = single_line(re.sub(r"\\(.)", r"\1", token[2]))
        elif token["bracket"] == "(":
            self._vary()
        elif token["bracket"]:
            self._return()
        elif token["comment"] is not None and not token["closed"]:
            raise UserError("this comment has no end: a } is missing")
        elif self._path[-1].is_broken:
            return
        elif (comment := token["comment"] or token["line"]) is not None:
            text, record = " ".join(comment.split()), self._path[-1].record
            self._comments.add(record, len(record.moves), text)
            if not self._is_variation:
                self._comment = text
        elif token["result"]:
            self.has_moves = True
            self._has_ended |= not self._is_variation
            self._end(token["result"])
        elif token["did"]:
            self.has_moves = True
            self._has_ended |= not self._is_variation
            self._tell_end(token["who"], token["did"].lower())
        elif token["move"]:
            self.has_moves = True
            self._play(token["move"])

    def finished(self) -> GameRecord:
        while self._is_variation:
            self._return()
        record, tags = self.record, self.tags
        record.initial_sfen = self._here().initial_sfen
        if self._is_psn and not record.terminal and not self._path[-1].is_broken and (result := tags.get("Result")):
            if who := re.match(r"(?i)(black|sente|white|gote)\b", result):
                self._tell_end(who[1], "won")
            elif result in ("1-0", "0-1", "1/2-1/2"):
                self._end(result)
        self._comments.close()
        first, second = ("Black", "White") if self._is_psn else ("White", "Black")
        if not tags.keys().isdisjoint(_PSN_NAMES):
            first, second = _PSN_NAMES
        record.names = (_known(tags, first), _known(tags, second))
        record.headers = {name: value for tag, name in _HEADERS.items() if (value := _known(tags, tag))}
        if date := _known(tags, "Date").replace(".", "/"):
            record.headers["START_TIME"] = date
        return record

    @property
    def _is_psn(self) -> bool:
        return "Variant" not in self.tags and (self.is_western or not self.tags.keys().isdisjoint(_PSN_NAMES))

    def _here(self) -> Position:
        branch = self._path[-1]
        if branch.position is None:
            fen = self.tags.get("FEN") or self.tags.get("SFEN")
            branch.position = Position(_sfen(fen) if fen else STARTPOS_SFEN)
        return branch.position

    def _vary(self) -> None:
        """Begin a variation in place of the last move."""
        branch = self._path[-1]
        variation = _Branch(GameRecord(), max(branch.offset + len(branch.record.moves) - 1, 0), is_broken=True)
        self._path.append(variation)
        if branch.is_broken:
            return
        if not branch.record.moves or branch.position is None:
            raise UserError("there is no move before this variation that it could replace")
        if len(self._path) > DEEPEST:
            raise UserError(f"there are more than {DEEPEST} variations within one another")
        position = branch.position.copy()
        position.pop()
        variation.record.initial_sfen = position.sfen
        variation.position, variation.is_broken = position, False

    def _return(self) -> None:
        """End a variation; what of it could be read belongs to the line that it leaves."""
        if not self._is_variation:
            raise UserError("this ends a variation, but none has begun")
        variation, line = self._path.pop(), self._path[-1]
        if variation.record.moves:
            line.record.variations.setdefault(variation.offset - line.offset + 1, []).append(variation.record)

    def _play(self, text: str) -> None:
        match = _MOVE.fullmatch(text)
        self.is_western |= bool(match and match["target"][0].isdigit())
        variant = self.tags.get("Variant", "shogi" if self._is_psn or not self.tags else "chess")
        if variant.lower() != "shogi":
            raise UserError(f"this is a game of {variant}; one of shogi has the tag [Variant \"shogi\"]")
        position = self._here()
        usi = pgn_to_usi(position, text)
        position.push(usi)
        self._path[-1].record.moves.append(usi)

    def _tell_end(self, who: str | None, did: str) -> None:
        """Take the end from words, in which Black moves first."""
        record, turn = self._path[-1].record, self._here().turn
        side = int(who.lower() in ("white", "gote")) if who else turn
        loser = 1 - side if did.startswith("w") else side
        record.terminal = "TORYO" if loser == turn else OFFENCES[loser]

    def _end(self, result: str) -> None:
        record, turn, words = self._path[-1].record, self._here().turn, self._comment.lower()
        if result == "1/2-1/2":
            record.terminal = next(terminal for word, terminal in _DRAWS if word in words)
        elif result != "*":
            loser = int(result == "1-0")
            # Nobody resigns in the other's turn but by leaving, which is against the rules of most places.
            record.terminal = (next(terminal for word, terminal in _LOSSES if word in words) if loser == turn else
                               OFFENCES[loser])


def pgn_to_usi(position: Position, text: str) -> str:
    """A move of XBoard's, or in Western notation, in USI; UserError if it is none, not legal, or could be several.

    >>> [pgn_to_usi(Position(), text) for text in ("c4", "P-7f", "Gd1e2", "G6i-5h")]
    ['7g7f', '7g7f', '6i5h', '6i5h']
    """
    wish = _wish(text)
    found = [move for move in position.legal_moves() if _fits(position, wish, move)]
    moves = [move for move in found if move.endswith("+") == wish.promotes]
    if not moves and not wish.promotes:     # XBoard leaves out the + where a piece has to promote
        moves = found
    if len(moves) > 1:
        raise UserError(f"{text!r} could be {' or '.join(sorted(moves))} in {position.sfen!r}")
    if not moves:
        raise IllegalMove("{text!r} is not legal in {sfen!r}", text=text, sfen=position.sfen, moves=[])
    return moves[0]


def _wish(text: str) -> _Wish:
    match = _MOVE.fullmatch(text)
    if not match or (match["drop"] and (match["origin"] or not match["piece"])):
        raise UserError(f"{text!r} is no move; write it as c4, Bxh8+, P@e5 or P-7f")
    target = match["target"]
    is_western = target[0].isdigit()
    file = next((_file(letter, is_western) for letter in match["origin"] if letter.isdigit() == is_western), None)
    rank = next((_rank(letter, is_western) for letter in match["origin"] if letter.isdigit() != is_western), None)
    kind: int | None = None
    if piece := match["piece"]:
        kind = LETTERS.index(piece[-1]) + PROMOTED * piece.startswith("+")
    elif not (file and rank):
        kind = PAWN
    return _Wish(kind, file, rank, _file(target[0], is_western) + _rank(target[1], is_western),
                 match["drop"] is not None, match["promotion"] == "+")


def _file(letter: str, is_western: bool) -> str:
    return letter if is_western else str(9 - RANKS.index(letter))


def _rank(letter: str, is_western: bool) -> str:
    return letter if is_western else RANKS[9 - int(letter)]


def _fits(position: Position, wish: _Wish, move: str) -> bool:
    """Whether a legal move fits the written one, apart from promotion."""
    if move[2:4] != wish.target or (move[1] == "*") != wish.drops:
        return False
    if wish.drops:
        return wish.kind is not None and wish.kind <= GOLD and move[0] == LETTERS[wish.kind]
    return (wish.kind in (position.piece_at(move[:2]) % WHITE_PIECE, None)
            and wish.file in (move[0], None) and wish.rank in (move[1], None))


def _known(tags: dict[str, str], name: str) -> str:
    value = tags.get(name, "")
    return "" if value in _UNKNOWN else value


def _sfen(fen: str) -> str:
    """XBoard has hands in brackets behind the board, and `w` where White, our Black, is to move."""
    match = re.fullmatch(r"(\S+)\[(-|[A-Za-z]*)\] ([wb])\b.*", fen)
    if not match:
        return fen
    hands = "".join(f"{match[2].count(letter)}{letter}" for letter in dict.fromkeys(match[2].replace("-", "")))
    return f"{match[1]} {'bw'['wb'.index(match[3])]} {hands or '-'} 1"


# -- Writing -----------------------------------------------------------------------------------------------------------

def usi_to_pgn(position: Position, usi: str) -> str:
    """A legal move as XBoard writes it; UserError if it is not legal.

    >>> [usi_to_pgn(Position(), move) for move in ("7g7f", "6i5h")]
    ['c4', 'Gde2']
    """
    require_legal(position, usi, usi)
    target = _chess_square(usi[2:4])
    if usi[1] == "*":
        return f"{usi[0]}@{target}"
    kind = position.piece_at(usi[:2]) % WHITE_PIECE
    promotion = "+" if usi.endswith("+") else "=" if position.is_legal(usi + "+") else ""
    if kind == PAWN:        # of which no two of a side can go to a square
        return target + promotion
    letter = LETTERS[kind] if kind <= PROMOTED else "+" + LETTERS[kind - PROMOTED]
    origin = _chess_square(usi[:2])
    rivals = {_chess_square(move[:2]) for move in position.legal_moves()
              if move[1] != "*" and move[:2] != usi[:2] and move[2:4] == usi[2:4]
              and position.piece_at(move[:2]) % WHITE_PIECE == kind}
    if not rivals:
        origin = ""
    elif all(other[0] != origin[0] for other in rivals):
        origin = origin[0]
    elif all(other[1] != origin[1] for other in rivals):
        origin = origin[1]
    return letter + origin + "x" * (position.piece_at(usi[2:4]) != 0) + target + promotion


def format_pgn(*records: GameRecord) -> str:
    """Write games, with their variations, as a PGN file of XBoard's, to be saved in UTF-8.

    Each line of a comment becomes a comment of its own. Times, remarks, empty lines, variations behind the last move of
    their line, and how exactly a game was lost are left out, and the comment on the end joins that on the last move:
    PGN has no place for them. UserError if a move is not legal.
    """
    return "\n".join(_written(record) for record in records)


def _written(record: GameRecord) -> str:
    date = record.headers.get("START_TIME", "")[:10].replace("/", ".")
    tags = {
        "Event": record.headers.get("EVENT", "?"), "Site": record.headers.get("SITE", "?"),
        "Date": date if re.fullmatch(r"\d{4}\.\d\d\.\d\d", date, re.ASCII) else "????.??.??",
        "Round": record.headers.get("ROUND", "-"), "White": record.names[0] or "?", "Black": record.names[1] or "?",
        "Result": _result(record), "Variant": "shogi"}
    if time := record.headers.get("TIME_LIMIT"):
        tags["TimeControl"] = time
    if record.initial_sfen != STARTPOS_SFEN:
        tags |= {"FEN": _fen(record.initial_sfen), "SetUp": "1"}
    lines = [f'[{name} "{_QUOTED.sub(_BACKSLASHED, single_line(value))}"]' for name, value in tags.items()]
    moves = " ".join([*_words(record, 1 + parse_sfen(record.initial_sfen).turn), _result(record)])
    return "\n".join([*lines, "", *wrap(moves, COLUMNS, break_long_words=False, break_on_hyphens=False), ""])


def _result(record: GameRecord) -> str:
    if record.winner is not None:
        return ("1-0", "0-1")[record.winner]
    return "1/2-1/2" if record.terminal in _DRAWN else "*"


def _fen(sfen: str) -> str:
    """The position as XBoard's FEN; the inverse of `_sfen`."""
    board, turn, hands, _ply = sfen.split()
    held = "".join(letter * int(count or 1) for count, letter in re.findall(r"(\d*)([A-Za-z])", hands))
    return f"{board}[{held or '-'}] {'wb'['bw'.index(turn)]} 0 1"


def _words(record: GameRecord, number: int) -> Iterator[str]:
    """The moves, with comments and variations between them. `number` is the first ply's."""
    position = Position(record.initial_sfen)
    says_number = True              # at the start, and where something came between two moves
    yield from _comment(record, 0)
    for ply, usi in enumerate(record.moves, 1):
        move, is_first = divmod(number + ply - 2, 2)
        if not is_first or says_number:
            yield f"{move + 1}{'...' if is_first else '.'}"
        yield usi_to_pgn(position, usi)
        position.push(usi)
        yield from _comment(record, ply)
        for variation in filter(lambda each: each.moves, record.variations.get(ply, [])):     # PGN has no other
            yield f"({' '.join(_words(variation, number + ply - 1))})"
        says_number = ply in record.comments or ply in record.variations
    yield from _comment(record, len(record.moves) + 1)      # of the end, which is no move here


def _comment(record: GameRecord, ply: int) -> Iterator[str]:
    for line in lines_of(record.comments.get(ply, "")):
        if text := " ".join(line.split()):
            yield f"{{{text.replace('}', ')')}}}"


def _chess_square(name: str) -> str:
    return RANKS[9 - int(name[0])] + str(9 - RANKS.index(name[1]))
