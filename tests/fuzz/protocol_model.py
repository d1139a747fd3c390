"""A model of USI's output: the form of each line, as strict as the strictest parser, and when it may come."""
import re
from collections import Counter, deque
from dataclasses import dataclass

from rsshogi.usi import parse_bestmove, parse_info

from engine import Position
from tests.fuzz.commands import OptionTable, read_go
from usi.client.replies import FORMS
from usi.session.options import OPTIONS
from usi.words.wording import diagram

_PV = r" nodes \d+ nps \d+ hashfull \d+ time \d+ pv( [1-9PLNSGBR][a-i*][1-9][a-i]\+?)+"
PV_INFO = re.compile(
    r"info depth \d+ seldepth \d+ multipv \d+ score (cp -?\d+|mate -?[1-9]\d*)( lowerbound| upperbound)?" + _PV)
NAMED_INFO = re.compile(r"info depth \d+ seldepth \d+ multipv (?P<line>\d+)" + _PV)      # its name comes before it
MATE_INFO = re.compile(r"info depth \d+ seldepth \d+ nodes \d+ nps \d+ hashfull \d+ time \d+")   # none found yet
INSTEAD_OF_SEARCH = ("info string book:", "info string there is not enough memory", "info string there is no room")
BEYOND_THE_PROTOCOL = re.compile(r"eval: -?\d+|[1-9PLNSGBR][a-i*][1-9][a-i]\+?: \d+|Nodes searched: \d+")


class Violation(Exception):
    """The engine has broken the protocol, died, or fallen silent."""


def check_form(line: str) -> None:
    """Whether a line has the form of something that an engine may say. Raises AssertionError, or ValueError by
    rsshogi."""
    if line.startswith("info ") and not line.startswith("info string"):
        assert any(form.fullmatch(line) for form in (PV_INFO, NAMED_INFO, MATE_INFO)), line
    else:
        assert FORMS.fullmatch(line), line
    if line.startswith("info"):
        parse_info(line)
    if line.startswith("bestmove"):
        parse_bestmove(line)


def pv_of(line: str) -> list[str]:
    """The moves of an `info` line, [] if it shows none."""
    return line.partition(" pv ")[2].split()


def position_after(position: Position, moves: list[str], line: str) -> Position:
    """A copy of the position with the moves played; Violation, with the line they are from, if one is illegal."""
    after = position.copy()
    try:
        for move in moves:
            after.push(move)
    except ValueError as error:
        raise Violation(f"'{line}' in {position.sfen}: {error}") from None
    return after


@dataclass
class OpenGo:
    """A `go` that has no answer yet."""

    position: Position
    answer: str             # the first word of it
    rule: str               # of entering kings
    until_stop: bool        # must not answer before `stop` and the like,
    until_hit: bool         # nor before `ponderhit`
    shown: bool = False     # a line with its score, or the book's choice, or an error that left nothing better


class ProtocolModel:
    """The model compares the engine's output with its input. Searches are answered in the order of their commands, each
    once; the open ones are in `searches`. Questions about its state are, too, line by line in `replies`."""

    def __init__(self) -> None:
        self.position = Position()
        self.options = OptionTable([*map(str, OPTIONS)])
        self.searches: deque[OpenGo] = deque()
        self.replies: deque[str] = deque()
        self.owed = {"usiok": 0, "readyok": 0}
        self.quit = False
        self.last_answer = ""
        self.before = ""                # the line before
        self.parsed = Counter[str]()    # lines by their first word

    def sent(self, raw: bytes) -> None:
        """Note that these bytes, which end with a whole line, were sent."""
        for line in re.split(r"\r\n|\r|\n", raw.decode("utf-8", "surrogateescape"))[:-1]:
            if not self.quit:
                word, *rest = line.split(maxsplit=1) or [""]
                self._obey(word, "".join(rest).strip())

    def _obey(self, word: str, arguments: str) -> None:
        match word:
            case "quit":
                self.quit = True
                self._release()
            case "usi":
                self.owed["usiok"] += 1
            case "isready":
                self.owed["readyok"] += 1
            case "stop" | "gameover" | "usinewgame":
                self._release()
            case "position":
                try:
                    self.position = Position.from_usi(arguments)
                except ValueError:
                    return
            case "setoption":
                self.options.obey(arguments)
            case "side":
                self.replies.append("white" if self.position.turn else "black")
            case "moves":
                self.replies.append(" ".join(sorted(self.position.legal_moves())))
            case "key":
                self.replies.append(f"{self.position.key:016x}")
            case "d":
                self.replies.extend([*diagram(self.position.sfen), f"sfen: {self.position.sfen}"])
            case "getoption":
                self.replies.extend(self.options.shown(arguments))
            case "ponderhit":
                if self.searches:
                    self.searches[-1].until_hit = False
            case "go":
                self._release()
                asked = read_go(arguments)
                if asked.answer:
                    self.searches.append(OpenGo(self.position.copy(), asked.answer,
                                                self.options.value("EnteringKingRule"), asked.until_stop,
                                                asked.until_hit))

    def _release(self) -> None:
        for search in self.searches:
            search.until_stop = search.until_hit = False

    def received(self, line: str) -> None:
        """Raises Violation if the engine may not say this now."""
        if self.replies and line == self.replies[0]:
            self.replies.popleft()
            return
        if BEYOND_THE_PROTOCOL.fullmatch(line):
            return
        try:
            check_form(line)
        except (AssertionError, ValueError) as error:
            due = f", and '{self.replies[0]}' is due" if self.replies else ""
            raise Violation(f"'{line}' has no form that parsers know{due}: {error}") from None
        before, self.before = self.before, line
        names = [f"info string {name} position, line " for name in ("superior", "inferior")]
        if (named := NAMED_INFO.fullmatch(line)) and not before.startswith(tuple(
                f"{name}{named['line']}:" for name in names)):
            raise Violation(f"'{line}' has neither a score nor a name before it")
        word, _, rest = line.partition(" ")
        self.parsed[word] += 1
        if word in self.owed:
            self.owed[word] -= 1
            if self.owed[word] < 0:
                raise Violation(f"'{word}' was not asked for")
        elif word in ("bestmove", "checkmate"):
            self._answer(word, rest, line)
        elif line.startswith("info depth"):
            if not self.searches:
                raise Violation(f"'{line}' outside any search")
            pv = pv_of(line)
            position_after(self.searches[0].position, pv, line)
            self.searches[0].shown |= bool(pv)
        elif self.searches and line.startswith(INSTEAD_OF_SEARCH):
            self.searches[0].shown = True

    def _answer(self, word: str, rest: str, line: str) -> None:
        if not self.searches:
            raise Violation(f"'{line}' answers nothing")
        search = self.searches.popleft()
        self.last_answer = line
        if word != search.answer:
            raise Violation(f"'{line}' where {search.answer} is due")
        if search.until_stop or search.until_hit:
            raise Violation(f"'{line}' before it may be said")
        if word == "checkmate":
            if rest not in ("nomate", "timeout") and not position_after(search.position, rest.split(), line).is_mate():
                raise Violation(f"'{line}' in {search.position.sfen} is no mate")
            return
        best, *ponder = rest.split(" ponder ")
        if best == "resign" and search.position.is_mate():
            return
        if best == "win":
            if not search.position.can_declare(search.rule):
                raise Violation(f"'{line}' in {search.position.sfen} under {search.rule}")
        elif best != "resign":
            position_after(search.position, [best, *ponder], line)
            if not search.shown and len(search.position.legal_moves()) > 1:
                raise Violation(f"'{line}' after no `info` with a score and a line: nobody has searched this move")

    @property
    def settled(self) -> bool:
        """Whether no answer is outstanding."""
        return not self.searches and not self.replies and not any(self.owed.values())
