"""What is looked at of a build for another system: its files, and what its Python does with them where that can be run
here. Each check says what it has seen."""
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.platforms.pythons import Python, in_japanese
from scripts.platforms.sessions import deserted, interrupted, logged
from scripts.platforms.targets import ROOT, Target

FOLDERS = ("engine", "tt", "eval", "search", "tests")       # that have modules to compile
BENCH = ("-m", "usi", "bench", "--depth", "8")      # the whole of it takes an emulated processor half an hour
PERFT = ("-m", "usi", "perft", "3")
MATE = ("-m", "usi", "mate", "--lines", "japanese", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
# What a compiled module has where its format and the processor are told.
MARKS = {
    "aarch64": (18, b"\xb7\x00"),
    "windows": (0, b"MZ"),
    "macos-arm64": (4, b"\x0c\x00\x00\x01"),
    "macos-x86_64": (4, b"\x07\x00\x00\x01"),
}
# Those of the core that take an emulated processor minutes, and need no program that is not there.
TESTS = ("tests/engine/test_cpu.py", "tests/engine/test_gameover.py", "tests/eval/test_features.py",
         "tests/eval/test_network.py::test_kernels_agree",
         "tests/eval/test_network.py::test_values_are_those_of_the_layers", "tests/tt", "tests/search/test_see.py",
         "tests/search/test_clock.py", "tests/search/test_timeman.py")
PROCESSORS = {"aarch64": ("max", "cortex-a72")}     # with dot products, and as in a Raspberry Pi 4, without


def run_checks(target: Target, python: Python) -> Iterator[str]:
    """What was seen, check by check. ValueError for what is not as it should be."""
    yield compiled(target)
    if not python.command:
        return
    of_ours = Python(python.version, python.include, (sys.executable,), {})
    for processor in PROCESSORS.get(target.name, ("",)):
        python.environment["QEMU_CPU"] = processor
        yield said(python, target, ("-m", "usi", "--version"))
        yield same_nodes(BENCH, said(python, target, BENCH), said(of_ours, target, BENCH, ROOT))
    yield same_nodes(PERFT, said(python, target, PERFT), said(of_ours, target, PERFT, ROOT))
    yield said(python, target, ("-m", "usi", "doctor", "--hash", "16", "--threads", "1"))
    yield logged(python, target)
    yield interrupted(python, target)
    yield deserted(python, target)
    if target.name == "windows":        # which has its own processes, locks and pipes, and letters
        yield match(target, python)
        there = in_japanese(target, python)
        yield logged(there, target)
        yield same_mate(said(there, target, MATE), said(of_ours, target, MATE, ROOT))
    yield said(python, target, ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not timing",
                                *TESTS))


def compiled(target: Target) -> str:
    """Whether all modules are there, and for the right processor."""
    suffix = Path(target.suffix).suffix
    modules = {path.relative_to(ROOT).with_suffix("") for folder in FOLDERS for path in (ROOT / folder).rglob("*.pyx")}
    found = [path for folder in FOLDERS for path in (target.built / folder).rglob(f"*{suffix}")]
    missing = {str(path) for path in modules - {path.relative_to(target.built).parent / path.name.partition(".")[0]
                                                for path in found}}
    if missing:
        raise ValueError(f"not compiled: {', '.join(sorted(missing))}")
    place, mark = MARKS[target.name]
    foreign = [path.name for path in found if path.read_bytes()[place:place + len(mark)] != mark]
    if foreign:
        raise ValueError(f"compiled for another system: {', '.join(foreign)}")
    return f"{len(found)} modules compiled and linked"


def said(python: Python, target: Target, arguments: tuple[str, ...], first: Path | None = None) -> str:
    """What a program prints, which has to end well."""
    done = python.run(arguments, first or target.built)
    if done.returncode:
        raise ValueError(f"python {' '.join(arguments)}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout.strip()


def same_nodes(arguments: tuple[str, ...], there: str, here: str) -> str:
    counts = [re.findall(r"^Nodes(?: searched)?: (\d+)$", text, re.MULTILINE) for text in (there, here)]
    if counts[0] != counts[1] or not counts[0]:
        raise ValueError(f"{' '.join(arguments[2:])}: {counts[0]} nodes, and {counts[1]} in the build in place")
    return f"{' '.join(arguments[2:])}: {counts[0][0]} nodes, as in the build in place"


def same_mate(there: str, here: str) -> str:
    """Its moves, which come last; before them stands the time that it took."""
    theirs, ours = (text.splitlines()[-1] for text in (there, here))
    if theirs != ours:
        raise ValueError(f"mate: {theirs!r}, and {ours!r} in the build in place")
    return f"mate: {theirs}, as in the build in place"


def match(target: Target, python: Python) -> str:
    """Two engines against each other, in two games at a time."""
    out = target.folder / "match.jsonl"
    out.unlink(missing_ok=True)
    engines = [f"name={name} '{python.executable}' -m usi" for name in ("a", "b")]
    text = said(python, target, ("-m", "scripts.match", *engines, "--nodes", "300", "--games", "4", "--jobs", "2",
                                 "--out", str(out)))
    if "4 games:" not in text:
        raise ValueError(text)
    return text
