"""The command `engine analyze`."""
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import click

from engine.errors import UserError
from engine.records.writing import encoded, require_record_suffix
from eval.loading import load_evaluator
from eval.material import SLOPE
from search import Limits
from search.limits import UNBOUNDED
from search.mate import MateSolver
from usi.commands.analyze.analysis import KIND, Analysis
from usi.commands.analyze.graph import draw_graph
from usi.commands.analyze.many import (
    INDEX,
    JOURNAL,
    PAGE,
    Names,
    Source,
    games_of,
    index_page,
    left_over,
    links_of,
    players_of,
    table,
)
from usi.commands.analyze.page import PAGE_SIGN, page
from usi.commands.analyze.report import SCHEMA, commented, heading, players, rows, summary
from usi.commands.analyze.work import Work
from usi.commands.help import Filled
from usi.commands.records import game_option, game_told, strict_option, tell_left_out, write_game
from usi.console.errors import INTERRUPTED
from usi.console.figure import new_figure, require_picture
from usi.console.ranges import COUNT
from usi.console.terminal import (
    MOVETIME_MS,
    depth_option,
    evaluation_option,
    hash_option,
    interrupts,
    make_searcher,
    movetime_option,
    nodes_option,
    show,
    shown_style,
    style_option,
    threads_option,
)
from usi.files.reading import STDIN
from usi.files.writing import require_folder, require_writable, write_file
from usi.words.language import _, naming_sides_of, translated
from usi.words.marks import DECIDED, MARKS
from usi.words.reasons import reason
from usi.words.wording import pad

# Of marks, by their symbols and by their Japanese names.
COLOURS = {word: mark.colour for mark in MARKS for word in (mark.symbol, mark.japanese)}
MATE_HASH_MB = 64
ROW_INDENT = 6          # of what is folded: behind the ply

def _of_marks(language: str) -> dict[str, object]:
    """What the help says of the marks."""
    japanese = language == "ja"
    rows = (f"  {mark.symbol:3} {pad(mark.japanese, 7) if japanese else f'{mark.name:9}'} {mark.expected:3.0%} "
            + (f"または評価値 {mark.centipawns}" if japanese else f"or {mark.centipawns} centipawns") for mark in MARKS)
    return {"marks": "\n".join(rows), "decided": DECIDED, "slope": SLOPE, "movetime": MOVETIME_MS,
            "interrupted": INTERRUPTED}


@click.command(cls=Filled, fields=_of_marks, short_help="Show what each move of a game was worth.", help="""
    Search every position of a game and show what each move was worth and what was better.

    RECORD is a file in CSA, KIF, KI2, JKF, PGN or USI (position … moves …, or moves alone), or - for standard input. A
    game is read up to what cannot be read, and a line says what was left out. Each row has the score after the move and
    Black's expected score, both from Black's side; what the move lost for the side that played it; its mark; and the
    best line that follows.

    The loss of a move is the difference between the best line before it and the move played. It is measured in expected
    score, 1 / (1 + exp(-centipawns / {slope})), and in centipawns, where mates and scores beyond {decided} count as
    {decided}. A move is marked if it loses at least:

    \b
    {marks}

    Expected score shows what matters for the result; centipawns also find blunders in games that are already decided.

    Of several files, or folders of them, every game is analysed, and a table says what each player did in all of them.
    Then --html and --journal name folders: for a page or a journal of each game, and for index.html, which leads there.

    Without a limit each search takes {movetime} ms; with --nodes or --depth and one thread the result is always
    the same. Ctrl-C ends the analysis and reports what was done. Moves are shown in Japanese; --lines usi shows them
    as 7g7f.

    Exit codes: 0 done; 1 the record, the weights or an output file is wrong; 2 wrong usage; {interrupted} interrupted.
    """)
@click.argument("records", nargs=-1, required=True, metavar="RECORD...", type=click.Path(allow_dash=True))
@game_option
@strict_option
@click.option("--from", "first", type=COUNT, default=1, show_default=True, metavar="PLY",
              help="The first move to judge.")
@click.option("--to", "last", type=COUNT, metavar="PLY", help="The last move to judge [default: the last].")
@movetime_option
@nodes_option
@depth_option
@click.option("--multipv", type=click.IntRange(1, 593), default=1, show_default=True, metavar="N",
              help="Lines to show for each position.")
@click.option("--mate-nodes", type=click.IntRange(0, UNBOUNDED), default=200_000, show_default=True, metavar="N",
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
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE",
              help="Also write a page to look at in a browser: board, graph, losses and lines in one file.")
@click.option("--journal", type=click.Path(path_type=Path), metavar="FILE",
              help="Store each position when it is done. The same command resumes from this file.")
def analyze(records: tuple[str, ...], number: int | None, strict: bool, first: int, last: int | None,
            movetime: int | None, nodes: int | None, depth: int | None, multipv: int, mate_nodes: int, threads: int,
            hash_mb: int, evaluation: str | None, style: str | None, to_json: bool, save: Path | None,
            picture: Path | None, html: Path | None, journal: Path | None) -> None:
    if movetime is None and nodes is None and depth is None:
        movetime = MOVETIME_MS
    limits = Limits(movetime=movetime, nodes=nodes, depth=depth)

    def work() -> Work:
        searcher = make_searcher(hash_mb, threads, load_evaluator(evaluation))
        return Work(searcher, MateSolver(MATE_HASH_MB), limits, multipv, mate_nodes, threads, hash_mb, evaluation,
                    shown_style(style))

    if len(records) > 1 or Path(records[0]).is_dir():
        for option, path in (("--save", save), ("--picture", picture)):
            if path:
                raise click.UsageError(_("{option} takes one game; give one RECORD, and --game if it has several",
                                         option=option))
        _analyze_many(work, records, number, strict, first, last, to_json, html, journal)
    else:
        _analyze_one(work, records[0], number, strict, first, last, to_json, save, picture, html, journal)


def _analyze_one(work_of: Callable[[], Work], record: str, number: int | None, strict: bool, first: int,
                 last: int | None, to_json: bool, save: Path | None, picture: Path | None, html: Path | None,
                 journal: Path | None) -> None:
    # What is wrong with the outputs is said before the time is spent, not after.
    _check_outputs(record, save, picture, html)
    game, form = game_told(record, number, strict)
    if save:
        try:
            encoded(save, game)
        except UserError as error:
            raise click.ClickException(f"--save {save}: {error}") from None
    last = min(last or len(game.moves), len(game.moves))
    if first > max(last, 1):
        raise click.ClickException(_beyond(first, last))

    work = work_of()
    known = work.journal(game, journal)
    analysis = Analysis(game)
    click.get_current_context().with_resource(naming_sides_of(game.initial_sfen))
    if not to_json:
        show(players(game, form), heading(work.style), indent=ROW_INDENT)
    with interrupts(work.searcher, work.solver) as interrupted:
        for analysis in work.analyses(game, range(first - 1, last + 1), known, interrupted):
            if not to_json:
                show(*rows(analysis, work.style), indent=ROW_INDENT, colours=COLOURS)
    if to_json:
        click.echo(json.dumps(work.as_json(analysis), indent=2))
    else:
        show("", *summary(analysis, work.style), indent=ROW_INDENT, colours=COLOURS)
    if save:
        write_game(commented(analysis), save)
    if picture:
        draw_graph(analysis, picture)
    if html and analysis.assessments:
        write_file(html, page(analysis).encode())
    if interrupted.is_set():
        click.echo(_("interrupted; positions done: {count}", count=len(analysis.assessments)), err=True)
        sys.exit(INTERRUPTED)


def _beyond(first: int, last: int) -> str:
    return f"--from {first} is beyond move {last}, the last one to judge"


def _analyze_many(work_of: Callable[[], Work], records: tuple[str, ...], number: int | None, strict: bool, first: int,
                  last: int | None, to_json: bool, html: Path | None, journal: Path | None) -> None:
    """Analyse each game of the files and folders. What cannot be read is left out, and the exit status says so."""
    left_out: list[str] = []

    def leave_out(name: str, error: Exception) -> None:
        left_out.append(name)
        click.echo(_("left out: {name}: {reason}", name=name, reason=reason(error, translated)), err=True)

    games, names = [], Names()
    for source in games_of(records, number, strict, leave_out, names):
        end = min(last or len(source.record.moves), len(source.record.moves))
        if first > max(end, 1):
            leave_out(source.name, UserError(_beyond(first, end)))
        else:
            tell_left_out(source.name, source.record)
            games.append((source, range(first - 1, end + 1)))
    if not games:
        raise click.ClickException(_("there is no game to analyse in {records}", records=", ".join(records)))
    for folder in filter(None, (html, journal)):
        require_folder(folder)
    if html:
        require_writable(html / INDEX)
    work = work_of()
    with interrupts(work.searcher, work.solver) as interrupted:
        done = list(_each(work, games, to_json, html, journal, interrupted, leave_out))
    if html:
        write_file(html / INDEX, index_page(", ".join(map(str, records)), done).encode(errors="replace"))
    for made, ending, sign in ((html, PAGE, PAGE_SIGN), (journal, JOURNAL, KIND.encode())):
        for path in left_over(made, ending, sign, names) if made else ():
            click.echo(_("{path} is left over: it is about none of these files; remove it if its record is gone",
                         path=path), err=True)
    found = players_of(analysis for _source, analysis in done)
    if to_json:
        click.echo(json.dumps({
            "schema": SCHEMA, "players": [player.as_json(name) for name, player in found.items()],
            "games": [{"file": source.name, **work.as_json(analysis)} for source, analysis in done]}, indent=2))
    else:
        show(*table(found))
    if interrupted.is_set():
        click.echo(_("interrupted; games done: {count} of {all}", count=len(done), all=len(games)), err=True)
        sys.exit(INTERRUPTED)
    if left_out:
        raise click.ClickException(_("left out: {names}", names=", ".join(left_out)))


def _each(work: Work, games: list[tuple[Source, range]], to_json: bool, html: Path | None, journal: Path | None,
          interrupted: Event, leave_out: Callable[[str, Exception], None]) -> Iterator[tuple[Source, Analysis]]:
    """The games, one after another, each shown and its page written when it is whole. One that its journal does not
    belong to, since the file holds another game by now, is left out."""
    for source, plies in games:
        work.searcher.clear()       # no game is to depend on those before it
        game = source.record
        try:
            known = work.journal(game, journal / f"{source.file}{JOURNAL}" if journal else None)
        except (OSError, UserError) as error:
            leave_out(source.name, error)
            continue
        with naming_sides_of(game.initial_sfen):
            grown = list(work.analyses(game, plies, known, interrupted))
            if interrupted.is_set():
                return
            analysis = grown[-1]
            if not to_json:
                show(f"{source.number}/{games[-1][0].number} {source.name}: {players(game, source.form)}",
                     *summary(analysis, work.style), "", indent=ROW_INDENT, colours=COLOURS)
        if html:
            links = links_of(source, [each for each, _plies in games])
            write_file(html / source.page, page(analysis, links).encode(errors="replace"))
        yield source, analysis


def _check_outputs(record: str, save: Path | None, picture: Path | None, html: Path | None) -> None:
    if save:
        require_record_suffix(save)
    if picture:
        require_picture(picture)
        new_figure(1, 1)        # with matplotlib alone
    for option, path in (("--save", save), ("--picture", picture), ("--html", html)):
        if path:
            if record != STDIN and path.exists() and path.samefile(record):
                raise UserError(f"{option} '{path}' would write over the record itself; give another name")
            require_writable(path)
