"""The reports about the transposition table: `engine ttstats` and `engine bench --tt-report`."""
import json
import re
from functools import cache
from typing import Any

import pytest

from eval.learning.sizes import OrbitCounts
from tests.usi.commands.running import invoke
from usi.commands.foldstats import as_lines

DEPTH = "9"     # some 250,000 positions, four to an entry: enough to find keys sound, or to see false hits


def run(*arguments: str) -> str:
    return invoke(*arguments).output


@cache     # each run is a search of all the bench's positions
def ttstats(*arguments: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(run("ttstats", "--json", *arguments))
    return report


def test_keys_are_sound() -> None:
    report = ttstats("--depth", DEPTH)
    assert report["verdict"] == "sound"
    assert abs(report["z"]) < 4
    assert report["false_hits"] == 0
    assert sum(report["expected"]) == pytest.approx(sum(report["first"]))


def test_counts_add_up() -> None:
    report = ttstats("--depth", "6", "--hash", "1")
    assert report["hash_mb"] == 1
    assert report["entries"] == 1 << 16
    assert report["cases"][0] == report["used"] == report["first"][0]
    assert report["references"] >= report["moves"] == sum(report["cases"]) > 0
    assert abs(report["used"] - report["expected_used"]) < 4 * report["used"] ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("flaw", ["hand", "low-bits"])
def test_broken_keys_are_flagged(flaw: str) -> None:
    report = ttstats("--depth", DEPTH, "--break", flaw)
    assert report["verdict"] == "broken"
    assert abs(report["z"]) >= 4
    if flaw == "hand":      # positions share a key; low bits only crowd the slots, and the check code is whole
        assert report["collisions"] == report["false_hits"] > 10 * report["expected_false_hits"]


def test_report_of_contradictions() -> None:
    report = json.loads(run("bench", "--hash", "8", "--depth", "8", "--tt-report", "--json"))
    assert [row["depth"] for row in report["traffic"]] == [1, 2, 3, 4, 5, 6, 7, 8]
    contradictions, stores = (sum(row[name] for row in report["traffic"]) for name in ("contradictions", "stores"))
    assert 0 < contradictions < 0.1 * stores
    assert all(row["stores"] > 0 for row in report["traffic"])


def test_report_changes_no_search() -> None:
    plain, reported = (re.findall(r"Nodes searched: \d+", run("bench", "--hash", "8", "--depth", "5", *option))
                       for option in ((), ("--tt-report",)))
    assert plain == reported != []


def test_histogram_for_readers() -> None:
    text = run("ttstats", "--depth", "5", "--hash", "1")
    for name in ("empty", "other hash", "other check code", "hit"):
        assert re.search(rf"^{name} +\d+ +\d+ +[\d.]+ +\S+", text, re.MULTILINE)
    assert re.search(r"^verdict: (sound|undecided)$", text, re.MULTILINE)
    assert re.search(r"^contradictions: \d+ by path, \d+ by age, \d+ by depth, \d+ by selection$", text, re.MULTILINE)


# -- `engine foldstats`: -----------------------------------------------------------------------------------------------

# Elements in the order of the report, and megabytes of some.
SIZES = {
    "fe_end 1548": [194_100_624, 107_833_680, 53_951_670, 48_702_870, 10_156_428, 5_088_420, 2_544_210],
    "fe_end 1476": [176_464_656, 98_035_920, 49_051_170, 44_283_330, 9_684_036, 4_851_900, 2_425_950],
    "82 squares, 20 kinds": [2_761_840, 920, 423_660, 34_740_120, 35_588_160, 55_274_520],
}
MEGABYTES = {"KPP, none folded, 81 kings": 388, "KPP, king 45, square": 216, "KPP, king 45, triangular": 108,
             "KPP, exact orbits": 97}


def test_sizes_and_counts() -> None:
    report = json.loads(invoke("foldstats", "--json").stdout)
    for name, elements in SIZES.items():
        assert [layout["elements"] for layout in report["layouts"] if layout["set"] == name] == elements
    assert len(report["layouts"]) == sum(map(len, SIZES.values()))
    rounded = {layout["layout"]: round(layout["megabytes"]) for layout in report["layouts"]
               if layout["set"] == "fe_end 1548"}
    assert {name: rounded[name] for name in MEGABYTES} == MEGABYTES
    assert len(report["comparisons"]) > 20
    for comparison in report["comparisons"]:
        assert 0 < comparison["by_lemma"] == comparison["by_force"] < comparison["tuples"]


def test_a_difference_would_show() -> None:
    lines = as_lines({}, [OrbitCounts("right", 10, 5, 5), OrbitCounts("wrong", 10, 5, 6)])
    assert [line.split()[0] for line in lines if line.endswith("DIFFERENT")] == ["wrong"]
    assert lines[-1].startswith("verdict: 1 of 2 counts")
