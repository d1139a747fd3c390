"""How well the keys of the search spread over its table, and which bounds contradict each other (docs/lab/HASH.md says
what the figures mean):

    python -m tests.ttstats [--hash MB] [--depth N] [--break hand|low-bits] [--eval-file FILE]
"""
import click

from engine import Position
from eval.loading import load_evaluator
from search.bench import positions
from tests.counted import INJECTED_FAULTS, search_counted
from tests.tt.quality import CASES, Departures, Quality
from tt.table import TranspositionTable

# Many more positions than the table has entries: most of the cases need full buckets.
DEPTH = 12
HASH_MB = 1

BAR = 40        # characters of the longest


def measured(depth: int, hash_mb: int = HASH_MB, flaw: str | None = None, evaluation: str | None = None) -> Quality:
    """Search the bench positions with one table, with keys broken by the injected fault `flaw`."""
    table = TranspositionTable(hash_mb)
    departures = Departures(table.megabytes)
    counts = search_counted([Position(sfen) for sfen in positions()], depth, table, departures.leave, flaw,
                            load_evaluator(evaluation))
    return departures.quality(counts)


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


@click.command()
@click.option("--depth", default=DEPTH, show_default=True, help="Depth of each search.")
@click.option("--hash", "hash_mb", default=HASH_MB, show_default=True,
              help="Size of the table in MB. Small tables, which fill up, say most.")
@click.option("--eval-file", "evaluation", help="Weights, or `material`.  [default: the packaged network]")
@click.option("--break", "flaw", type=click.Choice(INJECTED_FAULTS),
              help="Break the keys on purpose: pawns in hand left out, or low bits that repeat high ones.")
def main(depth: int, hash_mb: int, evaluation: str | None, flaw: str | None) -> None:
    """Search the bench positions with one table and show how well their keys spread over it."""
    for line in as_lines(measured(depth, hash_mb, flaw, evaluation)):
        click.echo(line)


if __name__ == "__main__":
    main()
