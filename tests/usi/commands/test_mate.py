"""`engine mate`: the text for people, the JSON for programs, and the exit code."""
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine import Position
from engine.records.csa import format_csa
from engine.records.kif import format_kif
from engine.records.record import GameRecord
from tests.each import each
from tests.faults import refused
from usi.cli import main
from usi.commands.mate import NO_MATE, UNDECIDED

ONE = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
TWO_WAYS = "4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1"
THREE = "8k/6S2/9/6N2/8N/9/9/9/9 b L2r2b4g3s2n3l18p 1"
NONE = "4k4/9/9/9/9/9/9/9/4K4 b P 1"
HARD = "3g1n1l1/2p1g1r2/5k2S/4p1N+R1/3+p5/7N1/B8/9/9 b 2GSNb2s3l15p 1"
USELESS = "3R1B1k1/9/6L2/9/9/9/9/9/9 b Rb4g4s4n3l18p 1"


def run(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, ["mate", "--hash", "4", *words], input=given)


@each(("words", "code", "said"), [
    ([ONE], 0, "mate in 1"), ([NONE], NO_MATE, "no mate"), ([HARD, "--nodes", "2000"], UNDECIDED, "not decided"),
    ([ONE, NONE], NO_MATE, "2 problems: 1 with a mate, 1 without"), (["no such file"], 1, "no such file"),
    (["4k4/9 b - 1"], 1, "4k4/9"), ([], 2, "PROBLEM"),
])
def test_the_exit_code_says_how_it_ended(words: list[str], code: int, said: str) -> None:
    done = run(*words)
    assert done.exit_code == code, done.output
    assert said in done.output


@pytest.mark.parametrize("form", ["sfens", "kif", "csa"])
def test_files_of_problems(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"problem.{form}"
    if form == "sfens":
        path.write_text(f"# two problems\n{ONE}\t1\tthe first\nsfen {THREE}\n")
    else:
        text = (format_kif if form == "kif" else format_csa)(GameRecord(Position(ONE).sfen, ["G*5b"]))
        path.write_text(text, encoding="utf-8")
    done = run(str(path), "--lines", "usi")
    assert done.exit_code == 0, done.output
    assert "G*5b" in done.output
    assert ("2 problems: 2 with a mate" in done.output) == (form == "sfens")


def test_another_solution_is_shown() -> None:
    # Only turns before the last are asked about, so a mate in one has no other.
    assert "there is no other solution" in run(TWO_WAYS, "--all").output
    done = json.loads(run(THREE, "--all", "--json").output)
    [problem] = done["problems"]
    position = Position(THREE)
    for other in problem["others"]:
        assert other["move"] != problem["moves"][other["ply"] - 1]
        assert position.gives_check(other["move"])


def test_json_has_all_that_is_known() -> None:
    [mates, none] = json.loads(run(THREE, NONE, "--json").output)["problems"]
    assert (mates["outcome"], mates["plies"], mates["shortest"]) == ("mate", len(mates["moves"]), True)
    assert mates["sfen"] == THREE
    assert (none["outcome"], none["plies"], none["moves"], none["others"]) == ("nomate", None, [], None)


def test_useless_interpositions_do_not_count_unless_asked_for() -> None:
    assert "mate in 1 ply (5 with useless interpositions)" in run(USELESS).output
    assert "mate in 3 plies (" in run(USELESS, "--count-useless").output
    (counted,) = json.loads(run(USELESS, "--json").output)["problems"]
    assert (counted["plies"], counted["full_plies"]) == (1, 5)
    assert "useless" not in run(ONE).output


def test_a_bad_line_of_a_list_is_named_and_the_others_are_solved(tmp_path: Path) -> None:
    problems = tmp_path / "problems.sfens"
    problems.write_text(f"{ONE}\n4k4/9/9 b G 1\n{THREE}\n")
    done = run(str(problems))
    assert done.exit_code == 1
    assert done.stderr.startswith(f"left out: {problems}:2: ")
    assert [line.split(": mate")[0] for line in done.stdout.splitlines() if ": mate" in line] == [
        f"{problems}:1", f"{problems}:3"]
    assert "2 problems: 2 with a mate" in done.stdout


def test_a_line_of_moves_is_a_problem_at_its_start_or_at_ply() -> None:
    (whole,) = json.loads(run(THREE, "--json").output)["problems"]
    line = f"sfen {THREE} moves {' '.join(whole['moves'][:2])}"
    (start,) = json.loads(run(line, "--json").output)["problems"]
    assert (start["sfen"], start["plies"]) == (whole["sfen"], 3)
    (later,) = json.loads(run(line, "--ply", "2", "--json").output)["problems"]
    assert (later["plies"], later["moves"]) == (1, whole["moves"][2:])
    refused(ply=3, last=2).ended(run(line, "--ply", "3"))


@pytest.mark.usefixtures("japanese")
def test_in_japanese() -> None:
    assert run(ONE).output.splitlines()[0].startswith("1手詰 (")
    assert "余詰はありません" in run(TWO_WAYS, "--all").output
    assert "2問: 詰み 1、不詰 1、未解決 0" in run(ONE, NONE).output
    assert "'no such file': そのようなファイルやフォルダーはありません" in run("no such file").output
