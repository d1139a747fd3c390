"""The pool of workers: its size, and what all of them count."""
import subprocess
import sys
from pathlib import Path

import pytest

from engine import Position
from search import MATERIAL, Limits, Searcher, Settings, threads
from search.threads import ADDRESSES_KEPT_MB, STACK_MB, STACK_TOUCHED_MB, ThreadVote, best_thread, threads_that_fit
from tests.each import each
from tests.processes import SECONDS
from usi.words.reasons import fewer_threads


@pytest.mark.parametrize("threads", [1, 3])
def test_counts_the_nodes_and_stores_of_all(threads: int) -> None:
    searcher = Searcher(hash_mb=4, threads=threads, evaluator=MATERIAL)
    result = searcher.search(Position(), Limits(nodes=20_000), Settings())
    assert 0 < searcher.traffic["stores"] <= 2 * result.nodes
    assert result.nodes <= 20_000


# -- How many threads there is memory for: -----------------------------------------------------------------------------

WORKER_MB = 20
EACH = WORKER_MB + STACK_TOUCHED_MB
MAPPED = WORKER_MB + STACK_MB
KEPT = ADDRESSES_KEPT_MB


@pytest.mark.parametrize(("available", "addresses", "held", "fit"), [
    (10**6, None, 0, 512),          # all that are wanted
    (20 * EACH, None, 0, 10),       # half of the memory
    (20 * EACH, None, 3, 13),       # with those that have theirs
    (EACH, None, 0, 1),             # the first one may take it all
    (EACH, None, 1, 1),
    (0, None, 4, 4),
    (10**6, 5 * MAPPED + KEPT, 0, 5),
    (10**6, 2 * MAPPED + 4 * STACK_MB + KEPT, 4, 6),
    (10**6, 3 * STACK_MB + KEPT, 4, 3),      # there is a worker, but no stack for it
    (4 * EACH, 5 * MAPPED + KEPT, 0, 2),
    (EACH - 1, None, 0, None), (10**6, MAPPED + KEPT - 1, 0, None), (10**6, STACK_MB + KEPT - MAPPED, 1, None),
])
def test_how_many_fit(monkeypatch: pytest.MonkeyPatch, available: int, addresses: int | None, held: int,
                      fit: int | None) -> None:
    """None: there is no room for one, which is said."""
    monkeypatch.setattr(threads, "available_megabytes", lambda: available)
    monkeypatch.setattr(threads, "addressable_megabytes", lambda: addresses)
    if fit is None:
        with pytest.raises(MemoryError, match="no memory for a search thread: it takes 22 MB"):
            threads_that_fit(512, WORKER_MB, held)
    else:
        assert threads_that_fit(512, WORKER_MB, held) == fit
        assert threads_that_fit(1, WORKER_MB, held) == 1


def test_a_searcher_has_as_many_threads_as_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container's limit is 220 MB here, of which other processes use 40. A refusal leaves the searcher as it was."""
    monkeypatch.setattr(threads, "available_megabytes", lambda: 180)
    monkeypatch.setattr(threads, "addressable_megabytes", lambda: None)
    with pytest.warns(RuntimeWarning, match="threads=100000: there is memory for 3, which the searcher takes"):
        searcher = Searcher(1, 100_000, evaluator=MATERIAL)
    assert searcher.threads == 3
    assert searcher.set_threads(2) == searcher.threads == 2
    monkeypatch.setattr(threads, "available_megabytes", lambda: 0)
    monkeypatch.setattr(threads, "addressable_megabytes", lambda: 0)
    with pytest.raises(MemoryError, match="no memory for a search thread"):
        searcher.set_threads(512)
    assert searcher.threads == 2
    assert searcher.search(Position(), Limits(depth=3), Settings()).depth == 3
    with pytest.raises(MemoryError, match="no memory for a search thread"):
        Searcher(1, 1, evaluator=MATERIAL)


def test_what_is_said_of_fewer_threads() -> None:
    assert str(fewer_threads("Threads", 512, 9)).endswith("(threads get half of what is available), 9 are used")
    assert str(fewer_threads("--threads", 2, 1)).endswith(", 1 is used")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to the limit")
@pytest.mark.parametrize("megabytes", [150, 350])
def test_a_session_with_few_addresses_searches_or_says_that_it_cannot(megabytes: int) -> None:
    engine = Path(sys.executable).with_name("engine")
    done = subprocess.run(["sh", "-c", f"ulimit -v {megabytes << 10} && exec {engine}"], input=(
        "setoption name USI_OwnBook value false\nsetoption name Threads value 512\nusi\nisready\n"
        "go nodes 5000\nisready\nquit\n"), capture_output=True, text=True, timeout=SECONDS)
    if "readyok" in done.stdout:
        assert (done.returncode, done.stderr) == (0, "")
        assert "info string Threads 512 need more memory than there is" in done.stdout
        assert "\ninfo depth 1 " in done.stdout
        assert "\nbestmove " in done.stdout
    else:
        assert (megabytes, done.returncode) == (150, 1)
        assert "info string no memory for a search thread" in done.stdout
        assert "bestmove" not in done.stdout


# -- Which thread speaks for all ---------------------------------------------------------------------------------------

@each(("ballots", "number"), [
    ([ThreadVote("7g7f", 50, 12)], 0),
    ([ThreadVote("7g7f", 50, 12), ThreadVote("7g7f", 40, 12)], 0),                      # equal depths: the first
    ([ThreadVote("7g7f", 50, 12), ThreadVote("7g7f", 40, 13)], 1),                      # agreed: the deepest
    ([ThreadVote("7g7f", 50, 12), ThreadVote("2g2f", 50, 13)], 1),                      # the deeper weighs more
    ([ThreadVote("7g7f", 90, 12), ThreadVote("2g2f", 50, 13)], 0),                      # but less than a better score
    ([ThreadVote("7g7f", 50, 12), ThreadVote("2g2f", 45, 12), ThreadVote("2g2f", 45, 11)], 1),  # two against one
    ([ThreadVote("7g7f", 50, 12), None, ThreadVote("2g2f", 60, 12)], 2),                # one has finished nothing
    ([None, ThreadVote("2g2f", 60, 12)], 0),                                            # the leader has not
])
def test_elected(ballots: list[ThreadVote | None], number: int) -> None:
    assert best_thread(ballots) == number
