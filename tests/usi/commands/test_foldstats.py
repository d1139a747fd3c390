"""`engine foldstats`: the sizes that the layouts have, and the two ways of counting side by side."""
import json

from eval.learning.sizes import Comparison
from tests.usi.commands.running import invoke
from usi.commands.foldstats import as_lines

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
    lines = as_lines({}, [Comparison("right", 10, 5, 5), Comparison("wrong", 10, 5, 6)])
    assert [line.split()[0] for line in lines if line.endswith("DIFFERENT")] == ["wrong"]
    assert lines[-1].startswith("verdict: 1 of 2 counts")
