"""The commands `engine bench` and `engine perft`, which count nodes and take the time."""
import time
from dataclasses import asdict, dataclass

import click

from eval.loading import load_evaluator
from search import Limits
from search.bench import BENCH_DEPTH, measure, positions
from search.limits import nodes_per_second
from usi.commands.bench.traffic import TrafficReport
from usi.console.options import click_type, options_of
from usi.console.progress import progress
from usi.console.settings import COUNT, DEPTH, MEGABYTES, NODES, THREADS, evaluation_setting, setting
from usi.console.terminal import ended_by_interrupts, in_background, json_option, make_searcher, show, show_json
from usi.words.language import _
from usi.words.typed import read_position
from usi.words.wording import show_score


@dataclass(frozen=True)
class Load:
    """Limits and resources of the bench."""

    depth: int | None = setting(f"Depth of a search, {BENCH_DEPTH} if not limited.", DEPTH, None)
    nodes: int | None = setting("Nodes of a search.", NODES, None)
    threads: int = setting("Search threads.", THREADS, 1)
    hash_mb: int = setting("Memory of the transposition table.", MEGABYTES, 64, "--hash")
    evaluation: str | None = evaluation_setting()

    @property
    def limits(self) -> Limits:
        return Limits(depth=BENCH_DEPTH if self.depth is self.nodes is None else self.depth, nodes=self.nodes)


@click.command()
@options_of(Load, "load")
@click.option("--tt-report", is_flag=True, hidden=True,      # a measurement of ours: docs/lab/HASH.md
              help="Say what was stored in the table, iteration by iteration.")
@json_option
def bench(load: Load, tt_report: bool, to_json: bool) -> None:
    """Search a fixed set of positions and report nodes and speed.

    With one thread the node count is the same in every run; only changes of search or evaluation alter it.
    """
    limits = load.limits
    evaluator = load_evaluator(load.evaluation)
    searcher = make_searcher(load.hash_mb, load.threads, evaluator)
    obtained_mb = searcher.table.megabytes
    traffic = TrafficReport(searcher) if tt_report else None
    measurements = []
    for number, sfen in enumerate(positions(), 1):
        progress(_("searching position {number}: {sfen}", number=number, sfen=sfen))
        with ended_by_interrupts(searcher):
            measured = measure(searcher, sfen, limits, traffic.on_info if traffic else None)
        measurements.append(measured)
        progress("")
        if not to_json:
            show(_("{number:3}  depth {depth:2}  score {score:>8}  nodes {nodes:9}  time {ms:6} ms  {move}",
                   number=number, depth=measured.depth, nodes=measured.nodes,
                   score=show_score(measured.score),
                   ms=measured.time_ms, move=measured.bestmove))
    total_nodes = sum(measured.nodes for measured in measurements)
    total_ms = sum(measured.time_ms for measured in measurements)
    nps = nodes_per_second(total_nodes, total_ms)
    if to_json:
        show_json({
            "depth": limits.depth, "nodes_each": limits.nodes, "threads": load.threads, "hash_mb": obtained_mb,
            "positions": [asdict(measured) for measured in measurements],
            "nodes": total_nodes, "nps": nps, "time_ms": total_ms,
            **({"traffic": traffic.as_json()} if traffic else {}),
        })
    else:
        if traffic:
            show(*traffic.as_lines())
        click.echo(_("Nodes searched: {nodes}\nNodes/second: {nps}\nTotal time: {ms} ms", nodes=total_nodes, nps=nps,
                     ms=total_ms))


@click.command()
@click.argument("depth", type=click_type(COUNT), metavar="DEPTH")
@click.option("--sfen", default="startpos", metavar="POSITION",
              help="The position: an SFEN, or 'startpos moves …' [default: the start of the game]")
@click.option("--divide", is_flag=True, help="Print the count under each move as well.")
@json_option
def perft(depth: int, sfen: str, divide: bool, to_json: bool) -> None:
    """Count the leaves of the tree of legal moves, DEPTH plies deep."""
    position = read_position(sfen)
    start = time.perf_counter()
    counts = in_background(lambda: position.divide(depth)) if divide else {}
    nodes = sum(counts.values()) if divide else in_background(lambda: position.perft(depth))
    elapsed_ms = round((time.perf_counter() - start) * 1000)
    nps = nodes_per_second(nodes, elapsed_ms)
    if to_json:
        show_json({"sfen": position.sfen, "depth": depth, "nodes": nodes, "time_ms": elapsed_ms, "nps": nps,
                   **({"moves": counts} if divide else {})})
        return
    for move, count in counts.items():
        click.echo(f"{move}: {count}")
    click.echo(_("Nodes: {nodes}\nNodes/second: {nps}", nodes=nodes, nps=nps))
