"""Strength levels through the protocol: their limits, the commands that ignore them, and the reports."""
import re
from pathlib import Path

from search.skill import FULL_LEVEL, Skill, level_of_elo
from tests.each import each
from tests.usi.conftest import PATIENCE_S, Client, options

MIDGAME = "position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"
INFO = re.compile(r"info depth \d+ seldepth \d+ multipv (\d+) .*? nodes (\d+) .* pv (\S+)")


def reports(lines: list[str]) -> list[tuple[int, int, str]]:
    """Number of the line, nodes and move of each report."""
    return [(int(match[1]), int(match[2]), match[3]) for line in lines if (match := INFO.match(line))]


def test_full_strength_unless_told_otherwise_by_a_level_or_a_rating() -> None:
    assert options().skill() is options(SkillLevel=FULL_LEVEL).skill() is options(USI_Elo=600).skill() is None
    assert options(SkillLevel=7).skill() == Skill.of_level(7)
    assert options(USI_LimitStrength=True, USI_Elo=800).skill() == options(SkillLevel=3).skill()
    assert options(USI_LimitStrength=True, USI_Elo=850, SkillLevel=1).skill() == Skill.of_level(3.5)


def test_the_manual_has_the_levels() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "USI.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", manual, re.MULTILINE)
    assert [int(row[0]) for row in rows] == list(range(FULL_LEVEL))
    for level, elo, nodes, lines, margin in rows:
        assert Skill.of_level(int(level)) == Skill(int(nodes), int(margin), int(lines))
        assert level_of_elo(int(elo)) == int(level)


def test_a_level_limits_nodes_and_plays_what_it_reported(engine: Client) -> None:
    engine.set("SkillLevel 3")
    skill = Skill.of_level(3)
    assert skill
    drawn = set()
    for _ in range(12):
        engine.send("setoption name Clear_Hash", MIDGAME, "go btime 600000 wtime 600000")
        lines = engine.expect("bestmove")
        shown = reports(lines)
        move = lines[-1].split()[1]
        assert {number for number, _nodes, _move in shown} == {1}       # the others are not asked for
        assert shown[-1][2] == move
        drawn.add(move)
    assert len(drawn) > 1


def test_the_lines_asked_for_are_shown(engine: Client) -> None:
    engine.set("SkillLevel 0", "MultiPV 2", "PvInterval 0")
    engine.send("go nodes 100")
    assert {number for number, _nodes, _move in reports(engine.expect("bestmove"))} == {1, 2}


def test_only_moves_asked_for_are_drawn(engine: Client) -> None:
    engine.set("SkillLevel 0")
    for _ in range(5):
        assert engine.bestmove("go searchmoves 9g9f 1g1f") in ("9g9f", "1g1f")


@each(("mode", "go"), [("false", "go infinite"), ("true", "go")])
def test_analysis_has_full_strength(engine: Client, mode: str, go: str) -> None:
    engine.set("SkillLevel 0", f"ConsiderationMode {mode}")
    engine.send(go)
    while not any(nodes > 10_000 for _number, nodes, _move in reports([engine.line(PATIENCE_S).text])):
        pass
    engine.send("stop")
    engine.expect("bestmove")
