"""Analysis for the page: live analysis of a position, without end, and of whole games, move by move."""
import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from engine import BLACK, Position
from engine.records.gameover import game_over
from search import Info, Limits, Settings
from search.analysis import result_of
from search.limits import is_mate, is_superior
from search.searcher import SearchHandle
from usi.commands.analyze.analysis import Assessment, analyse, searched
from usi.commands.analyze.report import score_json
from usi.commands.analyze.verdicts import TENFOLD, Effort, look_again
from usi.serve.desk import STOP_AGAIN_S, Desk, Engine, Rank, in_deep_thread
from usi.serve.studies import Study
from usi.words.wording import Special

REPORT_S = 0.08             # between two reports of a live analysis
MATE_NODES = 200_000        # of the mate solver on each position of a game
WAIT_TOLD_S = 0.3           # for the engine, until the reader is told of it
MOST_DEEPER_MS = 30_000     # of a deeper look that a reader asks for
FIRST_MS = 1000             # of the first look, where a reader asks for a deeper one

Report = Callable[[dict[str, Any]], None]


async def live(desk: Desk, position: Position, lines: int, number: int, report: Report) -> None:
    """Search a position until cancelled. `report` gets the lines as they come, with `number`. While others use the
    engine it waits; then it continues from the table."""
    if over := game_over(position):
        score = 0 if over.winner is None else 1 if over.winner == BLACK else -1
        report({"event": "lines", "number": number, "over": over.reason, "winner": over.winner, "lines": [],
                "expected": (1 + score) / 2})
        return
    while True:
        heard = _Heard(position, number, report)
        gives_way = _Way()
        async with desk.turn(Rank.LIVE, gives_way.give) as engine:
            handle = engine.analyst.start(position, Limits(), Settings(multi_pv=lines), heard.hear)
            gives_way.stop_with(handle)
            result = await result_of(handle)
        if not gives_way.is_given:
            heard.end(result.outcome)
            return
        report({"event": "waits", "number": number})


class _Way:
    """A request to give way, which may come before the search has begun."""

    def __init__(self) -> None:
        self.is_given = False
        self._handle: SearchHandle | None = None

    def give(self) -> None:
        self.is_given = True
        if self._handle:
            self._handle.stop()

    def stop_with(self, handle: SearchHandle) -> None:
        self._handle = handle
        if self.is_given:
            handle.stop()


class _Heard:
    """The lines of a search, collected in its thread and reported in the event loop, at intervals."""

    def __init__(self, position: Position, number: int, report: Report) -> None:
        self._position, self._number, self._report = position, number, report
        self._lines: dict[int, Info] = {}       # by number; those of an iteration come one by one
        self._last: Info | None = None
        self._told = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    def hear(self, info: Info) -> None:
        """Take a report. Called in the searching thread."""
        self._loop.call_soon_threadsafe(self._take, info)

    def end(self, outcome: str) -> None:
        """Report the last lines, when the search has ended by itself."""
        self._loop.call_soon(partial(self._tell, outcome))

    def _take(self, info: Info) -> None:
        self._lines[info.multipv] = self._last = info
        if self._timer is None:
            wait = max(0.0, self._told + REPORT_S - time.monotonic())
            self._timer = self._loop.call_later(wait, self._tell)

    def _tell(self, outcome: str = "") -> None:
        if self._timer:
            self._timer.cancel()
        self._timer, self._told = None, time.monotonic()
        info = self._last
        self._report({
            "event": "lines", "number": self._number, "outcome": outcome,
            "depth": info.depth if info else 0, "seldepth": info.seldepth if info else 0,
            "nodes": info.nodes if info else 0, "ms": info.time_ms if info else 0,
            "lines": [{"depth": each.depth, "pv": list(each.pv), "bound": each.bound,
                       **score_json(each.score if self._position.turn == BLACK else -each.score, self._special(each))}
                      for each in self._latest()]})

    def _latest(self) -> list[Info]:
        """The latest line of each number. A line whose move has moved up since is left out until its number has a new
        one."""
        found: dict[str, Info] = {}
        for _number, info in sorted(self._lines.items()):
            found.setdefault(info.pv[0], info)
        return list(found.values())

    def _special(self, info: Info) -> Special | None:
        if is_superior(info.score):
            return "superior"
        if not is_mate(info.score):
            return None
        end = self._position.copy()
        for move in info.pv:
            end.push(move)
        return "declaration" if end.can_declare(Settings().entering_king_rule) else None


class Looks:
    """Searches of positions of one game in the background, each repeated if it had to give way."""

    def __init__(self, desk: Desk, study: Study, rank: Rank, on_wait: Callable[[], None] = lambda: None) -> None:
        """`on_wait` is called when a search has waited WAIT_TOLD_S for the engine."""
        self._desk, self._study, self._rank, self._on_wait = desk, study, rank, on_wait
        self._record = study.record
        self._waited = 0.0      # seconds that others had the engine

    def take_waited(self) -> float:
        """The seconds that looks have waited for others, or begun in vain, since the last call."""
        waited, self._waited = self._waited, 0.0
        return waited

    async def first(self, ply: int, limits: Limits) -> Assessment:
        """The first look at a position."""
        return await self._undisturbed(lambda engine: next(analyse(
            self._record, [ply], engine.analyst, limits, Settings(), solver=engine.solver, mate_nodes=MATE_NODES)))

    async def again(self, ply: int, limits: Limits, on_info: Callable[[int, Info], None] | None = None) -> Assessment:
        """A further search of a position, which the rules have not ended. `on_info` gets its reports."""
        return await self._undisturbed(lambda engine: searched(
            self._record.position(ply), ply, engine.analyst, limits, Settings(), on_info))

    async def _undisturbed(self, work: Callable[[Engine], Assessment]) -> Assessment:
        await self._desk.engine()       # loading is no wait for others
        asked, loop = time.monotonic(), asyncio.get_running_loop()
        while True:
            telling = loop.call_later(WAIT_TOLD_S, self._on_wait)
            try:
                async with self._turn() as (engine, given):
                    telling.cancel()
                    begun = time.monotonic()
                    found = await in_deep_thread(lambda: work(engine), engine.stop)
            finally:
                telling.cancel()
            if not given:
                self._waited += begun - asked
                return found

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[tuple[Engine, list[bool]]]:
        """Hold the engine during the block. The list yielded is filled if the block had to give way."""
        given: list[bool] = []
        loop, engine = asyncio.get_running_loop(), await self._desk.engine()
        timers: list[asyncio.TimerHandle] = []

        def give() -> None:             # repeatedly: the search may not have begun yet
            given.append(True)
            engine.stop()
            for timer in timers:        # of an earlier call: each search that waits calls
                timer.cancel()
            timers[:] = [loop.call_later(STOP_AGAIN_S, give)]

        async with self._desk.turn(self._rank, give):
            try:
                yield engine, given
            finally:
                for timer in timers:
                    timer.cancel()


async def whole_game(desk: Desk, study: Study, movetime: int, report: Report) -> None:
    """Analyse every position of a game, and doubtful moves again, as `engine analyze` does, until the reader changes
    the game. Looks that the study has are not repeated. `report` gets each position as it is done."""
    with telling_end(study.id, report):
        looks = Looks(desk, study, Rank.BACKGROUND, lambda: report({"event": "progress", "study": study.id,
                                                                   "waits": True}))
        game, last = _game_of(study), len(study.record.moves)
        await desk.engine()         # loading it takes none of the time
        effort = Effort.of_game(Limits(movetime=movetime), last + 1)
        while (ply := len(study.analysis.looks)) <= last:
            report({"event": "progress", "study": study.id, "done": ply, "of": last + 1, "left": effort.left})
            found = await looks.first(ply, effort.first_look(last + 1 - ply))
            if _game_of(study) != game:
                return
            effort.postpone(looks.take_waited())
            _keep_first(study, found, report)
        loop = asyncio.get_running_loop()
        known = {(found.ply, found.look): found for each in study.analysis.looks for found in each}

        running: list[Future[Assessment]] = []

        def search(ply: int, limits: Limits) -> Assessment:
            running[:] = [asyncio.run_coroutine_threadsafe(looks.again(ply, limits), loop)]
            found = running[0].result()
            effort.postpone(looks.take_waited())
            return found

        def stop() -> None:
            for each in running:
                each.cancel()

        again = look_again(study.analysis, search, effort, known)
        count = 0
        while True:
            report({"event": "progress", "study": study.id, "again": count, "left": effort.left})
            found_again = await in_deep_thread(lambda: next(again, None), stop)
            if found_again is None or _game_of(study) != game:
                return
            count += 1
            if known.get((found_again.ply, found_again.look)) != found_again:
                study.keep(found_again)
                _tell_nodes(report, study, found_again.ply)


async def deeper(desk: Desk, study: Study, ply: int, report: Report) -> None:
    """Search the positions before and after this move again, TENFOLD as long as the last time."""
    with telling_end(study.id, report):
        looks, game = Looks(desk, study, Rank.ANSWER), _game_of(study)
        plies = [each for each in (ply - 1, ply) if 0 <= each <= len(study.record.moves)]
        while len(study.analysis.looks) <= max(plies, default=-1):      # earlier ones, too: an analysis has no gaps
            report({"event": "progress", "study": study.id, "deeper": ply})
            first = await looks.first(len(study.analysis.looks), Limits(movetime=FIRST_MS))
            if _game_of(study) != game:
                return
            _keep_first(study, first, report)
        times = [_deeper_ms(study.analysis.looks_at(each)[-1]) for each in plies]
        for number, each in enumerate(plies):
            report({"event": "progress", "study": study.id, "deeper": ply, "part": number, "of": len(plies),
                    "left": sum(times[number:]) / 1000})
            last, movetime = study.analysis.looks_at(each)[-1], times[number]
            if not movetime:
                continue
            found = await looks.again(each, Limits(movetime=movetime))
            if _game_of(study) != game:
                return
            study.keep(replace(found, look=last.look + 1, mate=last.mate))
            _tell_nodes(report, study, each)


def _deeper_ms(last: Assessment) -> int:
    """The milliseconds of a deeper look after this one; 0 if this one cannot be bettered."""
    return 0 if last.is_final else min(max(TENFOLD * last.time_ms, FIRST_MS), MOST_DEEPER_MS)


@contextmanager
def telling_end(study: str, report: Report) -> Iterator[None]:
    """Report the end of the block's work, however it ends, unless it is cancelled: then the page knows, and may show
    other work already."""
    try:
        yield
    except asyncio.CancelledError:
        raise
    except BaseException:
        report({"event": "progress", "study": study, "over": True})
        raise
    report({"event": "progress", "study": study, "over": True})


def _game_of(study: Study) -> tuple[str, tuple[str, ...]]:
    """The part of a game on which its looks depend. Variations and comments are no part of it."""
    return study.record.initial_sfen, tuple(study.record.moves)


def _keep_first(study: Study, found: Assessment, report: Report) -> None:
    """Add the first look at the next position, unless another tab was quicker."""
    if found.ply == len(study.analysis.looks):
        study.keep(found)
    _tell_nodes(report, study, found.ply)


def _tell_nodes(report: Report, study: Study, ply: int) -> None:
    """Report what a look changes: its position, and the judgements of the move before it and the move after it."""
    known = range(len(study.analysis.looks))
    report({"event": "nodes", "study": study.id, "turning_point": study.turning_point,
            "nodes": {each: study.node(each) for each in (ply, ply + 1) if each in known}})

