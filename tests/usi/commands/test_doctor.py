"""`engine doctor`: each check with a machine that is well and one that is not, and the command as a whole."""
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from engine.cpu import DEBUG, FEATURES
from eval.loading import load_evaluator
from search import Searcher
from tests.usi.conftest import ENGINE, PATIENCE_S
from usi.commands import doctor
from usi.commands.about import LEVELS, Processor, level
from usi.commands.doctor import Finding

DEBUG_BUILD = ["processor"] if DEBUG else []       # what the doctor rightly finds fault with when `make debug` asks it
EVERYTHING = frozenset().union(*LEVELS.values())


def run(*arguments: str, status: int = 0) -> list[str]:
    done = subprocess.run([*ENGINE, "doctor", "--hash", "16", "--threads", "1", *arguments], capture_output=True,
                          text=True, encoding="utf-8", timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (status, "")
    return done.stdout.splitlines()


def problems(lines: list[str]) -> list[str]:
    return [line.split()[1] for line in lines if line.startswith("problem")]


def test_a_healthy_machine() -> None:
    lines = run(status=len(DEBUG_BUILD))
    assert lines[-1] == ("1 problem" if DEBUG else "all is well")
    subjects = [line[9:21].strip() for line in lines[:-1] if not line.startswith(" ")]
    assert subjects == ["processor", "tables", "cache", "memory", "huge pages", "threads", "search", "speed",
                        "terminal", "pictures"]
    assert problems(lines) == DEBUG_BUILD


def test_what_is_wrong_is_said_with_what_to_do_and_in_the_exit_code(tmp_path: Path) -> None:
    broken = tmp_path / "broken.weights"
    broken.write_bytes(b"no weights")
    lines = run("--eval-file", str(broken), "--threads", "512", "--hash", "1048576", status=1)
    assert problems(lines) == [*DEBUG_BUILD, "tables", "memory", "threads"]
    assert lines[-1] == f"{len(problems(lines))} problems"
    assert sum(line.startswith(" " * 21 + " -> ") for line in lines) >= 3


def test_a_build_that_cannot_run_here_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # An engine package found first, that refuses the processor as the real one does.
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("raise ImportError('this processor lacks avx512f')")
    root = Path(doctor.__file__).parent.parent
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{root}")
    done = subprocess.run([*ENGINE, "doctor"], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 1
    assert done.stderr == "engine cannot run here: this processor lacks avx512f\n"


def test_a_finding_as_text() -> None:
    assert str(Finding("memory", "ok", "plenty")) == "ok       memory       plenty"
    assert str(Finding("memory", "problem", "none", "buy some")).splitlines()[1].strip() == "-> buy some"


# -- One check after the other -----------------------------------------------------------------------------------------

def test_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "DEBUG", False)
    monkeypatch.setattr(doctor, "FLAGS", "-O3")
    best = Processor("Best", "GenuineIntel", 6, EVERYTHING)
    assert doctor.check_build(best, "x86-64-v4").severity == "ok"
    lesser = doctor.check_build(best, "x86-64-v2")
    assert (lesser.severity, "could do more" in lesser.text) == ("note", True)
    assert doctor.check_build(Processor("Other"), "x86-64").severity == "ok"

    zen = replace(best, vendor="AuthenticAMD", family=0x17)
    assert "GAKUSHI_SLIDERS=subtraction" in doctor.check_build(zen, "x86-64-v4").advice
    assert doctor.check_build(replace(zen, family=0x19), "x86-64-v4").severity == "ok"
    monkeypatch.setattr(doctor, "FLAGS", "-O3 -DGAKUSHI_NO_PEXT")
    assert doctor.check_build(zen, "x86-64-v4").severity == "ok"

    monkeypatch.setattr(doctor, "DEBUG", True)
    assert doctor.check_build(best, "x86-64-v4").severity == "problem"


def test_levels() -> None:
    assert level(frozenset()) == "x86-64"
    assert level(EVERYTHING) == "x86-64-v4"
    assert level(EVERYTHING - {"avx2"}) == "x86-64-v2"
    assert level(frozenset(FEATURES)) in ("x86-64", *LEVELS)


def test_evaluator(tmp_path: Path) -> None:
    assert doctor.check_evaluator("material")[1].severity == "note"
    evaluator, finding = doctor.check_evaluator(str(tmp_path / "absent"))
    assert evaluator is None
    assert (finding.severity, "absent" in finding.text) == ("problem", True)


def test_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.tables").write_bytes(bytes(3 << 20))
    assert "1 tables, 3 MB" in doctor.check_cache(tmp_path).text
    assert doctor.check_cache(tmp_path).severity == "ok"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert doctor.check_cache(tmp_path).severity == "note"
    assert doctor.check_cache(None).severity == "problem"


def test_memory() -> None:
    assert doctor.check_memory(1, 1000).severity == "ok"
    short = doctor.check_memory(1000, 1000)
    assert short.severity == "problem"
    assert "set USI_Hash (here --hash) to 937 or less" in short.advice


def test_memory_that_cannot_be_allocated_after_all(monkeypatch: pytest.MonkeyPatch) -> None:
    class Smaller:
        megabytes = 7

    monkeypatch.setattr(doctor, "TranspositionTable", lambda _megabytes: Smaller)
    assert "a table of 8 MB cannot be allocated, 7 MB can" in doctor.check_memory(8, 1000).text


@pytest.mark.parametrize(
    ("setting", "granted", "severity"),
    [
        ("always [madvise] never", 32, "ok"),
        ("[always] madvise never", None, "ok"),
        ("always [madvise] never", 0, "note"),
        ("always madvise [never]", 0, "note"),
    ],
)
def test_huge_pages(tmp_path: Path, setting: str, granted: int | None, severity: str) -> None:
    path = tmp_path / "enabled"
    path.write_text(setting)
    assert doctor.check_huge_pages(path, granted).severity == severity
    assert doctor.check_huge_pages(tmp_path / "absent", granted).severity == "note"


def test_threads() -> None:
    assert doctor.check_threads(4, 4, None).severity == "ok"
    assert doctor.check_threads(5, 4, None).severity == "problem"
    limited = doctor.check_threads(4, 4, 1.5)
    assert (limited.severity, "1.5 of 4 cores" in limited.text) == ("problem", True)
    assert "to 1 or less" in limited.advice
    assert doctor.check_threads(1, 4, 0.5).severity == "ok"


@pytest.mark.parametrize(("text", "limit"), [("max 100000", None), ("150000 100000", 1.5), ("", None)])
def test_quota(tmp_path: Path, text: str, limit: float | None) -> None:
    path = tmp_path / "cpu.max"
    path.write_text(text)
    assert doctor.quota(path) == limit
    assert doctor.quota(tmp_path / "absent") is None


def test_search_and_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = Searcher(1, evaluator=load_evaluator("material"))
    assert doctor.check_search(searcher).severity == "ok"
    monkeypatch.setattr(doctor, "MATE_IN_ONE", "4k4/9/4P4/9/9/9/9/9/4K4 b S 1")
    assert doctor.check_search(searcher).severity == "problem"
    assert doctor.judge_speed(doctor.SLOW_NPS).severity == "ok"
    assert doctor.judge_speed(doctor.SLOW_NPS - 1).severity == "note"


def test_terminal_and_pictures() -> None:
    assert doctor.check_terminal("utf-8").severity == "ok"
    assert doctor.check_terminal("latin-1").severity == "note"
    assert doctor.check_terminal(None).severity == "note"
    assert "gakushi[plot]" in doctor.check_pictures(False).advice
    assert doctor.check_pictures(True).severity == "ok"
