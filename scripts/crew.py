"""Many games at a time: in worker processes, which may die without a game being lost."""
import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread

from game import Game, Pairing, play
from usi_engine import ROSTER
from usi_player import UsiPlayer, close_engines

ATTEMPTS = 3        # at a game whose worker dies

Numbered = tuple[int, Pairing]
PlayAll = Callable[[Iterable[Numbered]], Iterator[tuple[int, Game]]]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _work(line: Connection) -> None:
    """A worker: plays what it is sent and sends the game, or the exception that stopped it, until nobody is there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, ROSTER.end)
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            number, pairing = line.recv()
            try:
                outcome: Game | Exception = play(pairing)
            except Exception as failure:
                outcome = failure
            line.send((number, outcome))
    close_engines()


class Crew:
    """Worker processes, each with a line to it."""

    def __init__(self, jobs: int) -> None:
        # Not forked: a child would inherit locks that the parent's search threads hold.
        self._context = multiprocessing.get_context("spawn")
        self._workers: dict[Connection, BaseProcess] = {}
        self._playing: dict[Connection, Numbered] = {}
        self._deaths: Counter[int] = Counter()
        for _ in range(jobs):
            self._hire()

    def _hire(self) -> None:
        line, other_end = self._context.Pipe()
        worker = self._context.Process(target=_work, args=(other_end,), daemon=True)
        worker.start()
        other_end.close()       # so that the worker's is the only one, and its end is seen
        self._workers[line] = worker

    def play_all(self, pairings: Iterable[Numbered]) -> Iterator[tuple[int, Game]]:
        """The games as they end. A game whose worker dies is played again, by another. RuntimeError if that happens
        again and again, and what `play` raises."""
        waiting = iter(pairings)
        again: deque[Numbered] = deque()
        while True:
            for line in self._workers.keys() - self._playing.keys():
                task = again.popleft() if again else next(waiting, None)
                if task:
                    with suppress(BrokenPipeError):     # a worker that died idle is found dead below
                        line.send(task)
                    self._playing[line] = task
            if not self._playing:
                return
            for ready in wait(list(self._playing)):
                line = next(line for line in self._playing if line is ready)
                task = self._playing.pop(line)
                try:
                    number, outcome = line.recv()
                except (EOFError, OSError):
                    self._bury(line, task[0])
                    again.append(task)
                    continue
                if isinstance(outcome, Exception):
                    raise outcome
                yield number, outcome

    def _bury(self, line: Connection, number: int) -> None:
        worker = self._workers.pop(line)
        worker.join()
        self._deaths[number] += 1
        if self._deaths[number] == ATTEMPTS:
            raise RuntimeError(f"game {number} was given up: {ATTEMPTS} workers died of it, the last with exit code "
                               f"{worker.exitcode}")
        self._hire()

    def dismiss(self) -> None:
        for line, worker in self._workers.items():
            if line in self._playing:
                worker.terminate()
            line.close()        # an idle worker sees the end of it, and lets its engines quit
        for worker in self._workers.values():
            worker.join()


def _play_here(pairings: Iterable[Numbered]) -> Iterator[tuple[int, Game]]:
    return ((number, play(pairing)) for number, pairing in pairings)


@contextmanager
def workers(jobs: int, apart: bool = False) -> Iterator[PlayAll]:
    """A function that plays pairings, `jobs` of them at a time, and yields each game with its number as it ends; what
    has not ended with the block is given up. One job plays in this process, unless it is to be kept `apart`: the
    engines of a worker end with it even if this process is killed."""
    if jobs < 1:
        raise ValueError(f"{jobs} jobs cannot play; give 1 or more")
    if jobs == 1 and not apart:
        yield _play_here
        return
    crew = Crew(jobs)
    try:
        yield crew.play_all
    finally:
        crew.dismiss()


def needs_workers(pairing: Pairing) -> bool:
    return any(isinstance(player, UsiPlayer) for player in pairing.players)
