"""What `engine --version` says, and the processor as the kernel describes it."""
import hashlib
import re
import subprocess
from pathlib import Path

import pytest

from engine.cpu import BUILT_FOR, COMPILER, FLAGS
from eval.loading import PACKAGED
from tests.usi.conftest import ENGINE, PATIENCE_S
from usi.commands.about import evaluation_in_use, processor

ZEN_2 = """\
processor\t: 0
vendor_id\t: AuthenticAMD
cpu family\t: 23
model name\t: AMD Ryzen 7 3700X
flags\t\t: fpu pni ssse3 sse4_1 sse4_2 popcnt avx avx2 bmi1 bmi2 fma avx512_vnni

processor\t: 1
model name\t: another
"""


def test_version_says_how_it_was_built_and_what_it_evaluates_by() -> None:
    done = subprocess.run([*ENGINE, "--version"], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (0, "")
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
    assert (found.name, found.level, found.has_slow_pext) == ("AMD Ryzen 7 3700X", "x86-64-v3", True)
    assert {"sse3", "sse4.1", "bmi", "avx512vnni"} <= found.features
    path.write_text(ZEN_2.replace(": 23", ": 25"))
    assert not processor(path).has_slow_pext


def test_an_unknown_processor(tmp_path: Path) -> None:
    found = processor(tmp_path / "absent")
    assert (found.level, found.has_slow_pext) == (None, False)


@pytest.mark.parametrize(("name", "text"), [("material", "none: material alone"), ("absent", "cannot be read")])
def test_evaluation_by_name(name: str, text: str) -> None:
    assert text in evaluation_in_use(name)
