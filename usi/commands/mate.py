"""The command `engine mate`: mate problems solved for people."""
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from threading import Event
from typing import Any

import click

from engine import Position
from engine.errors import UserError, one_line
from engine.records.usi import names_position
from engine.system.memory import largest_table_megabytes
from search.limits import nodes_per_second
from search.mate import REFINE_MS, MateInfo, MateResult, MateSolver
from usi.commands.records import find_games
from usi.console.errors import INTERRUPTED
from usi.console.options import options_of
from usi.console.progress import Progress, duration, progress
from usi.console.settings import MEGABYTES, NODES, RealRange, WholeRange, setting
from usi.console.terminal import interrupts, show, show_json, shown_style, style_option
from usi.files.reading import is_file, read_text_file
from usi.words.language import _, translate
from usi.words.reasons import less_memory
from usi.words.typed import read_position, sources
from usi.words.wording import Style, format_line, format_move, mate_in

SCHEMA = 1              # of the JSON; higher when a program that reads it would have to change
NO_MATE = 3             # exit codes
UNDECIDED = 4
PROGRESS_MS = 200


@dataclass(frozen=True)
class Problem:
    name: str           # where it is from
    sfen: str

    def after(self, moves: Iterable[str]) -> Position:
        """The position after these moves."""
        position = Position(self.sfen)
        for move in moves:
            position.push(move)
        return position


@dataclass(frozen=True)
class Other:
    """Another move that mates at one of the attacker's turns."""

    ply: int            # of the turn, from 1
    move: str | None    # in USI; None if that could not be decided in time
    plies: int | None   # of the mate from there


@dataclass(frozen=True)
class Solution:
    problem: Problem
    result: MateResult
    full_plies: int = 0                         # of the mate with the useless interpositions that its line leaves out
    others: tuple[Other, ...] | None = None     # None: not looked for

    @property
    def status(self) -> int:
        return {"mate": 0, "nomate": NO_MATE, "timeout": UNDECIDED}[self.result.outcome]


@dataclass(frozen=True)
class Solving:
    """The options of `engine mate`."""

    seconds: float = setting("Maximum seconds for each problem.", RealRange(0, 10**9, min_open=True), 60, "--time",
                             metavar="S")
    nodes: int | None = setting("Maximum moves made for each problem.", NODES, None)
    shortest: bool = setting("Use all the time to find the shortest mate.", None, False)
    others: bool = setting("Also look for other mating moves at each turn of the attacker but the last.", None, False,
                           "--all")
    counts_useless: bool = setting("Also count interpositions that the checking piece just captures (無駄合). They do "
                                   "not count in problems.", None, False, "--count-useless")
    ply: int = setting("Take each position after this many moves of its line or record.", WholeRange(0, 10**6), 0)
    hash_mb: int = setting("Memory of the table.", MEGABYTES, 256, "--hash")


def problems_of(source: str, ply: int, leave_out: Callable[[UserError], None]) -> list[Problem]:
    """The problems of an argument: a position; or a file of positions, one a line up to a tab; or records. Each is
    taken after `ply` moves. Problems of a list that cannot be read are handed to `leave_out`. Raises OSError if the
    file cannot be read. Raises UserError for anything else."""
    if names_position(source) and not is_file(source):
        return [Problem("", _after(read_position(source), ply).sfen)]
    try:
        data = read_text_file(source)
        lines = [(number, line.split("\t")[0].strip())
                 for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1)
                 if line.strip() and not line.startswith("#")]
        positions = lines and any(names_position(line) for _number, line in lines)
        games = [] if positions else find_games(data, strict=False).records
    except UserError as error:
        raise error.at(f"'{source}'") from None
    named = ([(f"{source}:{number}", partial(read_position, line)) for number, line in lines] if not games else
             [(f"{source}:{number}" if len(games) > 1 else source, partial(game.position, len(game.moves)))
              for number, game in enumerate(games, 1)])
    problems = []
    for name, position in named:
        try:
            problems.append(Problem(name, _after(position(), ply).sfen))
        except UserError as error:
            if len(named) == 1:
                raise error.at(name) from None
            leave_out(error.at(name))
    return problems


def _after(position: Position, ply: int) -> Position:
    """The position after the first `ply` of the moves that led to one. Raises UserError if it has fewer."""
    if ply > len(position.moves):
        raise UserError("--ply {ply} is beyond move {last}, the last one", ply=ply, last=len(position.moves))
    while len(position.moves) > ply:
        position.pop()
    return position


def solve(solver: MateSolver, problem: Problem, solving: Solving, refine_ms: float | None,
          excluded: tuple[str, ...] = (), moves: tuple[str, ...] = (), left: str = "") -> MateResult:
    """Solve a problem after these moves. Progress is shown on a terminal, followed by `left`."""
    def show(info: MateInfo) -> None:
        found = (_("mate in {plies}, looking for a shorter one", plies=len(info.mate)) if info.mate else
                 _("at ply {ply}", ply=len(info.path)))
        limit = _(" of at most {time}", time=duration(solving.seconds))
        progress(_("{name} {nodes} nodes, {seconds:.1f} s{limit}, {full:.0f} % of the table, {found}{left}",
                   name=problem.name, nodes=info.nodes, seconds=info.time_ms / 1000, limit=limit,
                   full=info.hashfull / 10, found=found, left=left))

    result = solver.solve(problem.after(moves), solving.seconds * 1000, solving.nodes, excluded,
                          not solving.counts_useless, refine_ms, show, PROGRESS_MS)
    progress("")
    return result


def full_plies(solver: MateSolver, problem: Problem, result: MateResult) -> int:
    """The length of a mate with its useless interpositions, which the line leaves out; 0 without a mate, or without a
    whole line."""
    if len(result.moves) != result.plies:
        return 0
    position, longest = problem.after(result.moves), 0
    for move in position.legal_moves():
        position.push(move)
        longest = max(longest, 1 + solver.solve(position, refine_ms=0).plies)
        position.pop()
    return result.plies + longest


def others_of(solver: MateSolver, problem: Problem, moves: tuple[str, ...], solving: Solving,
              ended: Event) -> Iterator[Other]:
    """Other moves that mate, at each turn of the attacker but the last. Each turn has the whole time."""
    for ply in range(0, len(moves) - 2, 2):
        excluded: tuple[str, ...] = (moves[ply],)
        while not ended.is_set():
            result = solve(solver, problem, solving, 0, excluded, moves[:ply])
            if result.outcome == "timeout":
                yield Other(ply + 1, None, None)
            if result.outcome != "mate":
                break
            yield Other(ply + 1, result.moves[0], result.plies)
            excluded = (*excluded, result.moves[0])


def as_text(solution: Solution, style: Style) -> list[str]:
    result, position = solution.result, Position(solution.problem.sfen)
    head = f"{one_line(solution.problem.name)}: " if solution.problem.name else ""
    spent = _("{seconds:.3f} s, {nodes} nodes, {nps} a second", seconds=result.time_ms / 1000, nodes=result.nodes,
              nps=nodes_per_second(result.nodes, result.time_ms))
    if result.outcome != "mate":
        words = _("no mate") if result.outcome == "nomate" else _("not decided in time")
        return [f"{head}{words} ({spent})"]
    sure = "" if result.shortest else _(", not proven to be the shortest")
    length = mate_in(result.plies)
    if solution.full_plies > result.plies:
        length = _("{length} ({full} with useless interpositions)", length=length, full=solution.full_plies)
    lines = [f"{head}{length}{sure} ({spent})", format_line(position, result.moves, style)]
    if solution.others is not None:
        lines += [_as_words(solution, other, style) for other in solution.others] or [_("there is no other solution")]
    return lines


def _as_words(solution: Solution, other: Other, style: Style) -> str:
    if other.move is None:
        return _("ply {ply}: not decided in time whether another move mates", ply=other.ply)
    before = solution.problem.after(solution.result.moves[:other.ply - 1])
    alone = Position(before.sfen)       # no move came before it, so its square is named in full
    return _("ply {ply}: another mate begins with {move}: {length}", ply=other.ply, length=mate_in(other.plies or 0),
             move=format_move(alone, other.move, style))


def as_json(solution: Solution) -> dict[str, Any]:
    result = solution.result
    return {
        "name": solution.problem.name, "sfen": solution.problem.sfen, "outcome": result.outcome,
        "plies": result.plies or None, "full_plies": solution.full_plies or None, "shortest": result.shortest,
        "moves": list(result.moves),
        "nodes": result.nodes, "time_ms": result.time_ms, "hashfull": result.hashfull,
        "others": None if solution.others is None else [asdict(other) for other in solution.others],
    }


@click.command(short_help="Solve mate problems.", help=f"""
    Find a mate by checks in each PROBLEM, or prove that there is none. A PROBLEM is a position (an SFEN, 'sfen …' or
    'startpos moves …'), or a file (- for standard input) with positions, one a line, or with records
    ({{formats}}). A line of moves or a record counts as it begins, or after --ply moves. The side
    to move attacks. Moves are shown in Japanese; --lines usi shows them as 7g7f.

    Every mate is proven. Interpositions that the checking piece just captures (無駄合) do not count; where they make a
    mate longer, both lengths are shown. The solver then looks for a shorter one for {REFINE_MS // 1000} s; with
    --shortest, until there is none.

    Exit codes: 0 all problems have a mate; {NO_MATE} one has none; {UNDECIDED} one was not decided in time; 1 a problem
    cannot be read; 2 wrong usage; {INTERRUPTED} interrupted.
    """)
@click.argument("problem", nargs=-1, required=True)
@options_of(Solving, "solving")
@style_option
@click.option("--json", "to_json", is_flag=True, help="Print one JSON object (docs/TOOLS.md).")
def mate(problem: tuple[str, ...], solving: Solving, style: str | None, to_json: bool) -> None:
    left_out: list[UserError] = []

    def leave_out(error: UserError) -> None:
        left_out.append(error)
        click.echo(_("left out: {reason}", reason=error.told(translate)), err=True)

    problems = [found for source in sources(problem) for found in problems_of(source, solving.ply, leave_out)]
    obtained_mb = min(solving.hash_mb, largest_table_megabytes())
    if obtained_mb < solving.hash_mb:
        click.echo(less_memory("--hash", solving.hash_mb, obtained_mb).told(translate), err=True)
    solver = MateSolver(obtained_mb)
    shown = shown_style(style)
    solutions: list[Solution] = []
    with interrupts(solver) as interrupted:
        course = Progress(len(problems), _("problems"))
        for number, found in enumerate(problems):
            left = (_("; problem {number} of {count}", number=number + 1, count=len(problems)) + course.left(number)
                    if len(problems) > 1 else "")
            result = solve(solver, found, solving, None if solving.shortest else REFINE_MS, left=left)
            if interrupted.is_set():
                break
            full = full_plies(solver, found, result) if result.moves else 0
            others = (tuple(others_of(solver, found, result.moves, solving, interrupted))
                      if solving.others and result.outcome == "mate" else None)
            solutions.append(Solution(found, result, full, others))
            if not to_json:
                show(*as_text(solutions[-1], shown))
    if to_json:
        show_json({"schema": SCHEMA, "problems": [as_json(solution) for solution in solutions]})
    elif len(problems) > 1:
        click.echo(_total(solutions))
    if interrupted.is_set():
        sys.exit(INTERRUPTED)
    sys.exit(1 if left_out else max((solution.status for solution in solutions), default=0))


def _total(solutions: list[Solution]) -> str:
    outcomes = [solution.result.outcome for solution in solutions]
    times = [solution.result.time_ms / 1000 for solution in solutions] or [0.0]
    return _("{count} problems: {mates} with a mate, {without} without, {undecided} not decided; {mean:.3f} s on "
             "average, {most:.3f} s at most", count=len(outcomes), mates=outcomes.count("mate"),
             without=outcomes.count("nomate"), undecided=outcomes.count("timeout"), mean=sum(times) / len(times),
             most=max(times))
