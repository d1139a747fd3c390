"""Searchers that several threads and tasks share, one user at a time each."""
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from os import PathLike
from queue import SimpleQueue
from typing import Generic, TypeVar

from engine.errors import whole
from eval.evaluator import Evaluator
from eval.loading import load_evaluator
from search.searcher import Searcher

HASH_MB = 16            # of a searcher that is made for one analysis
Item = TypeVar("Item")


class Queue(Generic[Item]):
    """Things that are lent, first come first served."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._lock = threading.Lock()
        self._idle = deque(items)
        self._waiting: deque[Callable[[Item], None]] = deque()

    def _ask(self, receive: Callable[[Item], None]) -> None:
        """Have `receive` called with a thing, now or when one is given back. It must not block."""
        with self._lock:
            if self._idle:
                receive(self._idle.popleft())
            else:
                self._waiting.append(receive)

    def _give_back(self, item: Item) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft()(item)
            else:
                self._idle.append(item)

    def _withdraw(self, receive: Callable[[Item], None], received: "SimpleQueue[Item]") -> None:
        """Wait no longer; what has come nevertheless goes back."""
        with self._lock:
            if receive in self._waiting:
                self._waiting.remove(receive)
                return
        self._give_back(received.get())

    @contextmanager
    def lend(self) -> Iterator[Item]:
        """A thing for the block, which this thread waits for."""
        received: SimpleQueue[Item] = SimpleQueue()
        receive = received.put
        self._ask(receive)
        try:
            item = received.get()
        except BaseException:
            self._withdraw(receive, received)
            raise
        try:
            yield item
        finally:
            self._give_back(item)

    @asynccontextmanager
    async def lend_async(self) -> AsyncIterator[Item]:
        """The same for a task, which waits without blocking its event loop."""
        import asyncio  # takes long to load, and who plays never needs it

        loop = asyncio.get_running_loop()
        has_come = asyncio.Event()
        received: SimpleQueue[Item] = SimpleQueue()

        def receive(item: Item) -> None:
            received.put(item)
            with suppress(RuntimeError):    # a loop that is closed waits for nothing
                loop.call_soon_threadsafe(has_come.set)

        self._ask(receive)
        try:
            await has_come.wait()
        except BaseException:
            self._withdraw(receive, received)
            raise
        item = received.get()
        try:
            yield item
        finally:
            self._give_back(item)


class SearcherPool:
    """`n` searchers of `threads` threads and `hash_mb` MB each, which threads and asyncio tasks borrow. Who finds none
    idle waits, first come first served. UserError, OSError and RuntimeWarning as Searcher.

    `analyse` and `analyse_async` take a pool in place of a searcher. Making it takes n * 0.1 s or less, so an asyncio
    program uses `await asyncio.to_thread(SearcherPool, 4)`.

    >>> from engine import Position
    >>> from search import Limits, SearcherPool
    >>> pool = SearcherPool(2, hash_mb=1, evaluator="material")
    >>> with pool.lend() as searcher:
    ...     searcher.search(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), Limits(depth=3)).bestmove
    'G*5b'
    """

    def __init__(self, n: int, threads: int = 1, hash_mb: int = HASH_MB, params: Mapping[str, int] | None = None,
                 evaluator: Evaluator | str | PathLike[str] | None = None) -> None:
        if not isinstance(evaluator, Evaluator):
            evaluator = load_evaluator(evaluator)       # once for all
        self._searchers = [Searcher(hash_mb, threads, params, evaluator=evaluator) for _ in range(whole("n", n, 1))]
        self._queue = Queue(self._searchers)

    def __len__(self) -> int:
        """How many searchers it has, idle or lent."""
        return len(self._searchers)

    @contextmanager
    def lend(self) -> Iterator[Searcher]:
        """A searcher for the block, which this thread waits for. A search that is left going on ends with the block."""
        with self._queue.lend() as searcher:
            try:
                yield searcher
            finally:
                searcher.stop(wait=True)

    @asynccontextmanager
    async def lend_async(self) -> AsyncIterator[Searcher]:
        """The same for `async with`: the task waits, and not its event loop."""
        async with self._queue.lend_async() as searcher:
            try:
                yield searcher
            finally:
                searcher.stop(wait=True)
