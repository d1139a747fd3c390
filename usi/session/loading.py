"""The searcher of a session: made at its first use, and set up by the options."""
from collections.abc import Callable
from dataclasses import dataclass

from eval.loading import MATERIAL, TABLES, load_evaluator, weights_file
from search import Searcher
from usi.session.options import Options
from usi.words.reasons import fewer_threads, less_memory, reason


@dataclass(frozen=True)
class _Evaluation:
    """The identity of an evaluation's file, so that a changed file is noticed."""

    name: str
    changed: int | None     # the file's time, in nanoseconds
    size: int | None

    @classmethod
    def of(cls, name: str) -> "_Evaluation":
        path = weights_file(name)
        try:
            status = path.stat() if path else None
        except (OSError, ValueError):       # opening it will report the error
            status = None
        return cls(name, status and status.st_mtime_ns, status and status.st_size)

    def __str__(self) -> str:
        packaged = {MATERIAL: "material alone", TABLES: "the packaged tables", "": "the packaged weights"}
        return packaged.get(self.name, f"'{self.name}'")


def bare_searcher(hash_mb: int, threads: int) -> Searcher:
    """A searcher without weights; the caller loads them. Avoids loading the default network only to replace it."""
    return Searcher(hash_mb, threads, evaluator=MATERIAL)


class OwnSearcher:
    """The session's searcher, made once by `make(MB of hash, threads)`. If the options cannot be fulfilled, `say`
    reports it, and the nearest possible setting is used."""

    def __init__(self, options: Options, say: Callable[[str], None], make: Callable[[int, int], Searcher]) -> None:
        self._options = options
        self._say = say
        self._make = make
        self._configured: tuple[int, int] | None = None     # (MB of hash, threads) it was asked for
        self._obtained: tuple[int, int] | None = None       # what it got
        self._evaluation: str | None = None         # that the options asked for last
        self._in_use: _Evaluation | None = None     # None: nothing could be loaded yet
        self._must_forget = False
        self.current: Searcher | None = None        # as it was set up last; None: not made yet

    def forget(self) -> None:
        """Clear the table and histories before the next search."""
        self._must_forget = True

    def ready(self, look_again: bool = False) -> Searcher:
        """The searcher, set up by the current options. Not to be called while it searches. With `look_again`, a weights
        file that has changed or could not be loaded is loaded again, and memory or threads that were short are
        requested again."""
        if self.current is None:
            self.current = self._make(1, 1)     # the options set the real size below
            self.current.measure_lateness()
        if look_again or self._evaluation != self._options.evaluation():
            self._evaluation = self._options.evaluation()
            self._load_evaluator(self.current, self._evaluation)
        wanted = self._options.number("USI_Hash"), self._options.number("Threads")
        if wanted != self._configured or (look_again and wanted != self._obtained):
            hash_mb, threads = wanted
            obtained_mb = self.current.resize_hash(hash_mb)
            if obtained_mb != hash_mb:
                self._say(str(less_memory("USI_Hash", hash_mb, obtained_mb)))
            obtained = self.current.set_threads(threads)
            if obtained != threads:
                self._say(str(fewer_threads("Threads", threads, obtained)))
            self._configured = wanted
            self._obtained = obtained_mb, obtained
        if self._must_forget:
            self.current.clear()
            self._must_forget = False
        return self.current

    def _load_evaluator(self, searcher: Searcher, name: str) -> None:
        """Load the weights of this name. If that fails, the weights in use stay, at first the packaged ones."""
        wanted = _Evaluation.of(name)
        if wanted == self._in_use:
            return
        for candidate in dict.fromkeys((wanted, _Evaluation.of(""))):
            try:
                searcher.set_evaluator(load_evaluator(candidate.name))
                self._in_use = candidate
            except (OSError, ValueError, MemoryError) as error:
                self._say(str(reason(error)))
            if self._in_use:
                break
        if self._in_use != wanted:
            self._say(f"evaluating by {self._in_use or 'material alone'}")
