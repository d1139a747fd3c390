"""The command `engine doctor`: whether the engine can do its best on this machine, and what to do if it cannot."""
import importlib.util
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import click

from engine import Position
from engine.cpu import DEBUG, FEATURES, FLAGS
from eval.cache import cache_folder, remove_others, tables_in, usual_folder
from eval.evaluator import Evaluator
from eval.loading import cached_file, load_evaluator
from search import Limits, Searcher, Settings
from search.threads import usable_cores
from tt.memory import available_megabytes, largest_table_megabytes
from tt.table import TranspositionTable
from usi.bench import measure, positions
from usi.commands.about import Processor, built_for, evaluation_in_use, level, processor
from usi.commands.faults import usage_error
from usi.commands.terminal import evaluation_option, show
from usi.memory import limit_mb, shortage
from usi.options import Options
from usi.protocol import nodes_per_second
from usi.reasons import reason

BENCH_POSITIONS = 6
BENCH_NODES = 30_000        # for each; less than a second in all on a usual machine
SLOW_NPS = 100_000          # for one thread, below which no processor of the last ten years should be
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
MEMORY_MAP = Path("/proc/self/smaps_rollup")
HUGE_PAGES_TRIED_MB = 32
QUOTA = Path("/sys/fs/cgroup/cpu.max")
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"

# "note" tells of something that could be better; only a "problem" makes the machine unhealthy.
Severity = Literal["ok", "note", "problem"]


@dataclass(frozen=True)
class Finding:
    """What one check has found, and what to do about it, if anything."""

    subject: str
    severity: Severity
    text: str
    advice: str = ""

    def __str__(self) -> str:
        line = f"{self.severity:7}  {self.subject:12} {self.text}"
        return f"{line}\n{'':9}{'':12} -> {self.advice}" if self.advice else line


COLOURS: dict[str, str] = {"ok": "green", "note": "yellow", "problem": "red"}      # by severity


def examine(evaluation: str | None, hash_mb: int, threads: int) -> Iterator[Finding]:
    """All findings, each as soon as it is there."""
    yield check_build(processor(), level(frozenset(FEATURES)))
    evaluator, finding = check_evaluator(evaluation)
    yield finding
    folder = cache_folder()
    yield check_cache(folder, cached_file(evaluation, folder) if folder and evaluator else None)
    yield with_memory("memory", lambda: check_memory(hash_mb, available_megabytes(), largest_table_megabytes(),
                                                     limit_mb()))
    yield with_memory("huge pages", lambda: check_huge_pages(HUGE_PAGES, granted_huge_pages()))
    yield check_threads(threads, usable_cores(), quota(QUOTA))
    yield with_memory("search", lambda: check_search(Searcher(1, evaluator=evaluator)))
    yield with_memory("speed", lambda: check_speed(evaluator))
    yield check_terminal(sys.stdout.encoding)
    yield check_pictures(importlib.util.find_spec("matplotlib") is not None)


def with_memory(subject: str, check: Callable[[], Finding]) -> Finding:
    """What a check finds, or that there was not the memory to make it."""
    try:
        return check()
    except MemoryError as error:
        return no_memory(subject, error)


def no_memory(subject: str, error: MemoryError) -> Finding:
    """What `error` says, as a finding."""
    return Finding(subject, "problem", shortage(error))


def check_build(here: Processor, built_level: str) -> Finding:
    """The build against the processor. (One that could not run at all would not have got here.)"""
    text = f"built for {built_for()}, running on {here.name}" + (f" ({here.level})" if here.level else "")
    if DEBUG:
        return Finding("processor", "problem", f"{text}; a debug build, many times slower",
                       "build without GAKUSHI_DEBUG: pip install .")
    if here.has_slow_pext and "bmi2" in FEATURES and "-DGAKUSHI_NO_PEXT" not in FLAGS:
        return Finding("processor", "note", f"{text}, whose PEXT may be slow (AMD Zen 1 and 2)",
                       "compare the speed of a build with GAKUSHI_SLIDERS=subtraction")
    if here.level and here.level > built_level:
        return Finding("processor", "note", f"{text}, which could do more",
                       "install from the sources on this machine: pip install .")
    return Finding("processor", "ok", text)


def check_evaluator(evaluation: str | None) -> tuple[Evaluator | None, Finding]:
    """The evaluator, if it can be loaded, and how long that took."""
    start = time.perf_counter()
    try:
        evaluator = load_evaluator(evaluation)
    except MemoryError as error:
        return None, no_memory("evaluation", error)
    except (OSError, ValueError) as error:
        advice = "give a weights file that is whole" if evaluation else "install Gakushi again: pip install ."
        return None, Finding("evaluation", "problem", reason(error), advice)
    if not evaluator.megabytes:
        return evaluator, Finding("evaluation", "note", evaluation_in_use(evaluation))
    return evaluator, Finding("evaluation", "ok", f"{evaluation_in_use(evaluation)}, {evaluator.megabytes} MB, "
                               f"loaded in {time.perf_counter() - start:.2f} s")


def check_cache(folder: Path | None, needed: Path | None = None) -> Finding:
    """Where tables are kept, so that engines start at once and share one copy; `needed` is the file of those that have
    just been loaded, None if there are none to be kept."""
    if folder is None:
        return Finding("cache", "problem", "there is no folder to keep expanded tables in: every engine takes half a "
                       "second longer to start, and memory of its own",
                       f"make {usual_folder().parent} writable, or set XDG_CACHE_HOME to a folder of yours")
    tables = tables_in(folder)
    megabytes = sum(path.stat().st_size for path in tables) >> 20
    if needed and needed not in tables:
        free_mb = shutil.disk_usage(folder).free >> 20
        return Finding("cache", "problem", f"'{folder}' could not take the tables, {free_mb} MB are free there: every "
                       "engine takes half a second longer to start, and memory of its own",
                       "free some space there (engine doctor --clean), or set XDG_CACHE_HOME to a folder with more")
    text = f"'{folder}': {len(tables)} tables, {megabytes} MB, shared by all engines of yours"
    if folder != usual_folder() and not os.environ.get("XDG_CACHE_HOME"):
        return Finding("cache", "note", f"{text}, until temporary files are removed",
                       f"make {usual_folder().parent} writable")
    return Finding("cache", "ok", text)


def check_memory(hash_mb: int, available_mb: int, most: int, limit: int | None = None) -> Finding:
    """Whether the transposition table can be as large as asked for, which is `most` at most. `limit` is the user's own,
    in MB of a process."""
    limited = f", but a limit of yours (ulimit -v) lets a process have {limit} MB" if limit is not None else ""
    text = f"{available_mb} MB available, of which a table gets half at most{limited}; a table of {hash_mb} MB "
    # What is plainly too much is not tried: a table takes hold of all the memory that it gets.
    obtained_mb = most if hash_mb > most else TranspositionTable(hash_mb).megabytes
    if obtained_mb < hash_mb:
        return Finding("memory", "problem", f"{text}cannot be allocated, {obtained_mb} MB can",
                       f"set USI_Hash (here --hash) to {obtained_mb} or less, or "
                       + ("end other programs" if limit is None else "raise the limit"))
    return Finding("memory", "ok", f"{text}can be allocated")


def check_huge_pages(setting: Path, granted_mb: int | None) -> Finding:
    """Whether the kernel gives huge pages to a program that asks, as the transposition table does."""
    try:
        text = setting.read_text(encoding="ascii")
    except OSError:
        return Finding("huge pages", "note", "this system does not say whether it gives any")
    chosen = text.partition("[")[2].partition("]")[0]
    if chosen == "never":
        return Finding("huge pages", "note", "switched off: looking into a large table takes longer",
                       f"echo madvise | sudo tee {setting}")
    if granted_mb == 0:
        return Finding("huge pages", "note", f"promised ({chosen}), but none were given: looking into a large table "
                       "takes longer", "memory may be in pieces: end other programs, or start the machine anew")
    return Finding("huge pages", "ok", f"given on request ({chosen})")


def granted_huge_pages() -> int | None:
    """MB that this process has in huge pages while it holds a table; None if the kernel does not tell."""
    table = TranspositionTable(HUGE_PAGES_TRIED_MB)
    table.clear()       # pages are given when they are first touched
    try:
        text = MEMORY_MAP.read_text(encoding="ascii")
    except OSError:
        return None
    found = re.search(r"AnonHugePages:\s*([0-9]+) kB", text)
    return int(found[1]) >> 10 if found else None


def check_threads(threads: int, cores: int, most: float | None) -> Finding:
    """Whether there is a core for each thread."""
    usable = cores if most is None else min(cores, max(int(most), 1))
    text = f"{usable} cores for this process, {threads} threads asked for"
    if usable < cores:
        text += f" (it is limited to the time of {most:g} of {cores} cores)"
    if threads > usable:
        return Finding("threads", "problem", text,
                       f"set Threads (here --threads) to {usable} or less: more only get in each other's way")
    return Finding("threads", "ok", text)


def quota(limit: Path) -> float | None:
    """How many processors' time a container lets this process have; None if that is not limited, or not told."""
    try:
        allowed, period = limit.read_text(encoding="ascii").split()
        return int(allowed) / int(period)
    except (OSError, ValueError):
        return None


def check_search(searcher: Searcher) -> Finding:
    """Whether a search finds what nobody can miss."""
    result = searcher.search(Position(MATE_IN_ONE), Limits(depth=3), Settings())
    if result.bestmove != "G*5b":
        return Finding("search", "problem", f"a mate in one was missed: {result.bestmove} in '{MATE_IN_ONE}'",
                       "install Gakushi again from its sources on this machine, and report this if it stays")
    return Finding("search", "ok", "finds a mate in one")


def check_speed(evaluator: Evaluator | None) -> Finding:
    """A short bench with one thread."""
    searcher = Searcher(16, evaluator=evaluator)
    measured = [measure(searcher, sfen, Limits(nodes=BENCH_NODES)) for sfen in positions()[:BENCH_POSITIONS]]
    nps = nodes_per_second(sum(one.nodes for one in measured), sum(one.time_ms for one in measured))
    return judge_speed(nps)


def judge_speed(nps: int) -> Finding:
    """What to say to a speed in nodes per second of one thread."""
    text = f"{nps} nodes per second with one thread"
    if nps < SLOW_NPS:
        return Finding("speed", "note", f"{text}, which is slow", "end other programs and look again; if it stays, "
                       "install from the sources on this machine")
    return Finding("speed", "ok", text)


def check_terminal(encoding: str | None) -> Finding:
    """Whether Japanese moves can be shown."""
    try:
        "▲７六歩".encode(encoding or "ascii")
    except UnicodeEncodeError:
        return Finding("terminal", "note", f"its encoding, {encoding}, has no Japanese: moves are shown in USI",
                       "type chcp 65001, and set PYTHONUTF8 to 1" if sys.platform == "win32" else
                       "set LANG to C.UTF-8 or another locale with UTF-8")
    return Finding("terminal", "ok", f"can show Japanese ({encoding})")


def check_pictures(available: bool) -> Finding:
    """Whether `engine analyze --picture` can draw."""
    if not available:
        return Finding("pictures", "note", "matplotlib is not there: `engine analyze` draws no pictures",
                       'if you want them: pip install "gakushi[plot]"')
    return Finding("pictures", "ok", "can be drawn")


def cleaned(evaluation: str | None) -> str:
    """Remove tables that are not those of this evaluation; returns what was done, in words."""
    folder = cache_folder()
    if folder is None:
        return "there is no cache to clean"
    try:
        size = remove_others(folder, cached_file(evaluation, folder))
    except (OSError, ValueError) as error:
        raise usage_error(error) from None
    return f"'{folder}': {size >> 20} MB of other tables removed (engines that use them keep them until they end)"


@click.command(short_help="Say whether all is well on this machine.")
@click.option("--threads", type=click.IntRange(1, 512), default=Options().number("Threads"), show_default=True,
              help="Search threads that you want to use.")
@click.option("--hash", "hash_mb", type=click.IntRange(1, 2**20), default=Options().number("USI_Hash"),
              show_default=True, metavar="MB", help="Memory that you want to give the transposition table.")
@evaluation_option
@click.option("--clean", is_flag=True, help="Remove from the cache all tables but those in use here.")
@click.option("--json", "to_json", is_flag=True, help="Print one JSON object in place of the lines.")
def doctor(threads: int, hash_mb: int, evaluation: str | None, clean: bool, to_json: bool) -> None:
    """Look whether the engine can do its best on this machine, and say what to do if it cannot.

    Looks at the processor and what the engine was built for, the evaluation's tables and their cache, memory, huge
    pages, threads, a short search and its speed, and the terminal. Takes a second or two.

    A note tells what could be better, a problem what has to be mended. Exit codes: 0 without a problem, 1 with one.
    """
    if clean:
        click.echo(cleaned(evaluation), err=to_json)
    if to_json:
        findings = list(examine(evaluation, hash_mb, threads))
        click.echo(json.dumps({"findings": [asdict(finding) for finding in findings]}, indent=2))
        sys.exit(any(finding.severity == "problem" for finding in findings))
    problems = 0
    for finding in examine(evaluation, hash_mb, threads):
        show(*str(finding).splitlines(), indent=22, colours=COLOURS)
        problems += finding.severity == "problem"
    click.echo(f"{problems} {'problem' if problems == 1 else 'problems'}" if problems else "all is well")
    sys.exit(1 if problems else 0)
