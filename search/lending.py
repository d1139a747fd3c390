"""Pools of searchers shared by threads and asyncio tasks, one user per searcher at a time."""
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from os import PathLike
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from engine.errors import whole
from eval.evaluator import Evaluator
from eval.loading import load_evaluator
from search.searcher import Searcher

HASH_MB = 16            # of the table of a searcher made for one analysis
PLAY_HASH_MB = 256      # of an engine that plays, unless its user sets another
Item = TypeVar("Item")


class Queue(Generic[Item]):
    """A queue for borrowing items, first come, first served."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._lock = threading.Lock()
        self._idle = deque(items)
        self._waiting: deque[Callable[[Item], None]] = deque()

    def _ask(self, receive: Callable[[Item], None]) -> None:
        """Call `receive` with an item, now or when one is returned. It must not block."""
        with self._lock:
            if self._idle:
                receive(self._idle.popleft())
            else:
                self._waiting.append(receive)

    def _give_back(self, item: Item) -> None:
        with self._lock:
            while self._waiting:
                with suppress(RuntimeError):    # the loop that waited for it is closed
                    self._waiting.popleft()(item)
                    return
            self._idle.append(item)

    def _withdraw(self, receive: Callable[[Item], None], received: "SimpleQueue[Item]") -> None:
        """Stop waiting. If an item has been received meanwhile, it goes back to the pool."""
        with self._lock:
            if receive in self._waiting:
                self._waiting.remove(receive)
                return
        with suppress(Empty):       # its loop was closed, and another got the item
            self._give_back(received.get_nowait())

    @contextmanager
    def lend(self) -> Iterator[Item]:
        """Borrow an item for the block; blocks this thread until one is idle."""
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
        """Borrow an item for an asyncio task, which waits without blocking its event loop."""
        import asyncio  # slow to load, and not needed for play

        loop = asyncio.get_running_loop()
        has_come = asyncio.Event()
        received: SimpleQueue[Item] = SimpleQueue()

        def receive(item: Item) -> None:
            loop.call_soon_threadsafe(has_come.set)     # RuntimeError if it is closed
            received.put(item)

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


class SearcherPool(Queue[Searcher]):
    """`n` searchers with `threads` threads and `hash_mb` MB each, for threads and asyncio tasks to borrow. If none is
    idle, borrowers wait, first come, first served. A search still running when its searcher is given back is stopped.
    Raises UserError and OSError, and warns, as Searcher does.

    `analyse` and `analyse_async` accept a pool instead of a searcher. Making a pool takes up to n * 0.1 s, so an
    asyncio program should use `await asyncio.to_thread(SearcherPool, 4)`.

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
            evaluator = load_evaluator(evaluator)       # once for all searchers
        self._size = whole("n", n, 1)
        super().__init__(Searcher(hash_mb, threads, params, evaluator=evaluator) for _ in range(self._size))

    def __len__(self) -> int:
        """The number of searchers, idle or lent."""
        return self._size

    def _give_back(self, item: Searcher) -> None:
        item.stop(wait=True)
        super()._give_back(item)
