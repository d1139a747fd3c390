"""Records in PGN, as XBoard and WinBoard write games of shogi. PSN is read, but not written.

White is the side that moves first, which is Black everywhere else here. Squares are those of chess, files a to i from
White's left and ranks 1 to 9 from White's side (`c4`, `Bxh8+`, `P@e5`); the Western notation of shogi (`P-7f`, `Bx2b+`,
`P*5e`) is read as well. PSN has Western notation, numbers each move or each pair, calls the players Sente and Gote, and
writes how a game ended as a word or a comment. People who type PSN shorten it: `Sx` and `xS` take what has just moved,
and a drop goes without its sign where no piece of the kind could move there.

Source: the PGN standard, https://www.chessclub.com/help/PGN-spec; XBoard's manual, https://www.gnu.org/software/xboard
"""
import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap

from engine.board import Position
from engine.errors import Listed, Phrase, UserError
from engine.pieces import DRAGON, FILES, HORSE, LETTERS, PAWN, PRO_PAWN, PROMOTED, RANKS, WHITE_PIECE, square_index
from engine.records.ends import told_end
from engine.records.handicaps import EVEN, HANDICAPS
from engine.records.kakinoki import DEEPEST, spent_seconds
from engine.records.record import (
    DRAWS,
    OFFENCES,
    Comments,
    GameRecord,
    lines_of,
    printable,
    require_legal,
    single_line,
    whole_number,
)
from engine.records.relation import require_one
from engine.records.wish import Wish, fitting
from engine.sfen import STARTPOS_SFEN, parse_sfen

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
# How a game ended: a result, what a side did, or a word.
_RESULT = r"(?P<result>1-0|0-1|1/2-1/2|\*)"
_ENDS = (r"(?i:-{0,2}(?:(?:(?P<who>black|sente|white|gote)\s)?(?P<did>resign|won\b|win|los[et])"
         r"|(?P<end>sennichite|repetition|jishogi|impasse|time-?\s?up|interrupt|mate|checkmate|draw))(?:s|d|n|ed|ion|ation)?-{0,2})")
_END = re.compile(rf"(?:{_RESULT}|{_ENDS})[.!]?")
_TOKEN = re.compile(
    rf"\s+|{_TAG.pattern}|\{{(?P<comment>[^}}]*)(?P<closed>\}}?)|;(?P<line>[^\n]*)"
    r"|\(\s*(?P<time>\d+(?::\d+)+(?:\.\d*)?)\s*(?:/[^()]*)?\)|(?P<bracket>[()])|\$(?P<nag>\d+)"
    rf"|(?P<number>\d+(?:\.+(?=\D|$)|-(?=\s)|(?=\s|$)))|\.{{2,}}|{_RESULT}(?=[\s)]|$)|{_ENDS}|(?P<move>[^\s{{}}();]+)")
_PIECE, _SIGNS = r"(?P<piece>\+?[PLNSGBRK]|[DHT])", r"(?P<promotion>[+=])?(?P<mark>[!?]*)"
_MOVES = (
    re.compile(rf"{_PIECE}?(?P<origin>[a-i]?[1-9]?|[1-9][a-i])(?P<sign>[@*'x]?)-?(?P<target>[a-i][1-9]|[1-9][a-i])"
               rf"{_SIGNS}", re.ASCII),
    re.compile(rf"{_PIECE}(?P<origin>[1-9]?[1-9a-i]?)(?P<sign>[@*'x]?)-?(?P<target>[1-9][1-9a-i]){_SIGNS}", re.ASCII),
    re.compile(rf"(?P<sign>x){_PIECE}(?P<origin>[1-9]?[1-9a-i]?)(?P<target>){_SIGNS}", re.ASCII),
    re.compile(rf"{_PIECE}(?P<origin>[1-9]?[1-9a-i]?)(?P<sign>x)(?P<target>){_SIGNS}", re.ASCII),
)
_NAGS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}    # of the marks behind a move
_KINDS = {"D": DRAGON, "H": HORSE, "T": PRO_PAWN}      # as 81Dojo calls them in English
_FIRST = re.compile(r'\s*(?:\[\w+\s+"|1\.+\s*[a-iPLNSGBRK+])')     # the first tag or the first move
_BARE = re.compile(r"\s*[PLNSGBRK](?:[1-9][a-i])?[-x]?[1-9][a-i]\s[^{]*\{")       # moves without numbers, and a comment
_HEADERS = {"Event": "EVENT", "Site": "SITE", "Venue": "SITE", "TimeControl": "TIME_LIMIT", "Round": "ROUND"}
_PSN_NAMES = ("Sente", "Gote")
_UNKNOWN = ("", "?", "-", "????.??.??")
# The end as programs write it before the result: "White forfeits on time". Players' comments may have some of these
# words.
_TIME = re.compile(r"\b(?:forfeits?|los(?:es|t)|w[io]ns?) on time\b|\bout of time\b"
                   r"|\btime[- ]?(?:up|out|over|forfeit)\b|\bflag f(?:e|a)ll")
_ILLEGAL = re.compile(r"\b(?:illegal|invalid) move\b")
_REPETITION = re.compile(r"\bby (?:fourfold )?repetition\b|\A(?:fourfold )?repetition\Z")
# Words of PSN. Shogidokoro has one for a declaration and for a draw, and tells them apart in a comment.
_WORDS = {"sennichite": "SENNICHITE", "repetition": "SENNICHITE", "jishogi": "JISHOGI", "impasse": "JISHOGI",
          "interrupt": "CHUDAN", "mate": "TSUMI", "checkmate": "TSUMI", "draw": "HIKIWAKE"}
_TIME_UP = "TIME_UP"
_UNCLEAR = ("JISHOGI", "SENNICHITE")
# PSN's names of handicaps, without words that say nothing.
_HANDICAPS = {"": EVEN, "no": EVEN, "none": EVEN, "even": EVEN, "lance": "香落ち", "left lance": "香落ち",
              "right lance": "右香落ち", "bishop": "角落ち", "rook": "飛車落ち", "rook lance": "飛香落ち",
              "lance rook": "飛香落ち", "rook bishop": "二枚落ち", "bishop rook": "二枚落ち", "2": "二枚落ち",
              "3": "三枚落ち", "4": "四枚落ち", "5": "五枚落ち", "left 5": "左五枚落ち", "6": "六枚落ち",
              "8": "八枚落ち", "10": "十枚落ち", "dragonfly": "トンボ"}
_FILLERS = {"piece", "pieces", "p", "handicap", "drop", "and", "off"}
_NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "eight": "8", "ten": "10"}
_QUOTED, _BACKSLASHED = re.compile(r'(["\\])'), r"\\\1"
COLUMNS = 80            # of the lines that are written


def is_pgn(text: str) -> bool:
    """Whether a text is meant as PGN or PSN, with or without faults."""
    return (_FIRST.match(text) or _BARE.match(text)) is not None


def parse_pgn(text: str, strict: bool = True) -> list[GameRecord]:
    """Read the games of a PGN file, with their variations.

    Raises UserError, with the game and the move, for a word that is no move, and for a move that is illegal or
    ambiguous. Unless `strict`, the rest of that game or variation is skipped, and the fault noted in the game's
    `faults`.
    """
    games = [_Game()]
    text = printable(text)
    for token in _TOKEN.finditer(text):
        if (token[1] and games[-1].has_moves) or (games[-1].is_over and (token["move"] or token[1])):
            games.append(_Game())
        try:
            games[-1].take(token)
        except UserError as error:
            fault = error.at(Phrase("move {number}", number=games[-1].number) if len(games) < 2 else Phrase(
                "game {game}, move {number}", game=len(games), number=games[-1].number))
            if strict:
                raise fault from None
            games[-1].leave_out(fault, token)
    return [game.finished() for game in games if game.has_moves or game.tags]


@dataclass
class _Branch:
    """The game, or a variation, as far as it has been read."""

    record: GameRecord
    offset: int = 0                     # plies of the game before it
    position: Position | None = None    # after its last move; None before the tags of a game are all read
    is_broken: bool = False             # later moves have no position


class _Game:
    """A game that is being read."""

    def __init__(self) -> None:
        self.record = GameRecord()
        self.is_western = False     # whether the first move named a square as shogi does, not as chess
        self._comments = Comments()
        self.tags: dict[str, str] = {}
        self.has_moves = False
        self._has_ended = False
        self._path = [_Branch(self.record)]     # the game and the variations that led to where we are
        self._comment = ""          # the last comment on the game itself, which may name the end
        self._is_numbered = False   # whether the number of a move came last

    @property
    def number(self) -> int:
        """The number of the next move."""
        return self._path[-1].offset + len(self._path[-1].record.moves) + 1

    @property
    def is_over(self) -> bool:
        """Whether the game is over, so that a further move would be another game's."""
        return self._has_ended and not self._is_variation

    @property
    def _is_variation(self) -> bool:
        return len(self._path) > 1

    def leave_out(self, fault: UserError, token: re.Match[str]) -> None:
        """Note a fault. The rest of its branch is skipped, unless the fault is a bracket too many."""
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
            self._take_comment(" ".join(comment.split()))
        elif token["time"]:
            record = self._path[-1].record
            ply = len(record.moves) + (self._is_numbered or record.terminal is not None)
            record.times[ply] = spent_seconds(token["time"])
        elif token["result"] or token["did"] or token["end"]:
            self._take_end(token)
        elif token["nag"]:
            self._note(whole_number(token["nag"]))
        elif token["number"]:
            self._is_numbered = True
        elif token["move"]:
            self.has_moves, self._is_numbered = True, False
            self._play(token["move"])

    def _take_comment(self, text: str) -> None:
        record = self._path[-1].record
        if self._is_psn and not record.terminal and (end := _END.fullmatch(text)):
            self._take_end(end)
            return
        if record.terminal in _UNCLEAR:
            record.terminal = told_end(text, self._here()) or record.terminal
        self._comments.add(record, len(record.moves) + (self._is_psn and record.terminal is not None), text)
        if not self._is_variation:
            self._comment = text

    def _take_end(self, end: re.Match[str]) -> None:
        self.has_moves, self._is_numbered = True, False
        self._has_ended |= not self._is_variation
        if end["result"]:
            self._end(end["result"])
        elif end["did"]:
            self._tell_end(end["who"], end["did"].lower())
        else:
            self._path[-1].record.terminal = _WORDS.get(end["end"].lower(), _TIME_UP)

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
            branch.position = Position(_sfen(fen) if fen else _handicap(self.tags.get("Handicap", "")))
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
            raise UserError("there are more than {most} variations within one another", most=DEEPEST)
        position = branch.position.copy()
        position.pop()
        variation.record.initial_sfen = position.sfen
        variation.position, variation.is_broken = position, False

    def _return(self) -> None:
        """End a variation, and add its moves to the line that it leaves."""
        if not self._is_variation:
            raise UserError("this ends a variation, but none has begun")
        variation, line = self._path.pop(), self._path[-1]
        if variation.record.moves:
            line.record.variations.setdefault(variation.offset - line.offset + 1, []).append(variation.record)

    def _play(self, text: str) -> None:
        match = _match(text)
        self.is_western |= bool(match and _is_western(match))
        variant = self.tags.get("Variant", "shogi" if self._is_psn or not self.tags else "chess")
        is_shogi = variant.lower() == "shogi" or (variant == "Standard" and not self.tags.keys().isdisjoint(_PSN_NAMES))
        if not is_shogi:
            raise UserError('this is a game of {variant}; one of shogi has the tag [Variant "shogi"]', variant=variant)
        position = self._here()
        usi = pgn_to_usi(position, text)
        position.push(usi)
        self._path[-1].record.moves.append(usi)
        if match and match["mark"] in _NAGS:
            self._note(_NAGS[match["mark"]])

    def _note(self, nag: int) -> None:
        """Annotate the last move. Does nothing for 0, and before the first move."""
        record = self._path[-1].record
        if nag and record.moves:
            record.nags.setdefault(len(record.moves), []).append(nag)

    def _tell_end(self, who: str | None, did: str) -> None:
        """Read the end from words, in which Black moves first."""
        record, turn = self._path[-1].record, self._here().turn
        side = int(who.lower() in ("white", "gote")) if who else turn
        loser = 1 - side if did.startswith("w") else side
        record.terminal = "TORYO" if loser == turn else OFFENCES[loser]

    def _end(self, result: str) -> None:
        record, turn, words = self._path[-1].record, self._here().turn, self._comment.lower()
        if result == "1/2-1/2":
            record.terminal = "SENNICHITE" if _REPETITION.search(words) else "HIKIWAKE"
        elif result != "*":
            loser = int(result == "1-0")
            # A player can resign in the opponent's turn only by leaving, which breaks the rules of most servers.
            record.terminal = self._loss(words) if loser == turn else OFFENCES[loser]

    def _loss(self, words: str) -> str:
        """How the side to move has lost. A comment that speaks of mate counts only if there is no legal move."""
        if _TIME.search(words):
            return "TIME_UP"
        if _ILLEGAL.search(words):
            return "ILLEGAL_MOVE"
        return "TSUMI" if "mate" in words and not self._here().legal_moves() else "TORYO"


def pgn_to_usi(position: Position, text: str) -> str:
    """A move of XBoard's, or in Western notation, in USI. Raises UserError if it is none, not legal, or could be
    several.

    >>> [pgn_to_usi(Position(), text) for text in ("c4", "P-7f", "Gd1e2", "G6i-5h", "P76")]
    ['7g7f', '7g7f', '6i5h', '6i5h', '7g7f']
    """
    moves = fitting(position, _wish(position, text))
    # XBoard leaves out the + where a piece has to promote.
    return require_one(position, text, [move for move in moves if not move.endswith("+")] or moves
                       if "+" not in text[1:] else moves)


def _wish(position: Position, text: str) -> Wish:
    match = _match(text)
    drops = match is not None and match["sign"] in ("@", "*", "'")
    if not match or (drops and (match["origin"] or not match["piece"])):
        raise UserError("{text!r} is no move; write it as c4, Bxh8+, P@e5 or P-7f", text=text)
    is_western = _is_western(match)
    file, rank = _place(match["origin"], is_western)
    kind: int | None = None
    if piece := match["piece"]:
        kind = _KINDS.get(piece) or LETTERS.index(piece[-1]) + PROMOTED * piece.startswith("+")
    elif file is None or rank is None:
        kind = PAWN
    drop = True if drops else None if is_western and not (match["origin"] or match["sign"]) else False
    promotion = {"+": True, "=": False}.get(match["promotion"] or "")
    return Wish(_target(position, match, text), kind, None, file, rank, drop, promotion)


def _match(text: str) -> re.Match[str] | None:
    return next(filter(None, (form.fullmatch(text) for form in _MOVES)), None)


def _is_western(match: re.Match[str]) -> bool:
    """Whether a move names its square in shogi's way, or names none."""
    return match["target"][:1].isdigit() or not match["target"]


def _target(position: Position, match: re.Match[str], text: str) -> int:
    if match["target"]:
        file, rank = _place(match["target"], _is_western(match))
        assert file is not None
        assert rank is not None
        return 9 * file + rank
    if not position.moves:
        raise UserError("{text!r} takes what has just moved, but no move came before", text=text)
    return square_index(position.moves[-1][2:4])


def _place(text: str, is_western: bool) -> tuple[int | None, int | None]:
    """The file and the rank that letters and digits name; None for one that they do not name."""
    if is_western:
        file = FILES.index(text[0]) if text[:1].isdigit() else None
        rest = text[file is not None:]
        return file, (RANKS if rest in RANKS else FILES).index(rest) if rest else None
    file = next((8 - RANKS.index(letter) for letter in text if letter.isalpha()), None)
    return file, next((9 - int(letter) for letter in text if letter.isdigit()), None)


def _handicap(text: str) -> str:
    """The set-up of a handicap as PSN names it: 2 piece, two pieces, rook and lance."""
    words = [_NUMBERS.get(word, word) for word in re.findall(r"[a-z]+|\d+", text.lower()) if word not in _FILLERS]
    if " ".join(words) not in _HANDICAPS:
        raise UserError("{text!r} is no handicap; those known are {names}", text=text,
                        names=Listed(filter(None, _HANDICAPS)))
    return HANDICAPS[_HANDICAPS[" ".join(words)]]


def _known(tags: dict[str, str], name: str) -> str:
    value = tags.get(name, "")
    return "" if value in _UNKNOWN else value


def _sfen(fen: str) -> str:
    """The SFEN of XBoard's FEN, which has hands in brackets behind the board, and `w` where White, our Black, is to
    move."""
    match = re.fullmatch(r"(\S+)\[(-|[A-Za-z]*)\] ([wb])\b.*", fen)
    if not match:
        return fen
    hands = "".join(f"{match[2].count(letter)}{letter}" for letter in dict.fromkeys(match[2].replace("-", "")))
    return f"{match[1]} {'bw'['wb'.index(match[3])]} {hands or '-'} 1"


# -- Writing -----------------------------------------------------------------------------------------------------------

def usi_to_pgn(position: Position, usi: str) -> str:
    """A legal move as XBoard writes it. Raises UserError if it is not legal.

    >>> [usi_to_pgn(Position(), move) for move in ("7g7f", "6i5h")]
    ['c4', 'Gde2']
    """
    require_legal(position, usi, usi)
    target = _chess_square(usi[2:4])
    if usi[1] == "*":
        return f"{usi[0]}@{target}"
    letter, others, promotion = parts_of(position, usi)
    if letter == "P":       # of which no two of a side can go to a square
        return target + promotion
    origin, rivals = _chess_square(usi[:2]), {_chess_square(other) for other in others}
    if not rivals:
        origin = ""
    elif all(other[0] != origin[0] for other in rivals):
        origin = origin[0]
    elif all(other[1] != origin[1] for other in rivals):
        origin = origin[1]
    return letter + origin + "x" * (position.piece_at(usi[2:4]) != 0) + target + promotion


def parts_of(position: Position, usi: str) -> tuple[str, set[str], str]:
    """The parts of a legal move on the board: the letter of its piece, the squares from which others of that kind could
    go there, and the sign of its promotion."""
    kind = position.piece_at(usi[:2]) % WHITE_PIECE
    letter = LETTERS[kind] if kind <= PROMOTED else "+" + LETTERS[kind - PROMOTED]
    rivals = {move[:2] for move in position.legal_moves() if move[2:4] == usi[2:4] and move[1] != "*"
              and move[:2] != usi[:2] and position.piece_at(move[:2]) % WHITE_PIECE == kind}
    return letter, rivals, "+" if usi.endswith("+") else "=" if position.is_legal(usi + "+") else ""


def format_pgn(*records: GameRecord) -> str:
    """Write games, with their variations, as a PGN file of XBoard's, to be saved in UTF-8.

    Each line of a comment becomes a comment of its own, and the comment on the end follows that on the last move.
    Times, remarks, most headers, empty lines, variations behind the last move of their line, and how exactly a game was
    lost are left out: PGN has no place for them. Raises UserError if a move is not legal.
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
    return "1/2-1/2" if record.terminal in DRAWS else "*"


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
        yield from (f"${nag}" for nag in record.nags.get(ply, []))
        position.push(usi)
        yield from _comment(record, ply)
        for variation in filter(lambda each: each.moves, record.variations.get(ply, [])):     # PGN has no other
            yield f"({' '.join(_words(variation, number + ply - 1))})"
        says_number = ply in record.comments or ply in record.variations
    yield from _comment(record, len(record.moves) + 1)      # the comment on the end, which is no move here


def _comment(record: GameRecord, ply: int) -> Iterator[str]:
    for line in lines_of(record.comments.get(ply, "")):
        if text := " ".join(line.split()):
            yield f"{{{text.replace('}', ')')}}}"


def _chess_square(name: str) -> str:
    return RANKS[9 - int(name[0])] + str(9 - RANKS.index(name[1]))
