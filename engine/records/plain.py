"""Plain games, typed or pasted: moves alone, in any notation, numbered or not: 76歩 34歩, P-7f P-3d, 1. 7六歩."""
import re
from collections.abc import Iterator

from engine.board import Position
from engine.errors import UserError
from engine.records.ends import end_of, told_end
from engine.records.kakinoki import TIME, spent_seconds
from engine.records.record import Comments, GameRecord, LesserFault, printable, take_lines
from engine.records.relation import require_one
from engine.records.wish import fitting, read_wish

_NUMBER = re.compile(r"[0-9０-９]{1,3}(?:[.．:：、)）-]+|手目?)?|\.{2,}")      # with a further digit, it may be a move
_NUMBERED = re.compile(r"[0-9０-９]{1,4}(?:[.．:：、)）]+|手目)(?=.)")
_TOKEN = re.compile(r"同[\s]+\S+|[(（][^()（）]*[)）]|[^\s,、，]+")
_FIRST_LINE = re.compile(r"^[^\S\n]*[^\s#*].*", re.MULTILINE)
_ENDS = {"resign": "投了", "resigns": "投了", "resigned": "投了"}
_SUMMARY = "まで"
_FIRST = 2          # moves of the first line that tell such a game


def is_plain(text: str) -> bool:
    """Whether a text is meant as a plain game, by its first moves. A line with one move, separated from its number by a
    blank only, is KIF."""
    match = _FIRST_LINE.search(text)
    first = printable(match[0]) if match else ""
    tokens = [token for token, _ in zip(_tokens(first), range(_FIRST), strict=False)]
    if not tokens:
        return False
    is_kif = len(tokens) < _FIRST and first.split(maxsplit=1)[0].isdecimal() and not tokens[0].isascii()
    return not is_kif and all(read_wish(token, None) for token in tokens)


def parse_plain(text: str, strict: bool = True) -> GameRecord:
    """Read a plain game. A line that begins with # is skipped, one that begins with * is a comment. Raises UserError,
    with the line, for a word that is no move, and for a move that is illegal or ambiguous. Unless `strict`, the rest is
    skipped, and the fault noted in the record's `faults`."""
    reader = _Reader()
    take_lines(text, reader.take, None if strict else reader.record.faults.append)
    reader.comments.close()
    return reader.record


class _Reader:
    """A game that is being read."""

    def __init__(self) -> None:
        self.record, self.position, self.comments = GameRecord(), Position(), Comments()
        self.is_broken = False

    def take(self, line: str) -> None:
        line = line.strip()
        if self.is_broken or line.startswith("#"):
            return
        if line.startswith("*"):
            self.comments.add(self.record, len(self.record.moves), line[1:])
            return
        line, summary, sentence = line.partition(_SUMMARY)
        try:
            for token in _tokens(line):
                self._take_token(token)
        except LesserFault:
            raise
        except UserError:
            self.is_broken = True
            raise
        if summary and not self.record.terminal:
            self.record.terminal = told_end(sentence, self.position)

    def _take_token(self, token: str) -> None:
        record, position = self.record, self.position
        if time := TIME.fullmatch(token):
            record.times[len(record.moves)] = spent_seconds(time["time"])
        elif end := end_of(_ENDS.get(token.lower(), token), position):
            record.terminal = end
        elif record.terminal:
            raise UserError("{text!r} comes after the end of the game", text=token)
        else:
            usi = _move(position, token, record.moves[-1] if record.moves else None)
            position.push(usi)
            record.moves.append(usi)


def _tokens(line: str) -> Iterator[str]:
    """The words of a line without the move numbers."""
    for match in _TOKEN.finditer(line):
        if not _NUMBER.fullmatch(match[0]):
            yield _NUMBERED.sub("", match[0], count=1) if _NUMBERED.match(match[0]) else match[0]


def _move(position: Position, token: str, previous: str | None) -> str:
    wish = read_wish(token, previous)
    if not wish:
        raise UserError("{text!r} is no move; write it as 7g7f, 76歩 or P-7f", text=token)
    if wish.target is None:
        raise UserError("{text!r}: no move came before that 同 could point to", text=token)
    return require_one(position, token, fitting(position, wish))
