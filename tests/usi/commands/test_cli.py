"""The console command beside USI: bench, perft and the rest."""
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine import Position
from eval.loading import load_evaluator
from search.bench import positions
from tests.each import each
from tests.usi.commands.running import invoke
from usi.cli import main

MATSURI = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"


def run(*arguments: str, status: int = 0) -> str:
    """What it prints, on both streams."""
    return invoke(*arguments, status=status).output


def help_of(*command: str) -> str:
    return run(*command, "--help")


def test_bench_positions_are_varied() -> None:
    found = [Position(sfen) for sfen in positions()]
    assert any(position.in_check for position in found)
    assert any(position.turn for position in found)
    assert any(sum(position.hand(0).values()) + sum(position.hand(1).values()) >= 14 for position in found)
    for letter, ranks in (("K", slice(0, 3)), ("k", slice(6, 9))):
        assert any(letter in "".join(position.sfen.split("/")[ranks]) for position in found)


def test_33_bench_prints_nodes_and_speed_the_same_at_every_run() -> None:
    first, second = (run("bench", "--hash", "8", "--depth", "2") for _ in range(2))
    lines = first.splitlines()
    assert len(lines) == len(positions()) + 3
    for number, line in enumerate(lines[:-3], 1):
        assert re.fullmatch(
            rf" *{number}  depth +2  score +(cp|mate) -?\d+  nodes +\d+  time +\d+ ms  [1-9PLNSGBR][a-i*][1-9][a-i]\+?",
            line,
        )
    assert re.fullmatch(r"Nodes searched: [1-9]\d*", lines[-3])
    assert re.fullmatch(r"Nodes/second: [1-9]\d*", lines[-2])
    assert re.fullmatch(r"Total time: \d+ ms", lines[-1])
    assert lines[-3] == second.splitlines()[-3]


def test_bench_by_nodes_with_two_threads_as_json() -> None:
    report = json.loads(run("bench", "--nodes", "500", "--threads", "2", "--hash", "8", "--json"))
    assert report["threads"] == 2
    assert report["hash_mb"] == 8
    assert [record["sfen"] for record in report["positions"]] == positions()
    assert report["nodes"] == sum(record["nodes"] for record in report["positions"]) > 0
    assert all(Position(record["sfen"]).is_legal(record["bestmove"]) for record in report["positions"])


def test_perft() -> None:
    lines = run("perft", "3").splitlines()
    assert lines[0] == "Nodes: 25470"
    assert re.fullmatch(r"Nodes/second: [1-9]\d*", lines[1])


def test_perft_of_a_position_divided() -> None:
    *moves, nodes, _speed = run("perft", "2", "--sfen", MATSURI, "--divide").splitlines()
    assert nodes == "Nodes: 28684"
    counts = dict(line.split(": ") for line in moves)
    assert set(counts) == set(Position(MATSURI).legal_moves())
    assert sum(map(int, counts.values())) == 28684


@each(
    ("arguments", "complaint"),
    [
        (["perft", "2", "--sfen", "lnsgkgsnl/9 b - 1"], "lnsgkgsnl/9"),
        (["perft", "100000"], "100000"),
        (["perft", "0"], "0"),
        (["bench", "--threads", "0"], "0"),
        (["swim"], "swim"),
    ],
)
def test_bad_arguments_are_quoted(arguments: list[str], complaint: str) -> None:
    status = 2 if complaint in ("0", "swim") else 1
    error = run(*arguments, status=status)
    assert complaint in error


def test_eval_of_a_position_by_material() -> None:
    lines = run("eval", "4k4/9/9/9/9/9/9/9/4K4 w P 1", "--eval-file", "material").splitlines()
    assert lines == ["material +100, without tables", "", "score -100 centipawns for White, who is to move"]


def test_eval_by_the_packaged_weights() -> None:
    report = json.loads(run("eval", MATSURI, "--json"))
    assert report["score"] == load_evaluator().evaluate(Position(MATSURI))


def test_eval_by_a_weights_file(weights: Path) -> None:
    report = json.loads(run("eval", "--eval-file", str(weights), "--json"))
    assert (report["material"], report["kk"], report["tempo"], report["score"]) == (0, 0, 12, 12)
    assert len(report["shares"]) == 40


def test_every_command_explains_itself() -> None:
    """What measures the engine's own parts is not among what players look through."""
    overview = help_of()
    for command in ("analyze", "bench", "book", "completion", "convert", "doctor", "eval", "foldstats", "mate", "perft",
                    "play", "ttstats", "usi"):
        is_listed = re.search(rf"^  {command} +[A-Z][^.]+\.$", overview, re.MULTILINE)     # in full, on one line
        assert bool(is_listed) != (command in ("foldstats", "ttstats")), command
        assert is_listed or f"  {command} " not in overview
        lines = help_of(command).splitlines()
        assert lines[0].startswith(f"Usage: engine {command}")
        assert max(map(len, lines)) <= 90
    assert "--tt-report" not in help_of("bench")


def test_consoles_that_lack_letters_are_written_to_as_well() -> None:
    done = CliRunner(charset="cp1252").invoke(main, ["analyze", "--help"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert "--picture" in done.stdout


@pytest.mark.parametrize("command", [["bench", "--depth", "1"], ["eval"], ["ttstats", "--depth", "1"]])
def test_broken_weights_are_refused(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "weights").write_bytes(b"no weights")
    error = run(*command, "--eval-file", str(tmp_path / "weights"), status=1)
    assert "it starts with b'no weigh'" in error
    assert "absent" in run(*command, "--eval-file", str(tmp_path / "absent"), status=1)


def test_perft_in_json() -> None:
    found = json.loads(run("perft", "2", "--divide", "--json"))
    assert (found["depth"], found["nodes"]) == (2, 900)
    assert sum(found["moves"].values()) == 900
    assert "moves" not in json.loads(run("perft", "1", "--json"))
