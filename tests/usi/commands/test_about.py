"""`engine --version`, and the processor as the kernel describes it."""
import hashlib
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.system.cpu import BUILT_FOR, COMPILER, FEATURES, FLAGS, SUPPORTED
from eval.loading import PACKAGED
from tests.networks import COMMON_LIMITS, nnbin, random_arrays
from usi.cli import main
from usi.commands.about import Processor, evaluation_in_use, processor

ZEN_2 = """\
processor\t: 0
vendor_id\t: AuthenticAMD
cpu family\t: 23
model name\t: AMD Ryzen 7 3700X
flags\t\t: fpu pni ssse3

processor\t: 1
model name\t: another
"""


def test_version_says_how_it_was_built_and_what_it_evaluates_by() -> None:
    done = CliRunner().invoke(main, ["--version"])
    assert done.exit_code == 0
    first, *rest = done.stdout.splitlines()
    assert re.fullmatch(r"Gakushi, version \d+\.\d+\.\d+", first)
    fields = {line[:11].strip(): line[11:] for line in rest}
    assert list(fields) == ["build", "compiler", "flags", "processor", "evaluation", "Python"]
    assert BUILT_FOR in fields["build"]
    assert re.search(r"\(x86-64(-v[234])?\)", fields["build"])
    assert fields["compiler"] == COMPILER
    assert re.match(r"(gcc|clang) \d+\.", COMPILER)
    assert fields["flags"] == FLAGS
    assert "-O" in FLAGS
    assert hashlib.sha256(PACKAGED.read_bytes()).hexdigest()[:16] in fields["evaluation"]


def test_the_processor_by_its_description(tmp_path: Path) -> None:
    path = tmp_path / "cpuinfo"
    path.write_text(ZEN_2)
    found = processor(path)
    assert (found.name, found.has_slow_pext) == ("AMD Ryzen 7 3700X", True)
    assert found.features == set(SUPPORTED) >= set(FEATURES), "whatever the system writes of them"
    path.write_text(ZEN_2.replace(": 23", ": 25"))
    assert not processor(path).has_slow_pext


def test_an_unknown_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.processor", lambda: "")       # which else asks a process
    unknown = processor(tmp_path / "absent")
    assert (unknown.has_slow_pext, unknown.features) == (False, frozenset(SUPPORTED))
    monkeypatch.setattr("platform.processor", lambda: "AMD64 Family 23 Model 113 Stepping 0, AuthenticAMD")
    assert processor(tmp_path / "absent").has_slow_pext


def test_levels_by_extensions() -> None:
    assert Processor("none").level is None
    zen_2 = {"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "avx", "avx2", "bmi", "bmi2", "fma"}
    assert Processor("Zen 2", features=frozenset(zen_2)).level == "x86-64-v3"
    assert Processor("Zen 2, less one", features=frozenset(zen_2 - {"popcnt"})).level == "x86-64"


@pytest.mark.parametrize(("name", "text"), [("material", "none: material alone"), ("absent", "cannot be read")])
def test_evaluation_by_name(name: str, text: str) -> None:
    assert text in evaluation_in_use(name)


def test_a_network_of_another_engine(tmp_path: Path) -> None:
    path = tmp_path / "nn.bin"
    path.write_bytes(nnbin(random_arrays(1, COMMON_LIMITS)))
    assert evaluation_in_use(str(path)).startswith(
        f"'{path}': a network of the form nn.bin, K-P 256x2-32-32, FV_SCALE 16, sha256 ")
