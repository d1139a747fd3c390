"""Turns at the engine: one search at a time, the others wait."""
import asyncio
import heapq
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from itertools import count
from threading import Thread
from typing import TypeVar

from search import Searcher
from search.mate import MateSolver
from search.threads import start_deep
from usi.serve.faults import told_fault

T = TypeVar("T")

SLICE_S = 2.0       # that a search may hold the engine while another of its rank waits
STOP_AGAIN_S = 0.05


class Rank(IntEnum):
    """The priority of a search."""

    PLAY = 0        # the engine's move in a game
    ANSWER = 1      # a hint, a judgement, a mate problem: a reader waits for it
    LIVE = 2        # an analysis without end
    BACKGROUND = 3  # whole games


@dataclass(frozen=True)
class Engine:
    """The searchers and the mate solver. A game has a searcher of its own, because a weak level must not know what an
    analysis has found."""

    player: Searcher
    analyst: Searcher
    solver: MateSolver

    def stop(self) -> None:
        """Stop all searches."""
        with ExitStack() as stops:      # also if one raises
            for each in (self.player, self.analyst, self.solver):
                stops.callback(each.stop)


@dataclass
class _Holder:
    rank: Rank
    give_way: Callable[[], None] | None


async def in_deep_thread(work: Callable[[], T], stop: Callable[[], None]) -> T:
    """The result of `work`, done in a thread with the stack that the mate solver needs. If this is cancelled, `stop`
    ends the work, which is waited for."""
    loop, outcome = asyncio.get_running_loop(), Future[T]()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    thread = Thread(target=run, daemon=True)
    start_deep(thread)
    waited = asyncio.wrap_future(outcome, loop=loop)
    try:
        return await asyncio.shield(waited)
    except asyncio.CancelledError as cancelled:
        ends: BaseException = cancelled
        while not waited.done():        # repeatedly: the search may not have begun yet
            try:
                stop()
            except Exception as error:
                ends = error
            with suppress(asyncio.CancelledError):      # once more: the engine is not free before the work has ended
                await asyncio.wait([waited], timeout=STOP_AGAIN_S)
        if not waited.cancelled():
            waited.exception()          # nobody else asks
        raise ends from None


class Desk:
    """The engine, lent to one search at a time, best rank first. The holder is asked to give way to a better rank at
    once, and to an equal one after SLICE_S."""

    def __init__(self, load: Callable[[], Engine]) -> None:
        """`load` makes the engine, in a thread, at its first use."""
        self._load = load
        self._loading: asyncio.Task[Engine] | None = None
        self._holder: _Holder | None = None
        self._waiting: list[tuple[Rank, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._slice: asyncio.TimerHandle | None = None

    async def engine(self) -> Engine:
        """The engine, loaded first if needed. Raises what `load` raises."""
        if self._loading is None or (self._loading.done() and self._loading.exception()):
            self._loading = asyncio.ensure_future(asyncio.to_thread(self._load))
        return await asyncio.shield(self._loading)

    @asynccontextmanager
    async def turn(self, rank: Rank, give_way: Callable[[], None] | None = None) -> AsyncIterator[Engine]:
        """Hold the engine during the block. `give_way` is called when the block should end soon, because another search
        waits; it may then ask for another turn."""
        engine = await self.engine()
        await self._sit_down(rank)
        try:
            self._holder = _Holder(rank, give_way)
            self._press_holder()
            yield engine
        finally:
            self._rise()

    async def close(self) -> None:
        """Stop the engine's search."""
        if self._loading:
            with suppress(Exception):
                (await self._loading).stop()

    async def _sit_down(self, rank: Rank) -> None:
        if self._holder is None:
            self._holder = _Holder(rank, None)
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (rank, next(self._numbers), place))
        try:
            self._press_holder()
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():      # its turn has just ended
                self._rise()
            else:
                self._waiting = [each for each in self._waiting if each[2] is not place]
                heapq.heapify(self._waiting)
            raise

    def _press_holder(self) -> None:
        """Ask the holder to give way, now or in a while, if a search waits that should come before it."""
        if not (self._holder and self._holder.give_way and self._waiting):
            return
        best = self._waiting[0][0]
        if best < self._holder.rank:
            _press(self._holder.give_way)
        elif best == self._holder.rank and self._slice is None:
            self._slice = asyncio.get_running_loop().call_later(SLICE_S, _press, self._holder.give_way)

    def _rise(self) -> None:
        if self._slice:
            self._slice.cancel()
            self._slice = None
        self._holder = None
        while self._waiting:
            rank, _number, place = heapq.heappop(self._waiting)
            if not place.done():
                self._holder = _Holder(rank, None)      # no other search may come between
                place.set_result(None)
                return


def _press(give_way: Callable[[], None]) -> None:
    """Call `give_way`. What that raises is a fault of who holds the desk, and goes to the log: who waits, waits on."""
    try:
        give_way()
    except Exception as error:
        told_fault(error)
