"""The command `engine doctor`: whether the engine can do its best on this machine, and what to do if it cannot."""
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from engine.errors import UserError
from engine.system.cpu import DEBUG, FEATURES, FLAGS
from engine.system.memory import available_megabytes, largest_table_megabytes
from eval.evaluator import Evaluator
from eval.loading import cached_file, load_evaluator
from eval.tables.cache import cache_folder, remove_others, tables_in, usual_folder
from search import Limits, Searcher
from search.bench import measure, positions
from search.lending import PLAY_HASH_MB
from search.limits import nodes_per_second
from search.threads import play_threads, usable_cores
from tt.table import TranspositionTable
from usi.commands.about import Processor, built_for, evaluation_in_use, level, processor
from usi.console.installation import faults
from usi.console.options import click_type
from usi.console.settings import MEGABYTES, THREADS
from usi.console.terminal import evaluation_option, show
from usi.words.extras import how_to_build_for_release, how_to_build_here, how_to_reinstall
from usi.words.language import _, translate
from usi.words.reasons import limit_mb, reason, shortage
from usi.words.wording import pad

BENCH_POSITIONS = 6
BENCH_NODES = 30_000        # for each; less than a second in all on a usual machine
SLOW_NPS = 100_000          # for one thread: every processor of the last ten years should reach it
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
QUOTA = Path("/sys/fs/cgroup/cpu.max")

# A "note" is about something that could be better; only a "problem" makes the exit code 1.
Severity = Literal["ok", "note", "problem"]


@dataclass(frozen=True)
class Finding:
    """The result of a check and its remedy, if any, in the user's language; `subject` and `severity` are translated
    when they are shown."""

    subject: str
    severity: Severity
    text: str
    advice: str = ""

    def __str__(self) -> str:
        line = f"{pad(_(self.severity), 7)}  {pad(_(self.subject), 12)} {self.text}"
        return f"{line}\n{'':9}{'':12} -> {self.advice}" if self.advice else line


COLOURS: dict[str, str] = {"ok": "green", "note": "yellow", "problem": "red"}      # by severity


def examine(evaluation: str | None, hash_mb: int, threads: int) -> Iterator[Finding]:
    """The findings, each as soon as its check is done."""
    yield from (Finding("installation", "problem", fault.told(translate)) for fault in faults())
    yield check_build(processor(), level(frozenset(FEATURES)))
    evaluator, finding = check_evaluator(evaluation)
    yield finding
    folder = cache_folder()
    yield check_cache(folder, cached_file(evaluation, folder) if folder and evaluator else None)
    yield with_memory("memory", lambda: check_memory(hash_mb, available_megabytes(), largest_table_megabytes(),
                                                     limit_mb()))
    yield from check_huge_pages(HUGE_PAGES)
    yield check_threads(threads, usable_cores(), quota(QUOTA))
    yield with_memory("speed", lambda: check_speed(evaluator))
    yield check_terminal(sys.stdout.encoding)


def with_memory(subject: str, check: Callable[[], Finding]) -> Finding:
    """Run a check; a MemoryError becomes a finding."""
    try:
        return check()
    except MemoryError as error:
        return Finding(subject, "problem", shortage(error).told(translate))


def check_build(here: Processor, built_level: str) -> Finding:
    """The finding about the build and the processor. (A build that cannot run here has ended before.)"""
    text = _("built for {target}, running on {processor}", target=built_for(),
             processor=here.name + (f" ({here.level})" if here.level else ""))
    if DEBUG:
        return Finding("processor", "problem", text + _("; a debug build, many times slower"),
                       how_to_build_for_release().told(translate))
    if here.has_slow_pext and "bmi2" in FEATURES and "-DGAKUSHI_NO_PEXT" not in FLAGS:
        return Finding("processor", "note", text + _(", whose PEXT may be slow (AMD Zen 1 and 2)"),
                       _("compare the speed of a build with GAKUSHI_SLIDERS=subtraction"))
    if here.level and here.level > built_level:
        return Finding("processor", "note", text + _(", which could do more"),
                       how_to_build_here().told(translate))
    return Finding("processor", "ok", text)


def check_evaluator(evaluation: str | None) -> tuple[Evaluator | None, Finding]:
    """The evaluator, if it can be loaded, and how long that took."""
    start = time.perf_counter()
    try:
        evaluator = load_evaluator(evaluation)
    except (OSError, UserError, MemoryError) as error:
        advice = ("" if isinstance(error, MemoryError) else _("give an intact weights file") if evaluation else
                  how_to_reinstall().told(translate))
        return None, Finding("evaluation", "problem", reason(error).told(translate), advice)
    return evaluator, Finding("evaluation", "ok", _(
        "{evaluation}, {megabytes} MB, loaded in {seconds:.2f} s", evaluation=evaluation_in_use(evaluation),
        megabytes=evaluator.megabytes, seconds=time.perf_counter() - start))


def check_cache(folder: Path | None, needed: Path | None = None) -> Finding:
    """The folder of cached tables, which engines share; `needed` is the file of the tables just loaded, None if there
    are none."""
    if folder is None:
        return Finding("cache", "problem", _(
            "there is no folder to keep expanded tables in: every engine takes half a second longer to start, and "
            "memory of its own"),
            _("make {folder} writable, or set XDG_CACHE_HOME to a folder of yours", folder=usual_folder().parent))
    tables = tables_in(folder)
    megabytes = sum(path.stat().st_size for path in tables) >> 20
    if needed and needed not in tables:
        free_mb = shutil.disk_usage(folder).free >> 20
        return Finding("cache", "problem", _(
            "'{folder}' could not take the tables, {free} MB are free there: every engine takes half a second longer "
            "to start, and memory of its own", folder=folder, free=free_mb),
            _("free some space there (engine doctor --clean), or set XDG_CACHE_HOME to a folder with more"))
    text = _("'{folder}': {megabytes} MB of tables, shared by all your engines", folder=folder,
             megabytes=megabytes)
    if folder != usual_folder() and not os.environ.get("XDG_CACHE_HOME"):
        return Finding("cache", "note", text + _(", until temporary files are removed"),
                       _("make {folder} writable", folder=usual_folder().parent))
    return Finding("cache", "ok", text)


def check_memory(hash_mb: int, available_mb: int, most: int, limit: int | None = None) -> Finding:
    """Whether the transposition table can have `hash_mb`; `most` is the largest size that is allowed. `limit` is the
    MB that the user's ulimit lets a process have, None without one."""
    text = _("{megabytes} MB available, of which a table gets half at most", megabytes=available_mb)
    if limit is not None:
        text += _(", but a limit of yours (ulimit -v) lets a process have {megabytes} MB", megabytes=limit)
    # A size that is plainly too large is not tried: a table touches all of its memory.
    obtained_mb = most if hash_mb > most else TranspositionTable(hash_mb).megabytes
    if obtained_mb < hash_mb:
        text += _("; a table of {wanted} MB cannot be allocated, {obtained} MB can", wanted=hash_mb,
                  obtained=obtained_mb)
        advice = _("set USI_Hash (here --hash) to {megabytes} or less, or end other programs", megabytes=obtained_mb)
        if limit is not None:
            advice = _("set USI_Hash (here --hash) to {megabytes} or less, or raise the limit", megabytes=obtained_mb)
        return Finding("memory", "problem", text, advice)
    return Finding("memory", "ok", text + _("; a table of {megabytes} MB can be allocated", megabytes=hash_mb))


def check_huge_pages(setting: Path) -> Iterator[Finding]:
    """Whether the kernel gives huge pages to a program that asks, as the transposition table does; nothing where there
    is no such setting."""
    if not setting.exists():
        return
    chosen = setting.read_text(encoding="ascii").partition("[")[2].partition("]")[0]
    if chosen == "never":
        yield Finding("huge pages", "note", _("switched off: looking into a large table takes longer"),
                      f"echo madvise | sudo tee {setting}")
    else:
        yield Finding("huge pages", "ok", _("given on request ({setting})", setting=chosen))


def check_threads(threads: int, cores: int, most: float | None) -> Finding:
    """The finding whether each thread has a core."""
    usable = cores if most is None else min(cores, max(int(most), 1))
    text = _("cores for this process: {cores}, threads asked for: {threads}", cores=usable, threads=threads)
    if usable < cores:
        text += _(" (it is limited to the time of {most:g} of {cores} cores)", most=most, cores=cores)
    if threads > usable:
        return Finding("threads", "problem", text,
                       _("set Threads (here --threads) to {cores} or less: more only get in each other's way",
                         cores=usable))
    return Finding("threads", "ok", text)


def quota(limit: Path) -> float | None:
    """The CPU limit of the container, in processors; None if there is no limit, or it is not known."""
    try:
        allowed, period = limit.read_text(encoding="ascii").split()
        return int(allowed) / int(period)
    except (OSError, ValueError):
        return None


def check_speed(evaluator: Evaluator | None) -> Finding:
    """The speed of a short bench with one thread."""
    searcher = Searcher(16, evaluator=evaluator)
    measured = [measure(searcher, sfen, Limits(nodes=BENCH_NODES)) for sfen in positions()[:BENCH_POSITIONS]]
    nps = nodes_per_second(sum(one.nodes for one in measured), sum(one.time_ms for one in measured))
    text = _("{nps} nodes per second with one thread", nps=nps)
    if nps < SLOW_NPS:
        return Finding("speed", "note", text + _(", which is slow"), _(
            "end other programs and look again; if it stays, install from the sources on this machine"))
    return Finding("speed", "ok", text)


def check_terminal(encoding: str | None) -> Finding:
    """The finding whether the terminal can show Japanese moves."""
    try:
        "▲７六歩".encode(encoding or "ascii")
    except UnicodeEncodeError:
        return Finding("terminal", "note", _(
            "its encoding, {encoding}, has no Japanese: moves are shown in USI", encoding=encoding),
                       _("type chcp 65001, and set PYTHONUTF8 to 1") if sys.platform == "win32" else
                       _("set LANG to C.UTF-8 or another locale with UTF-8"))
    return Finding("terminal", "ok", _("can show Japanese ({encoding})", encoding=encoding))


def cleaned(evaluation: str | None) -> str:
    """Remove cached tables of other evaluations. Returns what was done, in words."""
    folder = cache_folder()
    if folder is None:
        return _("there is no cache to clean")
    size = remove_others(folder, cached_file(evaluation, folder))
    return _("'{folder}': {megabytes} MB of other tables removed (engines that use them keep them until they end)",
             folder=folder, megabytes=size >> 20)


@click.command(short_help="Check this machine and the installation.")
@click.option("--threads", type=click_type(THREADS), default=play_threads(), show_default=True,
              help="Number of search threads you want to use.")
@click.option("--hash", "hash_mb", type=click_type(MEGABYTES), default=PLAY_HASH_MB,
              show_default=True, help="Memory you want for the transposition table.")
@evaluation_option
@click.option("--clean", is_flag=True, help="Remove unused tables from the cache.")
def doctor(threads: int, hash_mb: int, evaluation: str | None, clean: bool) -> None:
    """Check that the engine can do its best on this machine, and say what to do if it cannot.

    Checks the installed files, the processor and the build, the evaluation and its cache, memory, huge pages, threads,
    the speed of a short search, and the terminal. Takes a second or two.

    A note says what could be better, a problem what needs fixing. Exit codes: 0 no problem, 1 a problem.
    """
    if clean:
        click.echo(cleaned(evaluation))
    problems = 0
    for finding in examine(evaluation, hash_mb, threads):
        show(*str(finding).splitlines(), indent=22, colours={_(word): colour for word, colour in COLOURS.items()})
        problems += finding.severity == "problem"
    click.echo(_("all is well") if not problems else _("1 problem") if problems == 1 else
               _("{count} problems", count=problems))
    sys.exit(1 if problems else 0)
