"""`engine doctor`: each check with a machine that is well and one that is not, and the command as a whole."""
import re
import subprocess
import sys
from dataclasses import replace
from importlib.abc import MetaPathFinder
from pathlib import Path
from runpy import run_path

import pytest

from engine.errors import OutOfMemory
from engine.system.cpu import DEBUG
from eval.loading import cached_file, load_evaluator
from tests.each import each
from tests.usi.commands.running import invoke
from tests.usi.conftest import ENGINE, PATIENCE_S
from usi import cli
from usi.commands import doctor
from usi.commands.about import LEVELS, Processor
from usi.words import reasons

DEBUG_BUILD = ["processor"] if DEBUG else []       # what the doctor rightly finds fault with when `make debug` asks it
EVERYTHING = frozenset().union(*LEVELS.values())


def run(*arguments: str, status: int = 0) -> list[str]:
    done = invoke("doctor", "--hash", 16, "--threads", 1, *arguments, status=status)
    assert done.stderr == ""
    return done.stdout.splitlines()


def problems(lines: list[str]) -> list[str]:
    return [line.split()[1] for line in lines if line.startswith("problem")]


def test_a_healthy_machine() -> None:
    lines = run(status=len(DEBUG_BUILD))
    assert lines[-1] == ("1 problem" if DEBUG else "all is well")
    subjects = [line[9:21].strip() for line in lines[:-1] if not line.startswith(" ")]
    assert set(subjects) - {"huge pages"} == {"processor", "evaluation", "cache", "memory", "threads", "speed",
                                              "terminal"}
    assert problems(lines) == DEBUG_BUILD


def test_what_is_wrong_is_said_with_what_to_do_and_in_the_exit_code(tmp_path: Path) -> None:
    broken = tmp_path / "broken.weights"
    broken.write_bytes(b"no weights")
    lines = run("--eval-file", str(broken), "--threads", "512", "--hash", "1048576", status=1)
    assert problems(lines) == [*DEBUG_BUILD, "evaluation", "memory", "threads"]
    assert lines[-1] == f"{len(problems(lines))} problems"
    assert sum(line.startswith(" " * 21 + " -> ") for line in lines) >= 3


def test_a_build_that_cannot_run_here_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """For every command, because the engine package refuses the processor when it is imported."""
    class Refusing(MetaPathFinder):
        def find_spec(self, name: str, *_: object) -> None:
            if name == "engine":
                raise ImportError("this processor lacks avx512f")

    monkeypatch.delitem(sys.modules, "engine")
    monkeypatch.setattr(sys, "meta_path", [Refusing(), *sys.meta_path])
    with pytest.raises(SystemExit, match=r"^engine cannot run here: this processor lacks avx512f$"):
        run_path(cli.__file__, run_name="__main__")


# -- One check after the other -----------------------------------------------------------------------------------------

BEST = Processor("Best", "GenuineIntel", 6, EVERYTHING)
ZEN = replace(BEST, vendor="AuthenticAMD", family=0x17)


@each(("here", "built_for", "flags", "features", "severity", "said"), [
    (BEST, "x86-64-v4", "-O3", "avx2 bmi2", "ok", ""), (BEST, "x86-64-v2", "-O3", "avx2 bmi2", "note", "could do more"),
    (Processor("Other"), "x86-64", "-O3", "avx2 bmi2", "ok", ""),
    (ZEN, "x86-64-v4", "-O3", "avx2 bmi2", "note", "GAKUSHI_SLIDERS=subtraction"),
    (ZEN, "x86-64-v4", "-O3", "popcnt", "ok", ""), (ZEN, "x86-64-v4", "-DGAKUSHI_NO_PEXT", "avx2 bmi2", "ok", ""),
    (replace(ZEN, family=0x19), "x86-64-v4", "-O3", "avx2 bmi2", "ok", ""),
])
def test_build(monkeypatch: pytest.MonkeyPatch, here: Processor, built_for: str, flags: str, features: str,
               severity: str, said: str) -> None:
    monkeypatch.setattr(doctor, "DEBUG", False)
    monkeypatch.setattr(doctor, "FLAGS", flags)
    monkeypatch.setattr(doctor, "FEATURES", tuple(features.split()))
    finding = doctor.check_build(here, built_for)
    assert finding.severity == severity
    assert said in str(finding)
    monkeypatch.setattr(doctor, "DEBUG", True)
    assert doctor.check_build(here, built_for).severity == "problem"


@each(("finding", "severity", "said"), [
    (doctor.check_memory(1, 1000, 500), "ok", ""),
    (doctor.check_memory(1000, 1000, 500), "problem",
     "set USI_Hash (here --hash) to 500 or less, or end other programs"),
    (doctor.check_threads(4, 4, None), "ok", ""), (doctor.check_threads(5, 4, None), "problem", ""),
    *((doctor.check_threads(4, 4, 1.5), "problem", said) for said in ("1.5 of 4 cores", "to 1 or less")),
    (doctor.check_threads(1, 4, 0.5), "ok", ""), (doctor.check_terminal("utf-8"), "ok", ""),
    (doctor.check_terminal("latin-1"), "note", ""), (doctor.check_terminal(None), "note", ""),
])
def test_memory_threads_and_terminal(finding: doctor.Finding, severity: str, said: str) -> None:
    assert finding.severity == severity
    assert said in str(finding)


def test_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.tables").write_bytes(bytes(3 << 20))
    assert "3 MB of tables" in doctor.check_cache(tmp_path).text
    assert doctor.check_cache(tmp_path).severity == "ok"
    full = doctor.check_cache(tmp_path, tmp_path / "needed.tables")
    assert full.severity == "problem"
    assert re.search(r"could not take the tables, \d+ MB are free there", full.text)
    assert "engine doctor --clean" in full.advice
    (tmp_path / "needed.tables").touch()
    assert "could not take" not in doctor.check_cache(tmp_path, tmp_path / "needed.tables").text
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert doctor.check_cache(tmp_path).severity == "note"
    assert doctor.check_cache(None).severity == "problem"


def test_cleaning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "gakushi"
    folder.mkdir(mode=0o700)
    assert cached_file(None, folder) is None, "a network has no expanded tables"
    needed = cached_file("tables", folder)
    assert needed
    needed.touch()
    (folder / "old.tables").write_bytes(bytes(3 << 20))
    assert doctor.cleaned("tables").startswith(f"'{folder}': 3 MB of other tables removed")
    assert list(folder.iterdir()) == [needed]


def test_a_limit_of_the_users_own_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    limited = doctor.check_memory(1000, 1000, 500, 488)
    assert "but a limit of yours (ulimit -v) lets a process have 488 MB" in limited.text
    assert limited.advice.endswith("to 500 or less, or raise the limit")
    monkeypatch.setattr(reasons, "limit_mb", lambda: 488)
    assert str(reasons.shortage(OutOfMemory("no room"))) == (
        "no room: a limit of yours lets this process have 488 MB (ulimit -v); raise it, or ask for less (USI_Hash or "
        "--hash, Threads)")
    assert str(reasons.shortage(MemoryError("Unable to allocate 456. MiB"))) == (
        "Unable to allocate 456. MiB: a limit of yours lets this process have 488 MB (ulimit -v); raise it")
    monkeypatch.setattr(reasons, "limit_mb", lambda: None)
    assert str(reasons.shortage(MemoryError())).startswith("there is not enough memory; end other programs, or ask for")
    assert str(reasons.shortage(MemoryError("Unable to allocate 9 GiB"))).endswith("9 GiB; end other programs")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to the limit")
@pytest.mark.parametrize("megabytes", [350, pytest.param(480, marks=pytest.mark.slow)])
def test_little_memory(megabytes: int) -> None:
    """Neither the doctor nor a game ends in a traceback, and every `go` is answered."""
    limited = f"ulimit -v {megabytes << 10} && exec {ENGINE[0]}"
    done = subprocess.run(["sh", "-c", f"{limited} doctor --hash 512"], capture_output=True, text=True,
                          timeout=PATIENCE_S)
    assert done.returncode == 1
    assert "a limit of yours" in done.stdout
    commands = "usi\nsetoption name USI_Hash value 524288\nisready\ngo depth 1\nquit\n"
    done = subprocess.run(["sh", "-c", limited], input=commands, capture_output=True, text=True, timeout=PATIENCE_S)
    less = re.search(r"^info string USI_Hash 524288 MB cannot be allocated \(a limit of yours .*\), (\d+) MB is used$",
                     done.stdout, re.MULTILINE)
    assert less
    assert 16 <= int(less[1]) < megabytes
    assert "readyok" in done.stdout
    assert "\nbestmove " in done.stdout
    assert "report it" not in done.stdout
    assert done.stderr == ""


@each(("setting", "severity"), [
    ("always [madvise] never", "ok"), ("[always] madvise never", "ok"), ("always madvise [never]", "note"),
])
def test_huge_pages(tmp_path: Path, setting: str, severity: str) -> None:
    path = tmp_path / "enabled"
    path.write_text(setting)
    assert [finding.severity for finding in doctor.check_huge_pages(path)] == [severity]
    assert list(doctor.check_huge_pages(tmp_path / "absent")) == []


@pytest.mark.parametrize(("text", "limit"), [("max 100000", None), ("150000 100000", 1.5), ("", None)])
def test_quota(tmp_path: Path, text: str, limit: float | None) -> None:
    path = tmp_path / "cpu.max"
    path.write_text(text)
    assert doctor.quota(path) == limit
    assert doctor.quota(tmp_path / "absent") is None


def test_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = load_evaluator("material")
    monkeypatch.setattr(doctor, "SLOW_NPS", 0)
    assert doctor.check_speed(evaluator).severity == "ok"
    monkeypatch.setattr(doctor, "SLOW_NPS", 10**12)
    assert doctor.check_speed(evaluator).severity == "note"


@pytest.mark.usefixtures("japanese")
def test_in_japanese() -> None:
    finding = doctor.check_threads(3, 2, None)
    assert str(finding).splitlines()[0] == "問題     スレッド     使えるコア: 2、指定されたスレッド: 3"
    assert run(status=len(DEBUG_BUILD))[-1] == ("問題が1件あります" if DEBUG else "すべて正常です")


def test_memory_that_cannot_be_allocated_after_all(monkeypatch: pytest.MonkeyPatch) -> None:
    class Smaller:
        megabytes = 7

    monkeypatch.setattr(doctor, "TranspositionTable", lambda _megabytes: Smaller)
    assert "a table of 8 MB cannot be allocated, 7 MB can" in doctor.check_memory(8, 1000, 500).text
