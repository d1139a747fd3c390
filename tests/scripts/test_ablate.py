"""The ablation markdown_table, and the command from its first game to its table."""
from pathlib import Path

import pytest

from scripts import ablate
from scripts.ablate import BEGIN, END, EloResult, markdown_table, with_table
from tests.scripts.commands import invoke


def test_table_begins_with_what_is_worth_most() -> None:
    results = {"use_a": EloResult(-3.2, 10, 400, 3000), "use_b": EloResult(55.5, 12.3, 200, 3000),
               "use_c": EloResult(0, 9, 2, 3)}
    assert markdown_table(results, {"use_b": "passes"}, {"use_b": 1, "use_c": 0}).splitlines()[2:] == [
        "| `use_b` | passes | yes | +56 ± 12 | 200 | 3000 |",
        "| `use_c` |  | no | +0 ± 9 | 2 | 3 |",
        "| `use_a` |  | left out | -3 ± 10 | 400 | 3000 |"]


def test_the_table_replaces_the_last_one() -> None:
    report = f"# Search\n\n{BEGIN}\nold\n{END}\n\nMore.\n"
    assert with_table(report, "new") == f"# Search\n\n{BEGIN}\nnew\n{END}\n\nMore.\n"
    with pytest.raises(ValueError, match="no place"):
        with_table("# Search\n", "new")


@pytest.mark.slow
def test_the_command_resumes_and_writes_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, path in {"REPORT": "SEARCH.md", "RESULTS": "ablation.json", "GAMES": "ablation"}.items():
        monkeypatch.setattr(ablate, name, tmp_path / path)
    (tmp_path / "SEARCH.md").write_text(f"{BEGIN}\n{END}\n")

    outputs: list[str] = []

    def ablation(*arguments: str) -> None:
        outputs.append(invoke(ablate, "--nodes", 50, "--jobs", 1, *arguments).output)

    ablation("--games", "2", "--step", "qsearch")
    ablation("--games", "2", "--step", "qsearch", "--step", "table")
    games = {path.name: path.read_text().splitlines() for path in (tmp_path / "ablation").iterdir()}
    assert {name: len(lines) for name, lines in games.items()} == {"qsearch-50.jsonl": 3, "table-50.jsonl": 3}
    report = (tmp_path / "SEARCH.md").read_text()
    assert all(report.count(f"| `{step}` |") == 1 for step in ("qsearch", "table"))
    assert "".join(outputs).count("qsearch: ") == 2

    ablation("--games", "4", "--step", "qsearch")
    longer = (tmp_path / "ablation" / "qsearch-50.jsonl").read_text().splitlines()
    assert longer[:3] == games["qsearch-50.jsonl"]
    assert len(longer) == 5
    ablation("--games", "2", "--step", "table", "--again")
    assert "4 | 50 |" in (tmp_path / "SEARCH.md").read_text()


def test_a_report_without_markers_costs_no_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ablate, "REPORT", tmp_path / "SEARCH.md")
    monkeypatch.setattr(ablate, "GAMES", tmp_path / "ablation")
    (tmp_path / "SEARCH.md").write_text("# Search\n")
    assert "no place" in invoke(ablate, "--step", "table", status=1).output
    assert not (tmp_path / "ablation").exists()
