"""Pools: no task is lost with a process that dies, and none is tried for ever."""
import os
import signal
import subprocess
import sys
from itertools import count, islice
from pathlib import Path

import pytest

from tests.each import each
from tests.faults import refused
from tests.processes import ENVIRONMENT, NEEDS_PROC, SECONDS, workers_of
from tests.usi.workers.work import die_of_seven, square, whose
from usi.workers.pool import worker_pool
from usi.workers.tasks import TasksLost, in_order


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_result_comes_back_with_its_number(jobs: int) -> None:
    with worker_pool(square, jobs) as run:
        assert dict(run(enumerate(range(9)))) == {number: number * number for number in range(9)}
        assert list(run([(5, 3)])) == [(5, 9)], "and it takes more"
        assert len(list(islice(run((number, number) for number in count()), 20))) == 20, "also of endless tasks"
        next(run(enumerate(range(9))))
        assert list(run([(40, 5)])) == [(40, 25)], "what a run left under way is nothing to the next"
        with pytest.raises(ValueError, match="-3 is refused"):
            list(run([(0, -3)]))


def test_one_job_may_be_kept_apart() -> None:
    for apart in (False, True):
        with worker_pool(whose, 1, apart) as run:
            (_, worker), = run([(0, 0)])
            assert (worker != os.getpid()) == apart


SAYING = """
from tests.usi.workers.work import say
from usi.workers.pool import worker_pool

if __name__ == "__main__":
    with worker_pool(say, 1, apart=True) as run:
        print(ascii([text for _, text in run([(0, "\\u00bd \\u00b1 \\u5b57 \\x1b[2J\\u202eb")])]))
"""


@each(("encoding", "plain"), [("ascii", "1/2 +- ?"), ("cp932", "1/2 ± 字")])
def test_what_a_worker_prints_is_safe_and_fits_the_output(encoding: str, plain: str, tmp_path: Path) -> None:
    """A worker's output is made visible as its parent's is. Otherwise it could end the task by a UnicodeEncodeError, or
    command the terminal."""
    program = tmp_path / "saying.py"
    program.write_text(SAYING, encoding="utf-8")
    done = subprocess.run([sys.executable, program], env={**ENVIRONMENT, "PYTHONIOENCODING": encoding},
                          capture_output=True, timeout=SECONDS)
    said = f"{plain} \\u001b[2J\\u202eb"
    assert done.stderr.decode(encoding).splitlines() == [said]
    assert done.stdout.decode(encoding).splitlines() == [said, ascii(["½ ± 字 \x1b[2J\u202eb"])]


def test_a_pool_may_end_while_results_are_on_their_way() -> None:
    with worker_pool(bytes, 2) as run:      # more bytes than a pipe takes
        next(run((number, 3_000_000) for number in count()))


@pytest.mark.slow
@NEEDS_PROC
def test_the_tasks_of_a_process_that_dies_are_done_by_another() -> None:
    with worker_pool(square, 2) as run:
        results = run(enumerate(range(12)))
        numbers = [next(results)[0]]
        for worker in workers_of(os.getpid()):
            os.kill(worker, signal.SIGKILL)
        numbers += [number for number, _ in results]
        assert sorted(numbers) == list(range(12))
        for worker in workers_of(os.getpid()):      # idle ones
            os.kill(worker, signal.SIGKILL)
        assert list(run([(0, 2)])) == [(0, 4)]


def test_a_task_that_kills_its_process_is_given_up() -> None:
    with worker_pool(die_of_seven, 1, apart=True) as run:
        results = run(enumerate(range(5, 10)))
        assert [next(results), next(results)] == [(0, 5), (1, 6)]
        with refused(TasksLost, number=2, count=3):
            next(results)


def test_results_are_put_in_order() -> None:
    results = in_order([(1, "b"), (0, "a"), (3, "d"), (2, "c"), (5, "f")])
    assert list(results) == ["a", "b", "c", "d"]


def test_no_pool_without_workers() -> None:
    with refused(count=0), worker_pool(square, 0):
        pass
