"""The client of USI engines for asyncio: `UsiClient`, its calls to be awaited.

    async with AsyncUsiClient(["engine"]) as client:
        await client.usi()
        await client.isready()
        await client.set_position(Position.from_usi("startpos moves 7g7f"))
        print((await client.go("byoyomi 1000")).move)
"""
import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar

from engine import Position
from usi.client import Answer, EngineSilent, UsiClient, UsiFault
from usi.client.client import START_SECONDS, STOP_SECONDS

T = TypeVar("T")


class AsyncUsiClient:
    """An engine's process, to be used with `async with`: it is started as the block begins, and ended with it.

    Calls are made one after another. A `go` that is cancelled (by `asyncio.timeout`, for instance), or not answered in
    time, stops the engine and waits for the answer that it owes, so that the next call finds it idle; an engine that
    owes it for STOP_SECONDS is ended. Raises as UsiClient does.
    """

    def __init__(self, command: Sequence[str | Path], *, cwd: str | Path | None = None,
                 env: Mapping[str, str] | None = None, encoding: str = "utf-8", strict: bool = False) -> None:
        self._make = lambda: UsiClient(command, cwd=cwd, env=env, encoding=encoding, strict=strict)
        self._client: UsiClient | None = None
        self._thread: ThreadPoolExecutor        # of its own: asyncio's are few, and a search is long
        self._lock = asyncio.Lock()
        self._ending: asyncio.Future[None] | None = None        # the end of a search that was cancelled

    @property
    def client(self) -> UsiClient:
        """The engine's name, options and output. Its waiting methods block the event loop."""
        if self._client is None:
            raise RuntimeError("the engine has not been started: use 'async with'")
        return self._client

    async def __aenter__(self) -> "AsyncUsiClient":
        self._client, self._thread = None, ThreadPoolExecutor(1, "usi client")
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
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.shield(asyncio.to_thread(self.client.close))      # what still waits for the engine ends with it
        self._thread.shutdown(wait=False)

    async def usi(self, seconds: float = START_SECONDS) -> None:
        """Greet it, and learn its name and its options."""
        async with self._turn():
            await self._call(self.client.usi, seconds)

    async def set_option(self, name: str, value: str | int = "") -> None:
        """Set an option, a button by no value; after `usi`. UserError if the engine has none of that name."""
        async with self._turn():
            await self._call(self.client.set_option, name, value)

    async def isready(self, seconds: float = START_SECONDS) -> None:
        async with self._turn():
            await self._call(self.client.isready, seconds)

    async def set_position(self, position: Position) -> None:
        """Send a position, with the moves that led to it. UserError as UsiClient.set_position raises it."""
        async with self._turn():
            await self._call(self.client.set_position, position.copy())

    async def go(self, limits: str = "", seconds: float = 3600) -> Answer:
        """Search the position that was sent last. limits: what follows `go`, as in `byoyomi 1000` or `mate 5000`."""
        async with self._turn():
            begun = asyncio.ensure_future(self._call(self.client.begin, limits))
            answer: asyncio.Future[Answer] | None = None
            try:
                await asyncio.shield(begun)
                answer = asyncio.ensure_future(self._call(self.client.answer, seconds))
                return await asyncio.shield(answer)
            except EngineSilent:
                await asyncio.shield(self._end(begun, None))
                raise
            except asyncio.CancelledError:
                self._ending = asyncio.ensure_future(self._end(begun, answer))
                await asyncio.shield(self._ending)
                raise

    async def stop(self) -> None:
        """End the search, at any time: the `go` that waits for it returns what it came to."""
        await asyncio.to_thread(self.client.send, "stop")

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait until no other call is being made, and no search is about to end."""
        async with self._lock:
            if self._ending:        # who was cancelled twice has not waited for it
                await asyncio.shield(self._ending)
            yield

    async def _call(self, function: Callable[..., T], *arguments: object) -> T:
        """Call in the thread. If this is cancelled the call goes on there, and the next waits for it."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    async def _end(self, begun: "asyncio.Future[None]", answer: "asyncio.Future[Answer] | None") -> None:
        """Stop the search that has begun, or is about to, and wait for its answer."""
        try:
            await begun         # a `stop` before its `go` would stop nothing
            await self.stop()
            if answer is None:
                answer = asyncio.ensure_future(self._call(self.client.answer, STOP_SECONDS))
            await asyncio.wait_for(answer, STOP_SECONDS)
        except (UsiFault, asyncio.TimeoutError):
            await asyncio.to_thread(self.client.kill)
