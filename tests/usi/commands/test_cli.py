"""The console command apart from USI: bench, perft and the rest."""
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from engine import Position
from eval.loading import load_evaluator
from search.bench import positions
from tests.each import each
from tests.processes import ENVIRONMENT, SECONDS
from tests.usi.commands.running import invoke
from tests.usi.conftest import ENGINE
from usi.cli import main
from usi.words.wording import columns_of

MATSURI = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"


def run(*arguments: str, status: int = 0) -> str:
    """The command's output on both streams."""
    return invoke(*arguments, status=status).output


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
            rf" *{number}  depth +2  score +(mate )?[-+]\d+  nodes +\d+  time +\d+ ms  [1-9PLNSGBR][a-i*][1-9][a-i]\+?",
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
    nodes, speed = run("perft", "3").splitlines()
    assert nodes == "Nodes: 25470"
    assert re.fullmatch(r"Nodes/second: [1-9]\d*", speed)
    *moves, nodes, _speed = run("perft", "2", "--sfen", MATSURI, "--divide").splitlines()
    assert nodes == "Nodes: 28684"
    counts = dict(line.split(": ") for line in moves)
    assert set(counts) == set(Position(MATSURI).legal_moves())
    assert sum(map(int, counts.values())) == 28684
    found = json.loads(run("perft", "2", "--divide", "--json"))
    assert (found["depth"], found["nodes"], sum(found["moves"].values())) == (2, 900, 900)
    assert "moves" not in json.loads(run("perft", "1", "--json"))
    assert "100000" in run("perft", "100000", status=1)


def test_eval_by_material_by_the_packaged_weights_and_by_a_file(weights: Path) -> None:
    lines = run("eval", "4k4/9/9/9/9/9/9/9/4K4 w P 1", "--eval-file", "material").splitlines()
    assert lines == ["material +100, without tables", "", "score -100 centipawns for White, who is to move"]
    assert json.loads(run("eval", MATSURI, "--json"))["score"] == load_evaluator().evaluate(Position(MATSURI))
    report = json.loads(run("eval", "--eval-file", str(weights), "--json"))
    assert (report["material"], report["kk"], report["tempo"], report["score"]) == (0, 0, 12, 12)
    assert len(report["shares"]) == 40


def test_every_command_explains_itself() -> None:
    """Commands that measure the engine's own parts are hidden from players."""
    overview = run("--help")
    for command in ("analyze", "bench", "book", "completion", "convert", "doctor", "eval", "foldstats", "mate", "perft",
                    "play", "ttstats", "usi"):
        is_listed = re.search(rf"^  {command} +[A-Z][^.]+\.$", overview, re.MULTILINE)     # in full, on one line
        assert bool(is_listed) != (command in ("foldstats", "ttstats")), command
        assert is_listed or f"  {command} " not in overview
        lines = run(command, "--help").splitlines()
        assert lines[0].startswith(f"Usage: engine {command}")
        assert max(map(len, lines)) <= 90
    assert "--tt-report" not in run("bench", "--help")


def test_consoles_that_lack_letters_are_written_to_as_well() -> None:
    done = CliRunner(charset="cp1252").invoke(main, ["analyze", "--help"])
    assert (done.exit_code, done.output) == (0, done.stdout), "nothing is on stderr"
    assert "--picture" in done.stdout


@each("command", [["bench", "--depth", "1"], ["eval"], ["ttstats", "--depth", "1"]])
def test_broken_weights_are_refused(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "weights").write_bytes(b"no weights")
    error = run(*command, "--eval-file", str(tmp_path / "weights"), status=1)
    assert "it starts with b'no weigh'" in error
    assert "absent" in run(*command, "--eval-file", str(tmp_path / "absent"), status=1)


# -- `engine completion`: ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_of_that_shell(shell: str) -> None:
    script = CliRunner().invoke(main, ["completion", shell], prog_name="engine").stdout
    assert f"_ENGINE_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=SECONDS)


def test_what_is_completed() -> None:
    """Each in its own process, because click 8.0 completes nothing in this one, and a USI session would begin."""
    for words, number, found in (("engine an", "1", {"analyze"}), ("engine play --col", "2", {"--color"}),
                                 ("engine play --color b", "3", {"black"}),
                                 ("engine completion ", "2", {"bash", "zsh", "fish"})):
        done = subprocess.run(ENGINE, env={**ENVIRONMENT, "_ENGINE_COMPLETE": "bash_complete", "COMP_WORDS": words,
                                           "COMP_CWORD": number}, capture_output=True, text=True, timeout=SECONDS)
        assert {line.partition(",")[2] for line in done.stdout.splitlines()} == found


# -- Help in Japanese: -------------------------------------------------------------------------------------------------

CONTEXT = click.Context(main)
JAPANESE = re.compile("[ぁ-ん一-龥]")


def commands(command: click.Command = main, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(CONTEXT):
            below = command.get_command(CONTEXT, name)
            assert below is not None
            if not below.hidden:
                yield from commands(below, *path, name)


ALL = dict(commands())


def page(path: tuple[str, ...], language: str = "ja_JP.UTF-8") -> str:
    result = CliRunner(env={"LC_ALL": language, "LANGUAGE": ""}).invoke(main, [*path, "--help"])
    assert result.exit_code == 0
    return result.output


@each("path", ALL)
def test_help_in_japanese(path: tuple[str, ...]) -> None:
    text = page(path)
    assert text.startswith("使い方: ")
    *_sections, options = text.split("\n\n") if not isinstance(ALL[path], click.Group) else text.split("\n\n")[:-1]
    about = re.split(r"\n  (?=-)", options)[1:]         # one text for each option
    assert len(about) == sum(isinstance(parameter, click.Option) and not parameter.hidden
                             for parameter in ALL[path].params) + 1
    assert all(JAPANESE.search(each) for each in about)
    assert "[default" not in text
    assert "[required" not in text
    folded = [line for line in text.splitlines() if " | " not in line and "autoload" not in line]
    assert max(map(columns_of, folded)) <= 80
