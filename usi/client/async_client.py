"""The client of USI engines for asyncio: `UsiClient`, its calls to be awaited.

    async with AsyncUsiClient(["engine"]) as client:
        await client.usi()
        await client.isready()
        await client.set_position(Position.from_usi("startpos moves 7g7f"))
        async with client.search(Clock(byoyomi=1000)) as search:
            async for info in search:
                print(info.depth, info.score)
        print((await search.answer()).bestmove)
"""
import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import TypeVar

from engine import Position
from engine.errors import of_type
from usi.client import Answer, EngineSilent, UsiClient, UsiFault
from usi.client.client import START_SECONDS, STOP_SECONDS, GoLimits
from usi.client.replies import EngineInfo

T = TypeVar("T")


class AsyncSearch:
    """A running search. Iterating over it yields its reports as they come, until it ends."""

    def __init__(self, answer: "asyncio.Future[Answer]", reports: "asyncio.Queue[EngineInfo | None]") -> None:
        self._answer = answer
        self._reports = reports

    async def answer(self) -> Answer:
        """Wait for the answer. Raises as UsiClient.answer does."""
        return await asyncio.shield(self._answer)

    async def __aiter__(self) -> AsyncIterator[EngineInfo]:
        while (info := await self._reports.get()) is not None:
            yield info
        self._reports.put_nowait(None)      # for those who iterate again


class AsyncUsiClient:
    """An engine's process, started and ended by `async with`, or by `start` and `close`.

    Calls are made one after another; only `stop` and `ponderhit` come between. A search is stopped if its task is
    cancelled (for instance by `asyncio.timeout`), if the answer does not come in time, or if its block ends first. Then
    its answer is waited for, so the next call finds the engine idle; an engine that does not answer within STOP_SECONDS
    is killed. Methods raise as UsiClient's do. They raise RuntimeError before `start`, and in a task that is inside the
    block of its own search.
    """

    def __init__(self, command: Sequence[str | Path], *, cwd: str | Path | None = None,
                 env: Mapping[str, str] | None = None, encoding: str = "utf-8", strict: bool = False) -> None:
        self._make = lambda: UsiClient(command, cwd=cwd, env=env, encoding=encoding, strict=strict)
        self._client: UsiClient | None = None
        self._thread: ThreadPoolExecutor        # its own, because asyncio has few and a search is long
        self._lock = asyncio.Lock()
        self._caller: asyncio.Task[object] | None = None        # the task that holds the lock
        self._ending: asyncio.Future[None] | None = None        # the end of a search that was cancelled

    @property
    def client(self) -> UsiClient:
        """The engine's name, options and output. Its waiting methods block the event loop."""
        if self._client is None:
            raise RuntimeError("the engine has not been started: use 'async with', or 'await client.start()'")
        return self._client

    async def start(self) -> None:
        """Start the engine; again, once it is closed. Raises OSError if it cannot be started, RuntimeError if it
        runs."""
        if self._client is not None:
            raise RuntimeError("the engine runs already: close it first")
        self._thread = ThreadPoolExecutor(1, "usi client")
        starting = asyncio.ensure_future(self._call(self._make))
        try:
            self._client = await asyncio.shield(starting)
        except asyncio.CancelledError:
            with suppress(OSError):
                await asyncio.to_thread((await starting).close)
            raise
        finally:
            if self._client is None:
                self._thread.shutdown(wait=False)

    async def close(self) -> None:
        """End the engine: first by `quit`, then by force. Calls that still wait for it raise EngineGone. Does nothing
        if it is closed already."""
        if client := self._client:
            self._client = None
            await asyncio.shield(asyncio.to_thread(client.close))
            self._thread.shutdown(wait=False)

    async def __aenter__(self) -> "AsyncUsiClient":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def usi(self, seconds: float = START_SECONDS) -> None:
        """Send `usi`; sets the engine's name and options."""
        async with self._turn() as client:
            await self._call(client.usi, seconds)

    async def set_option(self, name: str, value: str | float | PathLike[str] = "") -> None:
        """Set an option, a button by no value; after `usi`. Raises UserError if the engine has none of that name."""
        async with self._turn() as client:
            await self._call(client.set_option, name, value)

    async def isready(self, seconds: float = START_SECONDS) -> None:
        """Wait until the engine is ready to play."""
        async with self._turn() as client:
            await self._call(client.isready, seconds)

    async def set_position(self, position: Position) -> None:
        """Send a position, with the moves that led to it. Raises UserError as UsiClient.set_position raises it."""
        now = of_type("position", position, Position).copy()
        async with self._turn() as client:
            await self._call(client.set_position, now)

    async def go(self, limits: GoLimits = "", seconds: float = 3600, ponder: bool = False) -> Answer:
        """Search the position that was sent last; as UsiClient.go. With `ponder` the limits hold from `ponderhit`
        on."""
        async with self.search(limits, seconds, ponder) as search:
            return await search.answer()

    @asynccontextmanager
    async def search(self, limits: GoLimits = "", seconds: float = 3600,
                     ponder: bool = False) -> AsyncIterator[AsyncSearch]:
        """Search the position sent last; the block reads the reports. A search that still runs when the block ends is
        stopped; its answer can still be awaited."""
        async with self._turn() as client:
            loop = asyncio.get_running_loop()
            reports: asyncio.Queue[EngineInfo | None] = asyncio.Queue()

            def hear(info: EngineInfo) -> None:
                with suppress(RuntimeError):        # the loop is closed
                    loop.call_soon_threadsafe(reports.put_nowait, info)

            begun = asyncio.ensure_future(self._call(client.begin, limits, ponder))
            answer: asyncio.Future[Answer] | None = None
            try:
                await asyncio.shield(begun)
                answer = asyncio.ensure_future(self._call(client.answer, seconds, hear))
                answer.add_done_callback(lambda _: reports.put_nowait(None))
                yield AsyncSearch(answer, reports)
            finally:
                if self._is_owed(begun, answer):
                    self._ending = asyncio.ensure_future(self._end(client, begun, answer))
                    await asyncio.shield(self._ending)

    async def ponderhit(self) -> None:
        """Tell a pondering engine that the expected move was played. From now on its limits hold, and the waiting `go`
        is answered."""
        await asyncio.to_thread(self.client.ponderhit)

    async def stop(self) -> None:
        """Stop the search, at any time. The waiting `go` returns its result so far."""
        await asyncio.to_thread(self.client.send, "stop")

    @staticmethod
    def _is_owed(begun: "asyncio.Future[None]", answer: "asyncio.Future[Answer] | None") -> bool:
        """Whether an answer is outstanding: the engine has been asked, or is about to be, and has not answered."""
        if answer is None:
            return not begun.done() or not begun.exception()
        return not answer.done() or isinstance(answer.exception(), EngineSilent)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[UsiClient]:
        """Wait until no other call is being made, and no search is about to end."""
        task = asyncio.current_task()
        if self._caller is task:
            raise RuntimeError("this task has a search under way: leave its block first")
        async with self._lock:
            self._caller = task
            try:
                if self._ending:        # a task that was cancelled twice has not waited for it
                    await asyncio.shield(self._ending)
                yield self.client
            finally:
                self._caller = None

    async def _call(self, function: Callable[..., T], *arguments: object) -> T:
        """The result of a call made in the thread. If the caller is cancelled, the call goes on, and the next one waits
        for it."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    async def _end(self, client: UsiClient, begun: "asyncio.Future[None]",
                   answer: "asyncio.Future[Answer] | None") -> None:
        """Stop the search that has begun, or is about to, and wait for its answer."""
        if answer and answer.done():        # it gave up waiting
            answer = None
        try:
            await begun         # a `stop` before its `go` would stop nothing
            await asyncio.to_thread(client.send, "stop")
            if answer is None:
                answer = asyncio.ensure_future(self._call(client.answer, STOP_SECONDS))
            await asyncio.wait_for(asyncio.shield(answer), STOP_SECONDS)
        except (TimeoutError, UsiFault):
            await asyncio.to_thread(client.kill)
