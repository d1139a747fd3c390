"""The command `engine ttstats`: how well keys spread over the table (docs/lab/HASH.md says what the figures mean)."""

import click

from engine import Position
from eval.loading import load_evaluator
from search.bench import positions
from search.counted import INJECTED_FAULTS, search_counted
from tt.table import TranspositionTable
from usi.commands.ttstats.quality import CASES, Departures, Quality
from usi.console.options import click_type
from usi.console.progress import progress
from usi.console.settings import DEPTH, MEGABYTES
from usi.console.terminal import evaluation_option, in_background, show, show_json
from usi.words.language import translate
from usi.words.reasons import less_memory

# Many more positions than the table has entries: most of the cases need full buckets.
TTSTATS_DEPTH = 12
TTSTATS_HASH_MB = 1

BAR = 40        # characters of the longest
# The fields of a Quality that `--json` prints.
FIGURES = ("entries", "references", "moves", "used", "expected_used", "cases", "first", "expected", "z", "z_by_case",
           "chi2", "chi2_blocks", "false_hits", "expected_false_hits", "collisions", "contradictions", "verdict",
           "faults")


def as_lines(quality: Quality) -> list[str]:
    """The lines for the terminal: the histogram next to that of an ideal hash, the other figures, the verdict."""
    lines = [
        f"moves       {quality.moves:11}  of {quality.references} nodes that looked into the table",
        f"used        {quality.used:11}  of {quality.entries} entries, {quality.expected_used:.1f} expected",
        "",
        f"{'case':17} {'nodes':>10} {'first time':>11} {'expected':>13} {'Z':>9}",
    ]
    for name, count, first, expected, z in zip(CASES, quality.cases, quality.first, quality.expected,
                                               quality.z_by_case, strict=True):
        deviation = "-" if z is None else f"{z:+.2f}"
        bar = "#" * round(BAR * count / max(*quality.cases, 1))
        lines.append(f"{name:17} {count:10} {first:11} {expected:13.1f} {deviation:>9}  {bar}".rstrip())
    return [
        *lines,
        "",
        f"chi-square  {quality.chi2:11.1f}  of {len(quality.blocks)} blocks, {len(quality.blocks) - 1} expected",
        f"false hits  {quality.false_hits:11}  {quality.expected_false_hits:.4f} expected; "
        f"{quality.collisions} by keys alike in all 64 bits",
        "contradictions: " + ", ".join(f"{count} by {cause}" for cause, count in quality.contradictions.items()),
        f"verdict: {'; '.join([quality.verdict, *quality.faults])}",
    ]


@click.command(hidden=True, short_help="Say how well keys spread over the table.")
@click.option("--depth", type=click_type(DEPTH), default=TTSTATS_DEPTH, show_default=True,
              help="Depth of each search.")
@click.option("--hash", "hash_mb", type=click_type(MEGABYTES), default=TTSTATS_HASH_MB, show_default=True,
              help="Size of the table in MB. Small tables, which fill up, say most.")
@evaluation_option
@click.option("--break", "flaw", type=click.Choice(INJECTED_FAULTS),
              help="Break the keys on purpose: pawns in hand left out, or low bits that repeat high ones.")
@click.option("--json", "to_json", is_flag=True, help="Print one JSON object in place of the histogram.")
def ttstats(depth: int, hash_mb: int, evaluation: str | None, flaw: str | None, to_json: bool) -> None:
    """Search the bench positions with one table and show how well their keys spread over it.

    docs/lab/HASH.md explains the figures.
    """
    evaluator = load_evaluator(evaluation)
    table = TranspositionTable(hash_mb)
    if table.megabytes != hash_mb:
        click.echo(less_memory("--hash", hash_mb, table.megabytes).told(translate), err=True)
    progress(f"searching {len(positions())} positions")
    searched = [Position(sfen) for sfen in positions()]
    departures = Departures(table.megabytes)
    counts = in_background(lambda: search_counted(searched, depth, table, departures.leave, flaw, evaluator))
    quality = departures.quality(counts)
    progress("")
    if to_json:
        show_json({"depth": depth, "hash_mb": table.megabytes, "flaw": flaw}
                  | {name: getattr(quality, name) for name in FIGURES})
    else:
        show(*as_lines(quality))
