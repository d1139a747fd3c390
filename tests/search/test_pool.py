"""The pool of workers: its size, its threads, their limits, and what all of them count."""
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import cast

import pytest

from engine import MATE_IN_MAX_PLY, Position
from search import MATERIAL, Limits, Searcher, Settings, threads
from search.skill import Skill
from search.threads import ADDRESSES_KEPT_MB, STACK_MB, STACK_TOUCHED_MB, KeptThread, threads_that_fit
from tests.each import each
from tests.processes import NO_TSAN, SECONDS, finished
from tests.search.conftest import MIDDLE_GAME
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
    """`fit` is None if there is no room for a single thread."""
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


@NO_TSAN
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to the limit")
@pytest.mark.parametrize("megabytes", [150, 350])
def test_a_session_with_few_addresses_searches_or_says_that_it_cannot(megabytes: int) -> None:
    engine = Path(sys.executable).with_name("engine")
    done = subprocess.run(["sh", "-c", f"ulimit -v {megabytes << 10} && exec {engine}"], input=(
        "setoption name USI_OwnBook value false\nsetoption name Threads value 512\nusi\nisready\n"
        "go nodes 5000\nisready\nquit\n"), capture_output=True, text=True, timeout=SECONDS)
    assert done.stdout.count("readyok") == 2
    assert "\nbestmove " in done.stdout
    assert done.returncode == 0
    if "info depth" in done.stdout:
        assert done.stderr == ""
        assert "info string Threads 512 need more memory than there is" in done.stdout
        assert "\ninfo depth 1 " in done.stdout
    else:
        assert megabytes == 150
        assert "info string no memory for a search thread" in done.stdout


# -- Threads kept between searches -------------------------------------------------------------------------------------

def helpers() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if "_make_calls" in thread.name}


def test_helpers_are_kept_until_their_number_changes_or_the_searcher_goes() -> None:
    others = helpers()                                  # of earlier tests' searchers: they may end meanwhile
    searcher = Searcher(1, 4, evaluator=MATERIAL)
    searcher.search(Position(), Limits(depth=4))
    kept = helpers() - others
    assert len(kept) == 3
    for limits in (Limits(depth=4), Limits(nodes=1000)):        # the second uses none of them
        searcher.search(Position(), limits)
        assert helpers() - others == kept
    searcher.set_threads(2)
    assert not helpers() - others                       # at once: their stacks are free again
    searcher.search(Position(), Limits(depth=4))
    kept = helpers() - others
    assert len(kept) == 1
    del searcher
    for thread in kept:
        thread.join(SECONDS)
    assert not helpers() - others


def test_a_search_has_as_many_threads_as_the_system_grants(monkeypatch: pytest.MonkeyPatch) -> None:
    granted = 1

    def start(thread: threading.Thread) -> None:
        nonlocal granted
        if not granted:
            raise MemoryError("there is no room for one more thread")
        granted -= 1
        thread.start()

    monkeypatch.setattr(threads, "start_deep", start)
    searcher = Searcher(1, 4, evaluator=MATERIAL)
    search = searcher.prepare(Position(), Limits(depth=6))
    assert search.run().depth >= 6
    assert searcher.ballots[2:] == [None, None]


def test_a_failing_helper_is_printed_and_harms_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    thread = KeptThread()
    made: list[int] = []
    thread.call(lambda: 1 // 0)
    thread.call(lambda: made.append(1))
    thread.end()
    assert made == [1]
    assert "ZeroDivisionError" in capsys.readouterr().err


@NO_TSAN
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_searches_with_threads_of_its_own(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("""
import os
from engine import MATE_IN_MAX_PLY, Position
from search import MATERIAL, Limits, Searcher
searcher = Searcher(1, 3, evaluator=MATERIAL)
searcher.search(Position(), Limits(depth=4))
child = os.fork()
searcher.search(Position(), Limits(nodes=350_000))
searcher.set_threads(2)
searcher.search(Position(), Limits(depth=4))
if child:
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""", encoding="utf-8")
    assert finished([sys.executable, "-W", "ignore", str(program)]).stdout == "0\n"


# -- Node limits and mates with several threads ------------------------------------------------------------------------

@each("threads", [1, 2, 3, 8])
@each("nodes", [500, 20_000, 350_001])
def test_a_node_limit_is_exact_and_shared_equally(nodes: int, threads: int) -> None:
    """A thread gets its share of the nodes even if it has to wait for a core."""
    searcher = Searcher(hash_mb=8, threads=threads, evaluator=MATERIAL)
    assert searcher.search(Position(MIDDLE_GAME), Limits(nodes=nodes)).nodes == nodes
    shares = max(1, min(threads, nodes // 100_000))
    assert [ballot is not None for ballot in searcher.ballots] == [True] * shares + [False] * (threads - shares)


@each("settings", [
    Settings(multi_pv=3, nodes_limit=3_000), cast(Skill, Skill.of_level(19)).settings(Settings()),
    Settings(nodes_limit=3_000)])
def test_short_searches_with_a_node_limit_do_not_depend_on_the_number_of_threads(settings: Settings) -> None:
    found = set()
    for number in (1, 2, 4, 8):
        result = Searcher(8, number, evaluator=MATERIAL).search(Position(MIDDLE_GAME), Limits(), settings)
        found.add((result.bestmove, result.score, result.depth, result.nodes))
    assert len(found) == 1


def mate_problems() -> list[tuple[str, int]]:
    """The mates of 5 and 7 plies, with their lengths."""
    lines = (Path(__file__).parents[1] / "data/mates.tsv").read_text(encoding="utf-8").splitlines()
    problems = [line.split("\t") for line in lines if not line.startswith(("#", "sfen"))]
    return [(sfen, int(plies)) for sfen, plies in problems if plies in ("5", "7")]


@each("threads", [2, 4, 8])
def test_a_mate_that_any_thread_has_proved_is_played(threads: int) -> None:
    """The limit is one of time, because a few nodes would go to one thread. It grows if a busy machine proves
    nothing."""
    searcher = Searcher(8, threads)
    proved, movetime = 0, 4
    while not proved:
        for sfen, _ in mate_problems():
            searcher.clear()
            result = searcher.search(Position(sfen), Limits(movetime=movetime))
            won = [ballot for ballot in searcher.ballots if ballot and ballot.score >= MATE_IN_MAX_PLY]
            if won:
                proved += 1
                assert result.score == max(ballot.score for ballot in won)
                assert result.bestmove in {ballot.move for ballot in won if ballot.score == result.score}
        movetime *= 4
        assert movetime < 10_000
