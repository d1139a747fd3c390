"""The command `engine analyze`: its options, its outputs, and the loop over several games."""
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

import click

from engine.errors import UserError, one_line
from eval.material import SLOPE
from usi.commands.analyze import many, report
from usi.commands.analyze.analysis import CERTAIN, JOURNAL_OF_GAME, Analysis
from usi.commands.analyze.many import INDEX, JOURNAL, PAGE, Names, Source
from usi.commands.analyze.verdicts import MOST_NODES, TENFOLD
from usi.commands.analyze.work import FIRST_MS, GameWork, Judging
from usi.commands.help import Filled
from usi.commands.records import (
    game_option,
    game_told,
    lost_of,
    lost_told,
    require_variations_kept,
    strict_option,
    tell_left_out,
    where_to_save,
    write_game,
)
from usi.console.errors import INTERRUPTED
from usi.console.figure import new_figure, require_picture
from usi.console.options import options_of
from usi.console.settings import ANY_PATH, FILE, setting
from usi.console.terminal import SearchOptions, columns, interrupts, show, show_json
from usi.files.reading import STDIN
from usi.files.writing import WEB_PAGE, require_folder, require_replaceable, write_file
from usi.words.language import _, naming_sides_of
from usi.words.reasons import reason
from usi.words.wording import DECIDED, MARKS, ONLY_MOVE, pad

# Of marks, by their symbols and by their Japanese names.
COLOURS = {word: mark.colour for mark in (*MARKS, ONLY_MOVE) for word in (mark.symbol, mark.japanese)}
ROW_INDENT = 6          # of what is folded: behind the ply


def _of_marks(language: str) -> dict[str, object]:
    """The text about marks in the help."""
    japanese = language == "ja"
    rows = (f"  {mark.symbol:3} {pad(mark.japanese, 7) if japanese else f'{mark.name:9}'} {mark.expected:3.0%} "
            + (f"または評価値 {mark.centipawns}" if japanese else f"or {mark.centipawns} centipawns") for mark in MARKS)
    return {"marks": "\n".join(rows), "decided": DECIDED, "slope": SLOPE, "certain": f"{CERTAIN:.0%}",
            "tenfold": TENFOLD, "most": f"{MOST_NODES:,}", "movetime": FIRST_MS, "interrupted": INTERRUPTED}


@dataclass(frozen=True)
class Outputs:
    """Where the analysis goes, besides the table."""

    to_json: bool = setting("Print one JSON object in place of the table (docs/TOOLS.md).", None, False, "--json")
    save: Path | None = setting("Also write the game with the analysis as comments that GUIs show and draw: {endings}. "
                                "If the file exists, the new one gets a number.", FILE, None, metavar="FILE")
    force: bool = setting("Let --save replace a file.", None, False)
    picture: Path | None = setting("Also draw the graph of the scores: .png or .svg; needs matplotlib.", FILE, None,
                                   metavar="FILE")
    html: Path | None = setting("Also write a page to look at in a browser: board, graph, losses and lines in one "
                                "file.", ANY_PATH, None, metavar="FILE")
    journal: Path | None = setting("Store each position when it is done. The same command resumes from this file.",
                                   ANY_PATH, None, metavar="FILE")

    def checked(self, record: str) -> "Outputs":
        """A copy whose --save replaces no file unasked. Raises UserError or OSError unless a game's outputs can be
        written: better now than after the analysis."""
        for option, path in (("--save", self.save), ("--picture", self.picture), ("--html", self.html)):
            if path and record != STDIN and path.exists() and path.samefile(record):
                raise UserError("{option} '{path}' would write over the record itself; give another name",
                                option=option, path=path)
        if self.picture:
            require_picture(self.picture)
            new_figure(1, 1)        # with matplotlib alone
        if self.html:
            require_replaceable(self.html, WEB_PAGE)
        return replace(self, save=where_to_save(self.save, self.force)) if self.save else self


@click.command(cls=Filled, fields=_of_marks, short_help="Show what each move of a game was worth.", help="""
    Search every position of a game and show what each move was worth and what was better.

    RECORD is a file in {formats} (position … moves …, or moves alone), or - for
    standard input. A game is read up to what cannot be read, and a line says what was left out. Each row has the score
    after the move and Black's expected score, both from Black's side; what the move lost for the side that played it;
    its mark; and the best line that follows.

    The loss of a move is the difference between the best line before it and the move played. It is measured in expected
    score, 1 / (1 + exp(-centipawns / {slope})), and in centipawns, where mates and scores beyond {decided} count as
    {decided}. A move is marked if it loses at least:

    \b
    {marks}

    In a game that the move leaves decided, beyond {certain} for one side, only missed and allowed mates are marked, by
    expected score. "!" marks the only move that holds: every other one would be a blunder.

    Moves that may deserve a mark are looked at again, {tenfold} times as deep, until two looks agree, with at most
    {most} nodes a search. --minutes sets the time for the whole game instead.

    Of several files, or folders of them, every game is analysed, and a table says what each player did in all of them.
    Then --html and --journal name folders: for a page or a journal of each game, and for index.html, which leads there.

    Without a limit each first search takes {movetime} ms; with --nodes or --depth and one thread the result is always
    the same. Ctrl-C ends the analysis and reports what was done. Moves are shown in Japanese; --lines usi shows them
    as 7g7f.

    Exit codes: 0 done; 1 the record, the weights or an output file is wrong; 2 wrong usage; {interrupted} interrupted.
    """)
@click.argument("records", nargs=-1, required=True, metavar="RECORD...", type=click.Path(allow_dash=True))
@game_option
@strict_option
@options_of(Judging, "judging")
@options_of(SearchOptions, "search")
@options_of(Outputs, "outputs")
def analyze(records: tuple[str, ...], number: int | None, strict: bool, judging: Judging, search: SearchOptions,
            outputs: Outputs) -> None:
    if len(records) > 1 or Path(records[0]).is_dir():
        for option, path in (("--save", outputs.save), ("--picture", outputs.picture)):
            if path:
                raise click.UsageError(_("{option} takes one game; give one RECORD, and --game if it has several",
                                         option=option))
        _analyze_many(records, number, strict, judging, search, outputs)
    else:
        _analyze_one(records[0], number, strict, judging, search, outputs)


def _analyze_one(record: str, number: int | None, strict: bool, judging: Judging, search: SearchOptions,
                 outputs: Outputs) -> None:
    outputs = outputs.checked(record)
    game, form = game_told(record, number, strict)
    if outputs.save:
        try:
            require_variations_kept(game, outputs.save)
        except UserError as error:
            raise error.at(f"--save {outputs.save}") from None
    plies = judging.plies(len(game.moves))
    work = GameWork.of(judging, search)
    known = work.journal(game, outputs.journal)
    click.get_current_context().with_resource(naming_sides_of(game.initial_sfen))
    if not outputs.to_json:
        show(report.players(game, form), report.heading(work.style), indent=ROW_INDENT)
    with interrupts(work.searcher, work.solver) as interrupted:
        analysis = work.analysis(game, plies, known, interrupted)
    if outputs.to_json:
        show_json(work.as_json(analysis))
    else:
        rows = report.rows(analysis, work.style, columns())
        show(*rows, "", *report.summary(analysis, work.style), indent=ROW_INDENT, colours=COLOURS)
    if outputs.save:
        saved = report.commented(analysis)
        write_game(saved, outputs.save)
        if lost := lost_of(outputs.save, saved):
            click.echo(lost_told(outputs.save, lost), err=True)
    if outputs.picture:
        report.draw_graph(analysis, outputs.picture)
    if outputs.html and analysis.assessments:
        write_file(outputs.html, report.page(analysis).encode())
    if interrupted.is_set():
        click.echo(_("interrupted; positions done: {count}", count=len(analysis.assessments)), err=True)
        sys.exit(INTERRUPTED)


def _analyze_many(records: tuple[str, ...], number: int | None, strict: bool, judging: Judging, search: SearchOptions,
                  outputs: Outputs) -> None:
    """Analyse each game of the files and folders. What cannot be read is left out, and the exit status says so."""
    html, journal = outputs.html, outputs.journal
    left_out: list[str] = []

    def leave_out(name: str, error: Exception) -> None:
        left_out.append(name)
        click.echo(_("left out: {name}: {reason}", name=name, reason=reason(error)), err=True)

    games, names = [], Names()
    for source in many.games_of(records, number, strict, leave_out, names):
        try:
            games.append((source, judging.plies(len(source.record.moves))))
            tell_left_out(source.name, source.record)
        except UserError as error:
            leave_out(source.name, error)
    if not games:
        raise click.ClickException(_("there is no game to analyse in {records}", records=", ".join(records)))
    for folder in filter(None, (html, journal)):
        require_folder(folder)
    if html:
        for name in (INDEX, *(source.page for source, _plies in games)):
            require_replaceable(html / name, WEB_PAGE)
    work = GameWork.of(judging, search)
    with interrupts(work.searcher, work.solver) as interrupted:
        done = list(_each(work, games, outputs, interrupted, leave_out))
    if html:
        write_file(html / INDEX, many.index_page(", ".join(map(str, records)), done).encode(errors="replace"))
    for made, ending, kind in ((html, PAGE, WEB_PAGE), (journal, JOURNAL, JOURNAL_OF_GAME)):
        for path in many.left_over(made, ending, kind, names) if made else ():
            click.echo(_("{path} is left over: it is about none of these files; remove it if its record is gone",
                         path=path), err=True)
    found = many.players_of(analysis for _source, analysis in done)
    if outputs.to_json:
        show_json({
            "schema": report.SCHEMA, "players": [player.as_json(name) for name, player in found.items()],
            "games": [{"file": source.name, **work.as_json(analysis)} for source, analysis in done]})
    else:
        show(*many.table(found))
    if interrupted.is_set():
        click.echo(_("interrupted; games done: {count} of {all}", count=len(done), all=len(games)), err=True)
        sys.exit(INTERRUPTED)
    if left_out:
        raise click.ClickException(_("left out: {names}", names=", ".join(left_out)))


def _each(work: GameWork, games: list[tuple[Source, range]], outputs: Outputs, interrupted: Event,
          leave_out: Callable[[str, Exception], None]) -> Iterator[tuple[Source, Analysis]]:
    """The analysed games, one after another; each is shown, and its page written, when it is complete. A game is left
    out if its journal belongs to another game, which its file held before."""
    for source, plies in games:
        work.searcher.clear()       # no game may depend on earlier ones
        game = source.record
        try:
            known = work.journal(game, outputs.journal and outputs.journal / f"{source.file}{JOURNAL}")
        except (OSError, UserError) as error:
            leave_out(source.name, error)
            continue
        with naming_sides_of(game.initial_sfen):
            analysis = work.analysis(game, plies, known, interrupted)
            if interrupted.is_set():
                return
            if not outputs.to_json:
                show(f"{source.number}/{games[-1][0].number} {one_line(source.name)}: "
                     + report.players(game, source.form),
                     *report.summary(analysis, work.style), "", indent=ROW_INDENT, colours=COLOURS)
        if outputs.html:
            links = many.links_of(source, [each for each, _plies in games])
            write_file(outputs.html / source.page, report.page(analysis, links).encode(errors="replace"))
        yield source, analysis
