"""What is looked at of a build for another system: its files, and what its Python does with them where that can be run
here. Each check says what it has seen; UserError for what is not as it should be."""
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from engine.errors import UserError
from scripts.packaging.pythons import ROOT, Python, require
from scripts.packaging.targets import Target
from usi.client import UsiClient, UsiFault

FOLDERS = ("engine", "tt", "eval", "search", "tests")       # that have modules to compile
BENCH = ("-m", "usi", "bench", "--depth", "8")      # the whole of it takes an emulated processor half an hour
DOCTOR = ("-m", "usi", "doctor", "--hash", "16", "--threads", "1")
# Those of the core that take an emulated processor minutes, and need no program that is not there.
TESTS = ("tests/engine/system/test_cpu.py", "tests/engine/records/test_gameover.py", "tests/eval/test_features.py",
         "tests/eval/network/test_inference.py::test_kernels_agree",
         "tests/eval/network/test_inference.py::test_values_are_those_of_the_layers", "tests/tt",
         "tests/search/tree/test_see.py", "tests/search/test_clock.py", "tests/search/test_timeman.py")
PROCESSORS = {"aarch64": ("max", "cortex-a72")}     # with dot products, and as in a Raspberry Pi 4, without
FOLDER = "将棋 の 本"
SECONDS = 600           # for what takes a moment: the machine may be very busy


def run_checks(target: Target, python: Python) -> Iterator[str]:
    """What was seen, check by check."""
    yield compiled(target)
    if not python.command:
        return
    ours = Python(python.version, python.include, (sys.executable,), {})
    for processor in PROCESSORS.get(target.name, ("",)):
        python.environment["QEMU_CPU"] = processor
        yield python.run(("-m", "usi", "--version"), target.built)
        yield same_nodes(python.run(BENCH, target.built), ours.run(BENCH, ROOT))
    yield python.run(DOCTOR, target.built)
    yield session(python, target, "Ctrl-C", lambda client: client.process.send_signal(signal.SIGINT))
    yield session(python, target, "end of input", UsiClient.close_input)
    if target.name == "windows":        # which has its own processes, locks and pipes, and letters
        yield match(target, python)
        yield session(in_japanese(target, python), target, "end of input", UsiClient.close_input)
    yield python.run(("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not timing", *TESTS),
                     target.built)


def compiled(target: Target) -> str:
    """Whether all modules are there."""
    wanted = {path.relative_to(ROOT).with_suffix("") for folder in FOLDERS for path in (ROOT / folder).rglob("*.pyx")}
    found = {path.relative_to(target.built).parent / path.name.partition(".")[0]
             for path in target.built.rglob(f"*{Path(target.suffix).suffix}")}
    if missing := sorted(map(str, wanted - found)):
        raise UserError(f"not compiled: {', '.join(missing)}")
    return f"{len(wanted)} modules compiled and linked"


def same_nodes(there: str, here: str) -> str:
    counts = [re.findall(r"^(?:Nodes searched|探索した局面): (\d+)$", text, re.MULTILINE) for text in (there, here)]
    if counts[0] != counts[1] or not counts[0]:
        raise UserError(f"bench: {counts[0]} nodes, and {counts[1]} in the build in place")
    return f"{' '.join(BENCH[2:])}: {counts[0][0]} nodes, as in the build in place"


def session(python: Python, target: Target, how: str, end: Callable[[UsiClient], None]) -> str:
    """A game of a GUI there: Windows' line ends, a log in a folder that is named as many are in Japan, and an end in
    the middle of a search."""
    log = target.folder / FOLDER / "記録.txt"
    log.parent.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)
    try:
        with UsiClient([*python.command, "-m", "usi"], cwd=ROOT, env=python.variables(target.built),
                       encoding=python.encoding) as client:
            client.usi(SECONDS)
            client.send(f"setoption name DebugLogFile value {log}", "isready", "position startpos moves 7g7f",
                        "go depth 6", end="\r\n")
            answer = client.wait_for("bestmove", SECONDS).text
            client.send("go infinite", end="\r\n")
            client.wait_for("info", SECONDS)
            end(client)
            status = client.wait(SECONDS)
    except UsiFault as fault:
        raise UserError(f"a session: {fault}") from None
    if status or answer not in log.read_text(encoding="utf-8"):
        raise UserError(f"{how} ended the engine with status {status}; {log} should have {answer!r}")
    return f"a session in {python.encoding}: {answer}, logged in '{log.relative_to(ROOT)}'; {how} ends the engine"


def in_japanese(target: Target, python: Python) -> Python:
    """The same in a Windows of Japan, whose letters are those of CP932: Wine goes by the language of its own system."""
    localedef = require("it belongs to the C library", "localedef")
    language = target.folder / "languages" / "ja_JP.UTF-8"
    if not language.exists():
        language.parent.mkdir(exist_ok=True)
        if subprocess.run([localedef, "-i", "ja_JP", "-f", "UTF-8", language]).returncode:
            raise OSError("the description of Japanese is missing: apt-get install locales")
    environment = {**python.environment, "LC_ALL": language.name, "LOCPATH": str(language.parent)}
    return replace(python, environment=environment, encoding="cp932")


def match(target: Target, python: Python) -> str:
    """Two engines against each other, in two games at a time."""
    out = target.folder / "match.jsonl"
    out.unlink(missing_ok=True)
    engines = [f"name={name} '{python.executable}' -m usi" for name in ("a", "b")]
    text = python.run(("-m", "scripts.match", *engines, "--nodes", "300", "--games", "4", "--jobs", "2",
                       "--out", str(out)), target.built)
    if "4 games:" not in text:
        raise UserError(text)
    return text
