"""The command `engine analyze`."""
import json
import sys
from collections.abc import Container, Sequence
from contextlib import closing
from pathlib import Path

import click

from engine.cpu import VERSION
from engine.notation.record import Record
from eval.loading import weights_checksum
from search import Info, Limits, Settings
from search.mate import MateSolver
from usi.commands.analyze.analysis import DECIDED, MARKS, Analysis, analyse, kept
from usi.commands.analyze.graph import draw_graph
from usi.commands.analyze.page import page
from usi.commands.analyze.report import as_json, commented, heading, players, rows, summary
from usi.commands.faults import INTERRUPTED, usage_error
from usi.commands.figure import require_picture
from usi.commands.records import encoded, game_option, game_or_exit, require_record_suffix, strict_option, write_game
from usi.commands.terminal import (
    MOVETIME_MS,
    TimeLeft,
    depth_option,
    evaluation_option,
    evaluator_or_exit,
    hash_option,
    interrupts,
    make_searcher,
    movetime_option,
    nodes_option,
    progress,
    show,
    shown_style,
    style_option,
    threads_option,
)
from usi.commands.wording import Style, format_line, show_score
from usi.journal import Journal
from usi.language import _, naming_sides_of
from usi.reading import STDIN
from usi.writing import require_writable, write_file

# Of marks, by their symbols and by their Japanese names.
COLOURS = {word: mark.colour for mark in MARKS for word in (mark.symbol, mark.japanese)}
MATE_HASH_MB = 64
ROW_INDENT = 6          # of what is folded: behind the ply

_MARKS_HELP = "\n    ".join(f"  {mark.symbol:3} {mark.name:9} {mark.expected:.0%} or {mark.centipawns} centipawns"
                        for mark in MARKS)


@click.command(short_help="Show what each move of a game was worth.", help=f"""
    Search every position of a game and show what each move was worth and what was better.

    RECORD is a file in CSA, KIF, KI2, JKF, PGN or USI (position … moves …, or moves alone), or - for standard input. A
    game is read up to what cannot be read, and a line says what was left out. Each row has the score after the move and
    Black's expected score, both from Black's side; what the move lost for the side that played it; its mark; and the
    best line that follows.

    The loss of a move is the difference between the best line before it and the move played. It is measured in expected
    score, 1 / (1 + exp(-centipawns / 600)), and in centipawns, where mates and scores beyond {DECIDED} count as
    {DECIDED}. A move is marked if it loses at least:

    \b
    {_MARKS_HELP}

    Expected score shows what matters for the result; centipawns also find blunders in games that are already decided.

    Without a limit each search takes {MOVETIME_MS} ms; with --nodes or --depth and one thread the result is always
    the same. Ctrl-C ends the analysis and reports what was done.

    Exit codes: 0 done; 1 the record, the weights or an output file is wrong; 2 wrong usage; {INTERRUPTED} interrupted.
    """)
@click.argument("record", type=click.Path(allow_dash=True))
@game_option
@strict_option
@click.option("--from", "first", type=click.IntRange(1), default=1, show_default=True, metavar="PLY",
              help="The first move to judge.")
@click.option("--to", "last", type=click.IntRange(1), metavar="PLY", help="The last move to judge [default: the last].")
@movetime_option
@nodes_option
@depth_option
@click.option("--multipv", type=click.IntRange(1, 593), default=1, show_default=True, metavar="N",
              help="Lines to show for each position.")
@click.option("--mate-nodes", type=click.IntRange(0), default=200_000, show_default=True, metavar="N",
              help="Maximum moves of the mate solver on each position; 0: no mate solver.")
@threads_option
@hash_option
@evaluation_option
@style_option
@click.option("--json", "to_json", is_flag=True, help="Print one JSON object in place of the table (docs/TOOLS.md).")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Also write the game with the analysis as comments that GUIs show and draw: .kif and .ki2 (in "
              "Shift_JIS), .kifu, .ki2u, .jkf or .csa (in UTF-8).")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Also draw the graph of the scores: .png or .svg; needs matplotlib.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Also write a page to look at in a browser: board, graph, losses and lines in one file.")
@click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Store each position when it is done. The same command resumes from this file.")
def analyze(record: str, number: int | None, strict: bool, first: int, last: int | None, movetime: int | None,
            nodes: int | None, depth: int | None, multipv: int, mate_nodes: int, threads: int, hash_mb: int,
            evaluation: str | None, style: str | None, to_json: bool, save: Path | None, picture: Path | None,
            html: Path | None, journal: Path | None) -> None:
    if movetime is None and nodes is None and depth is None:
        movetime = MOVETIME_MS
    limits = Limits(movetime=movetime, nodes=nodes, depth=depth)
    # What is wrong with the outputs is said before the time is spent, not after.
    try:
        _check_outputs(record, save, picture, html)
    except (OSError, ValueError) as error:
        raise usage_error(error) from None
    game, form = game_or_exit(record, number, strict)
    if save:
        try:
            encoded(save, game)
        except ValueError as error:
            raise click.ClickException(f"--save {save}: {error}") from None
    last = min(last or len(game.moves), len(game.moves))
    if first > max(last, 1):
        raise click.ClickException(f"--from {first} is beyond move {last}, the last one to judge")

    shown = shown_style(style)
    searcher = make_searcher(hash_mb, threads, evaluator_or_exit(evaluation))
    settings = Settings(multi_pv=multipv)
    try:
        known = Journal(journal, kept(game),
                        _conditions(game, limits, multipv, mate_nodes, threads, hash_mb, evaluation))
    except (OSError, ValueError) as error:
        raise usage_error(error) from None
    analysis = Analysis(game)
    click.get_current_context().with_resource(naming_sides_of(game.initial_sfen))
    if not to_json:
        show(players(game, form), heading(shown), indent=ROW_INDENT)
    plies = range(first - 1, last + 1)
    solver = MateSolver(MATE_HASH_MB)
    with closing(known), interrupts(searcher, solver) as interrupted:
        for found in analyse(game, plies, searcher, limits, settings, _Progress(game, plies, known.found, shown),
                             solver, mate_nodes, known.found):
            if interrupted.is_set():        # that search was cut short
                break
            if found.ply not in known.found:
                known.add(found.ply, found)
            analysis = analysis.plus(found)
            progress("")
            if not to_json:
                show(*rows(analysis, shown), indent=ROW_INDENT, colours=COLOURS)
    progress("")
    if to_json:
        click.echo(json.dumps(as_json(analysis, limits, threads, searcher.table.megabytes), indent=2))
    else:
        show("", *summary(analysis, shown), indent=ROW_INDENT, colours=COLOURS)
    try:
        if save:
            write_game(commented(analysis), save)
        if picture:
            draw_graph(analysis, picture)
        if html and analysis.assessments:
            write_file(html, page(analysis).encode())
    except (OSError, ValueError) as error:
        raise usage_error(error) from None
    if interrupted.is_set():
        click.echo(_("interrupted; positions done: {count}", count=len(analysis.assessments)), err=True)
        sys.exit(INTERRUPTED)


def _conditions(record: Record, limits: Limits, lines: int, mate_nodes: int, threads: int, hash_mb: int,
                evaluation: str | None) -> dict[str, int | str | None]:
    """All that the outcome depends on. OSError if the evaluation's file cannot be read."""
    return {"version": VERSION, "evaluation": weights_checksum(evaluation), "depth": limits.depth,
            "nodes": limits.nodes, "movetime": limits.movetime, "multipv": lines, "mate_nodes": mate_nodes,
            "threads": threads, "hash": hash_mb,
            "game": " ".join(["sfen", record.initial_sfen, "moves", *record.moves])}


class _Progress:
    """Says on stderr, if that is a terminal, where the analysis is."""

    def __init__(self, game: Record, plies: Sequence[int], known: Container[int], style: Style) -> None:
        self._game = game
        self._style = style
        self._last = plies[-1]
        missing = [ply for ply in plies if ply not in known]
        self._done = {ply: number for number, ply in enumerate(missing)}    # when each is begun
        self._left = TimeLeft(len(missing))

    def __call__(self, ply: int, info: Info) -> None:
        progress(_("position {ply} of {last}{left}: depth {depth}, {nodes} nodes, {ms} ms, {score} {move}", ply=ply,
                   last=self._last, left=self._left.after(self._done[ply]), depth=info.depth, nodes=info.nodes,
                   ms=info.time_ms, score=show_score(info.score),
                   move=format_line(self._game.position(ply), info.pv[:1], self._style)))


def _check_outputs(record: str, save: Path | None, picture: Path | None, html: Path | None) -> None:
    if save:
        require_record_suffix(save)
    if picture:
        require_picture(picture)
    for option, path in (("--save", save), ("--picture", picture), ("--html", html)):
        if path:
            if record != STDIN and path.exists() and path.samefile(record):
                raise ValueError(f"{option} '{path}' would write over the record itself; give another name")
            require_writable(path)
