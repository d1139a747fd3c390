"""Every margin has a range. Within the ranges no combination divides by zero or overflows."""
import re
import sys
from pathlib import Path

import pytest

from search import MATERIAL, Searcher
from search.parameters import DEFAULTS, FLAG, MARGINS, RANGES, SWITCH
from tests.each import each
from tests.faults import refused
from tests.processes import finished

SEARCH = Path(__file__).parents[2] / "search"
SOURCES = [path for ending in ("pyx", "pxd") for path in SEARCH.rglob(f"*.{ending}")]

# A child process, which a division by zero or a crash would end; a debug build writes down what overflows.
PROGRAM = """
from random import Random
from engine import Position
from search import MATERIAL, Limits, Searcher, Settings
from search.parameters import RANGES

POSITIONS = ["ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
             "3k5/9/3+P5/9/9/9/9/9/4K4 w rb2g 1"]

def search(**params):
    print(*(f"{name}={value}" for name, value in params.items()), flush=True)
    searcher = Searcher(1, params=params, evaluator=MATERIAL, in_calling_thread=True)
    for sfen in POSITIONS:
        searcher.search(Position(sfen), Limits(nodes=100), Settings(multi_pv=2))

ends = [(name, end) for name in RANGES for end in RANGES[name]]
rng = Random(1)
for name, end in ends:
    search(**{name: end})
for _ in range(40):
    search(**dict(rng.sample(ends, 2)))
for _ in range(10):         # all of them: sums and products of many
    search(**{name: rng.choice(RANGES[name]) for name in RANGES if name != "use_evasion_pruning"})
"""


@pytest.mark.slow
def test_margins_at_both_ends_alone_and_together_end_no_process(tmp_path: Path) -> None:
    program = tmp_path / "program.py"       # no `-c`, by which the working folder's build would come before the tested
    program.write_text(PROGRAM, encoding="utf-8")
    finished([sys.executable, str(program)])


def test_defaults_are_in_their_ranges() -> None:
    for name, (least, most) in RANGES.items():
        assert least <= DEFAULTS[name] <= most, name
        assert least < most, name
        assert not name.startswith(SWITCH) or (least, most) == FLAG, name


def test_no_divisor_may_be_0() -> None:
    """The divisors are found in the source, alone or in a sum."""
    found = {name for path in SOURCES for divisor in re.findall(
        r"/\s*(\((?:[^()]|\([^()]*\))*\)|(?:\w+\.)*params\.\w+)", path.read_text(encoding="utf-8"))
        for name in re.findall(r"params\.(\w+)", divisor)}
    assert {"aspiration_growth", "rfp_beta", "lmr_all_slope", "lmr_all_base"} <= found
    for name in found - {"rfp_beta", "lmr_all_slope"}:      # to which 1 and lmr_all_base are added
        assert RANGES[name][0] > 0, name
    assert RANGES["rfp_beta"][0] == RANGES["lmr_all_slope"][0] == 0


def test_every_meaning_stands_alone() -> None:
    """It names its step or subject; none continues the line above."""
    for margin in MARGINS:
        assert "…" not in margin.meaning, margin.name
        assert re.match(r"[\w ()-]+: \w", margin.meaning) or margin.name.startswith(SWITCH), margin.name
    assert len({margin.meaning for margin in MARGINS}) == len(MARGINS)


@each("name", sorted(RANGES))
def test_a_value_out_of_range_is_refused(name: str) -> None:
    least, most = RANGES[name]
    with refused(name=name, number=least - 1, least=least):
        Searcher(1, params={name: least - 1}, evaluator=MATERIAL)
    with refused(name=name, number=most + 1, most=most):
        Searcher(1, params={name: most + 1}, evaluator=MATERIAL)


def test_margins_that_were_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    names = list(DEFAULTS)
    monkeypatch.setattr("search.parameters.DEFAULTS", {name: DEFAULTS[name] for name in [*names[1:], names[0]]})
    with pytest.raises(RuntimeError, match="make build"):
        Searcher(1, evaluator=MATERIAL)
