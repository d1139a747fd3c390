"""`engine book think`: interruptions and the number of workers do not change the book."""
import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from engine import MATE, Position
from tests.processes import NEEDS_PROC, running, wait_for_end, workers_of
from tests.usi.book.books import entries_of
from tests.usi.commands.running import invoke
from tests.usi.commands.think.graphs import POSITIONS, shuffling
from tests.usi.conftest import ENGINE
from usi.book.db import BookEntry, BookMove
from usi.commands.book.think import command
from usi.commands.book.think.analyst import FOUND, WIDE_PLIES, SearchConditions, ThinkingTask, grow, think_about
from usi.commands.book.think.tree import ROOT, Tree
from usi.files.journal import Journal

MATERIAL = SearchConditions(300, 3, 1, "material")
SMALL = ("--nodes", 200, "--multipv", 3, "--hash", 1, "--eval-file", "material")


def run(out: Path, *arguments: object, status: int = 0) -> str:
    return invoke("book", "think", "--out", out, *SMALL, *arguments, status=status).output


def wait_for_lines(path: Path, count: int, process: "subprocess.Popen[str]") -> None:
    while not path.exists() or path.read_bytes().count(b"\n") < count:
        assert process.poll() is None
        time.sleep(0.01)


class Worker:
    """Answers tasks with made-up moves, in any order within a batch, and is killed after a given number."""

    def __init__(self, seed: int = 0, lives: int = 10**9) -> None:
        self.asked: Counter[str] = Counter()
        self._seed = seed
        self._lives = lives

    def __call__(self, tasks: Iterable[tuple[int, ThinkingTask]]) -> Iterator[tuple[int, list[BookMove]]]:
        batch = list(tasks)
        Random(self._seed).shuffle(batch)
        for number, task in batch:
            if self._lives == sum(self.asked.values()):
                raise InterruptedError
            self.asked[task.placement] += 1
            yield number, shuffling(task.placement, 1)


def grown(path: Path, positions: int, worker: Worker) -> list[BookEntry]:
    tree = Tree(1)
    with closing(Journal(path, FOUND, {})) as journal:
        grow(tree, journal, MATERIAL, positions, worker)
    return tree.entries(1000)


def test_the_book_does_not_depend_on_the_order_of_the_answers(tmp_path: Path) -> None:
    books = [grown(tmp_path / str(seed), 60, Worker(seed)) for seed in range(5)]
    assert len(books[0]) == 60
    assert books == [books[0]] * 5
    journals = {(tmp_path / str(seed)).read_text() for seed in range(5)}
    assert len(journals) > 1


def test_every_position_is_asked_for_once_however_often_the_run_is_ended(tmp_path: Path) -> None:
    expected = grown(tmp_path / "whole", 60, Worker())
    asked: Counter[str] = Counter()
    for seed in range(1000):
        worker = Worker(seed, lives=1 + seed % 3)
        try:
            found = grown(tmp_path / "parts", 60, worker)
            break
        except InterruptedError:
            pass
        finally:
            asked += worker.asked
    assert found == expected
    assert set(asked.values()) == {1}
    assert grown(tmp_path / "parts", 60, Worker(lives=0)) == expected


def test_more_positions_and_fewer_come_from_the_same_journal(tmp_path: Path) -> None:
    sizes = (1, 7, 40, 49, 60)
    alone = {size: grown(tmp_path / str(size), size, Worker()) for size in sizes}
    assert {size: grown(tmp_path / "kept", size, Worker()) for size in sizes} == alone
    assert {size: grown(tmp_path / "kept", size, Worker(lives=0)) for size in reversed(sizes)} == alone
    assert len(grown(tmp_path / "all", 1000, Worker())) == POSITIONS, "there is nothing more"


def test_a_search_has_the_best_moves_of_a_finished_iteration() -> None:
    late = think_about(ThinkingTask(ROOT, 20, MATERIAL))
    assert len(late) == 3
    assert [move.score for move in late] == sorted((move.score for move in late), reverse=True)
    assert len({move.depth for move in late}) == 1
    assert all(Position().is_legal(move.move) for move in late)
    assert len(think_about(ThinkingTask(ROOT, 1, MATERIAL))) == 3 * WIDE_PLIES
    assert len(think_about(ThinkingTask(ROOT, 2, MATERIAL))) == 3 * WIDE_PLIES // 2
    assert think_about(ThinkingTask(ROOT, 20, MATERIAL)) == late
    (move,) = think_about(ThinkingTask(ROOT, 20, SearchConditions(1, 1, 1, "material")))
    assert move.depth >= 1, "it gets more nodes where they are too few"


@pytest.mark.parametrize(("placement", "score"), [
    ("4k4/4G4/4P4/9/9/9/9/9/4K4 w -", None),                        # mated
    ("4k4/9/4P4/9/9/9/9/9/4K4 b G", MATE - 1),
])
def test_the_end_of_the_game_is_seen(placement: str, score: int | None) -> None:
    moves = think_about(ThinkingTask(placement, 20, SearchConditions(2000, 1, 1, "material")))
    assert [move.score for move in moves] == ([] if score is None else [score])


def test_a_book_is_made_and_shown(tmp_path: Path) -> None:
    out = tmp_path / "own.db"
    assert f"{out}: 12 positions\nin " in run(out, "--positions", 12)
    found = entries_of(out)
    assert len(found) == 12
    assert all(Position(entry.sfen).is_legal(move.move) for entry in found for move in entry.moves)
    lines = (tmp_path / "own.db.jsonl").read_text().splitlines()
    assert len(lines) == 13
    assert json.loads(lines[1])[0] == ROOT
    assert "nodes 200 multipv 3 hash 1 evaluation material, ply cost 2, margin 20" in out.read_text()


@pytest.mark.slow
@NEEDS_PROC
def test_a_killed_process_leaves_what_it_found_and_no_workers(tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.db", tmp_path / "killed.db"
    run(whole, "--positions", 60)
    journal = tmp_path / "killed.db.jsonl"
    command = [*ENGINE, "book", "think", "--out", str(out), *map(str, SMALL), "--positions", "100000", "--jobs", "2"]
    with running(command) as process:
        wait_for_lines(journal, 35, process)
        workers = workers_of(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        assert len(workers) == 2
        wait_for_end(workers)
    assert not out.exists()
    found = dict(map(json.loads, journal.read_bytes().splitlines()[1:35]))
    assert len(found) == 34
    run(out, "--positions", 60)
    assert out.read_bytes() == whole.read_bytes()


def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    out = tmp_path / "own.db"
    run(out, "--positions", 2)
    assert str(out) in (said := run(out, "--nodes", 100, status=1))
    assert "nodes" in said
    assert "this is a file where a folder is needed" in run(out / "own.db", status=1)
    (tmp_path / "other.db").write_text("#YANEURAOU-DB2016 1.00\n# mine\n")
    assert "other.db exists and was made by something else" in run(tmp_path / "other.db", status=1)
    assert "absent.weights" in run(out, "--eval-file", tmp_path / "absent.weights", status=1)


def test_a_book_is_not_made_smaller_unless_asked(tmp_path: Path) -> None:
    out, kept = tmp_path / "own.db", tmp_path / "own.db.bak"
    run(out, "--positions", 20)
    larger = out.read_bytes()
    assert f"{out}: 20 positions" in run(out, "--positions", 5)
    assert out.read_bytes() == larger
    assert f"{out}: 5 positions; the larger one is kept as {kept}" in run(out, "--limit", 5)
    assert len(entries_of(out)) == 5
    assert kept.read_bytes() == larger


def test_an_interruption_does_not_make_a_book_smaller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "own.db"
    run(out, "--positions", 12)
    larger = out.read_bytes()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "grow", interrupted)
    run(out, "--positions", 40, status=130)
    assert out.read_bytes() == larger


def test_a_book_of_short_searches_says_why_it_is_not_played(tmp_path: Path) -> None:
    out = tmp_path / "own.db"
    said = run(out, "--positions", 3).splitlines()[-1]
    assert "positions nothing is played: there the best moves were searched to depth " in said
    assert "less than BookDepthLimit 16: set that to " in said
    for name, status in (("show", 0), ("tree", 1)):
        shown = invoke("book", name, out, "startpos", status=status).output
        assert "less than BookDepthLimit 16: set that to " in shown
        late = invoke("book", name, "packaged", "startpos", "moves", "7g7f")
        assert "BookDepthLimit" not in late.output
