"""The exercises: mistakes of the games in the folder, and mate problems, with the reader's progress."""
import time
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from engine import Position
from engine.errors import UserError
from search.mate import MateSolver
from usi.serve.desk import Desk, Rank, in_deep_thread
from usi.serve.memory import Memory
from usi.serve.studies import Collection, Study, players

LEARNED = "learned"         # the memory's name for it
DAY_S = 86_400
# Days until a task comes again, by how many times in a row it was solved.
REST_DAYS = (0, 1, 3, 7, 21, 60, 180)
MOST_GAMES = 3000
MOST_KEYS = 100_000
SOLVE_MS = 3000             # for the mate behind one defence
MOST_PLIES = 100            # of a problem


class LessonProgress:
    """The exercises that were solved, and when each should come again."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._known: dict[str, Any] = memory.read(LEARNED) or {}

    def of(self, key: str, now: float) -> dict[str, Any]:
        """The number of times in a row that an exercise was solved (None if it is new), and whether it is due."""
        known = self._known.get(key)
        if not (isinstance(known, list) and len(known) == 2 and all(isinstance(each, int) for each in known)):
            return {"solved": None, "due": True}
        return {"solved": known[0], "due": known[1] <= now}

    def note(self, key: str, found: bool, now: float) -> None:
        """Note whether an exercise was solved. Raises OSError."""
        if len(key) > 64 or (key not in self._known and len(self._known) >= MOST_KEYS):
            raise UserError("there is no room to remember more")
        solved = (self.of(key, now)["solved"] or 0) + 1 if found else 0
        solved = min(solved, len(REST_DAYS) - 1)
        self._known[key] = [solved, int(now) + DAY_S * REST_DAYS[solved]]
        self._memory.write(LEARNED, self._known)


def survey(collection: Collection, progress: LessonProgress) -> dict[str, Any]:
    """The number of games in the folder, their players, and their mistakes, game by game, each with the reader's
    progress; the page decides which to show first. Takes a while for many files."""
    studies = list(games(collection))
    now = time.time()
    tasks = [task | progress.of(task["key"], now) for study in studies for task in study.mistakes()]
    return {"event": "lessons", "folder": str(collection.folder), "games": len(studies),
            "left": sum(not is_done(study) for study in studies), "players": players(studies), "tasks": tasks}


def games(collection: Collection) -> Iterable[Study]:
    """The games in the folder that can be read and have moves."""
    count = 0
    for name in collection.files():
        try:
            found = collection.read(name)
        except (OSError, UserError):
            continue
        for study in found:
            if study.record.moves:
                yield study
                count += 1
                if count == MOST_GAMES:
                    return


def is_done(study: Study) -> bool:
    """Whether every position of a game has been analysed."""
    return len(study.analysis.looks) > len(study.record.moves)


def problems(progress: LessonProgress) -> list[dict[str, Any]]:
    """The mate problems that come with Gakushi, short ones first."""
    lines = files("usi.serve").joinpath("data/mates.tsv").read_text(encoding="ascii").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    now = time.time()
    return [{"sfen": sfen, "plies": int(plies), "key": key_of(sfen)} | progress.of(key_of(sfen), now)
            for sfen, plies in rows]


def key_of(sfen: str) -> str:
    """The key under which a problem's progress is kept."""
    return sha256(Position(sfen).sfen.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Defence:
    """A reply to a check, and the plies of the mate behind it; None if there is none, or it was not found in time."""

    move: str
    plies: int | None
    is_sure: bool = True
    is_shortest: bool = False       # the mate is proved to be the shortest one


async def attacked(desk: Desk, sfen: str, moves: tuple[str, ...], move: str) -> dict[str, Any]:
    """The outcome of the attacker's move in a mate problem: whether it checks, mates, or still mates against every
    defence. Each defence has the plies of the mate behind it, the longest first; `least` is how many plies the attack
    needs at best, None if not known; drops, which may be useless interpositions, do not count there. Raises UserError
    if a move is not legal."""
    position = _after(sfen, moves)
    if not position.is_legal(move):
        raise UserError("'{move}' is not legal here", move=move)
    checks = position.gives_check(move)
    position.push(move)
    answer: dict[str, Any] = {"event": "attacked", "move": move, "ply": len(moves), "checks": checks,
                              "mates": checks and position.is_mate(), "right": False, "defences": [], "least": None}
    if answer["mates"]:
        return answer | {"right": True}
    if not checks:
        return answer
    async with desk.turn(Rank.ANSWER) as engine:
        found = await in_deep_thread(lambda: _defences(engine.solver, position), engine.solver.stop)
    refuted = [each for each in found if each.plies is None]
    shown = refuted or sorted(found, key=lambda each: -(each.plies or 0))
    least = max((each.plies or 0 for each in found if each.is_shortest and each.move[1] != "*"), default=None)
    return answer | {"right": not refuted, "least": least, "sure": all(each.is_sure for each in refuted),
                     "defences": [{"move": each.move, "plies": each.plies} for each in shown]}


async def solved(desk: Desk, sfen: str, moves: tuple[str, ...]) -> dict[str, Any]:
    """The shortest mate that the solver finds. Raises UserError if it finds none."""
    position = _after(sfen, moves)
    async with desk.turn(Rank.ANSWER) as engine:
        found = await in_deep_thread(lambda: engine.solver.solve(position, SOLVE_MS), engine.solver.stop)
    if found.outcome != "mate":
        raise UserError("there is no mate here, or it was not found in time")
    return {"event": "solved", "ply": len(moves), "pv": list(found.moves)}


def _after(sfen: str, moves: tuple[str, ...]) -> Position:
    if len(moves) > MOST_PLIES:
        raise UserError("{count} moves; {most} are the most", count=len(moves), most=MOST_PLIES)
    position = Position(sfen)
    for move in moves:
        position.push(move)
    return position


def _defences(solver: MateSolver, position: Position) -> list[Defence]:
    """The replies to a check, up to the first one without a mate. Of drops on one square only one is tried: the piece
    rarely matters."""
    found: list[Defence] = []
    replies: dict[str, str] = {}
    for move in sorted(position.legal_moves(), key=lambda each: ("PLNSGBR".find(each[0]), each)):
        replies.setdefault(f"*{move[2:4]}" if move[1] == "*" else move, move)
    for move in replies.values():
        position.push(move)
        result = solver.solve(position, SOLVE_MS, refine_ms=SOLVE_MS / 10)
        position.pop()
        found.append(Defence(move, result.plies if result.outcome == "mate" else None, result.outcome != "timeout",
                             result.shortest))
        if result.outcome != "mate":
            break
    return found
