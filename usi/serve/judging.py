"""The judgement of a reader's move in an exercise: a search that ends as soon as the verdict is certain."""
import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from engine import BLACK
from engine.errors import UserError
from search import Info, Limits
from usi.commands.analyze.report import score_json
from usi.serve.desk import Desk, Rank
from usi.serve.looking import Looks, Report
from usi.serve.studies import Study
from usi.words.wording import MARKS, expected_score

LEAST_NODES = 20_000        # of a judgement, however slow the machine is
SURE_SHARE = 20             # a verdict may be certain after this part of the nodes of the position's deepest look
SURE_MARGIN = 0.03          # least distance of the loss from the limit of a good move
SURE_ITERATIONS = 2         # iterations in a row in which it has to be as far
JUDGING_MS = 1500           # after which a verdict is given as it stands
MOST_JUDGING_MS = 10_000    # of a second search, if the first had fewer than LEAST_NODES by then
REPORT_S = 0.15             # between two reports of progress


async def judged(desk: Desk, study: Study, ply: int, move: str, report: Report) -> dict[str, Any]:
    """The judgement of a reader's move in place of the game's. It is compared with the deepest look at the position.
    `report` gets the loss so far. Raises UserError if the move is not legal, or the position has not been looked at."""
    if not 0 <= ply < len(study.analysis.looks):
        raise UserError("this position has not been analysed")
    before = study.analysis.looks_at(ply)[-1]
    best, own = expected_score(before.score), {"study": study.id, "ply": ply, "move": move}
    loop = asyncio.get_running_loop()
    engine = await desk.engine()

    def tell(depth: int, lost: float) -> None:
        loop.call_soon_threadsafe(report, {"event": "judging", **own, "depth": depth, "lost": lost})

    course = JudgingCourse(best, max(before.nodes // SURE_SHARE, LEAST_NODES), engine.analyst.stop, tell)
    looks = Looks(desk, study, Rank.ANSWER, lambda: report({"event": "judging", **own, "waits": True}))
    for nodes, movetime in ((max(before.nodes, LEAST_NODES), JUDGING_MS), (LEAST_NODES, MOST_JUDGING_MS)):
        after = await looks.again(ply, Limits(nodes=nodes, movetime=movetime, searchmoves=(move,)), course)
        if after.nodes >= LEAST_NODES or after.is_final or after.time_ms < movetime:
            break
    for_black = after.score if after.turn == BLACK else -after.score
    return {"event": "judged", **own, "lost": max(0.0, best - expected_score(after.score)),
            "pv": list(after.candidates[0].pv[1:]) if after.candidates else [], **score_json(for_black, None)}


class JudgingCourse:
    """The course of a judging search, called with its reports in the searching thread. It stops the search when the
    verdict is certain: the loss was far enough from the least loss of a marked move in the last iterations."""

    def __init__(self, best: float, sure_nodes: int, stop: Callable[[], None],
                 tell: Callable[[int, float], None], now: Callable[[], float] = time.monotonic) -> None:
        """`best` is the expected score of the best move, and `sure_nodes` are the fewest for a certain verdict; `tell`
        gets the depth and the loss so far."""
        self._best, self._sure_nodes = best, sure_nodes
        self._stop, self._tell, self._now = stop, tell, now
        self._losses: deque[float] = deque(maxlen=SURE_ITERATIONS)
        self._told: float | None = None

    def __call__(self, _ply: int, info: Info) -> None:
        if info.bound != "exact":
            return
        lost = max(0.0, self._best - expected_score(info.score))
        self._losses.append(lost)
        if self._told is None or self._now() - self._told >= REPORT_S:
            self._told = self._now()
            self._tell(info.depth, lost)
        if info.nodes >= self._sure_nodes and self._is_certain():
            self._stop()

    def _is_certain(self) -> bool:
        limit = MARKS[-1].expected
        return len(self._losses) == SURE_ITERATIONS and (
            all(lost >= limit + SURE_MARGIN for lost in self._losses)
            or all(lost <= limit - SURE_MARGIN for lost in self._losses))
