"""Judges the moves of a game: searches every position and compares each move with the best one."""
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from engine import BLACK, MATE, Position
from engine.errors import UserError
from engine.records.gameover import game_over
from engine.records.record import GameRecord
from search import Info, Limits, Searcher, Settings
from search.analysis import search_lines
from search.limits import is_mate
from search.mate import MateSolver
from usi.files.journal import Kind, typed
from usi.words.wording import DECIDED, MARKS, Mark, expected_score

KIND = "positions of a game, analysed"      # what a journal holds


@dataclass(frozen=True)
class Candidate:
    """One line that the search reports."""

    score: int                  # engine score, for the side to move
    pv: tuple[str, ...]         # in USI


@dataclass(frozen=True)
class Assessment:
    """One position, searched. `candidates` is empty where the game is over, or the side to move declares a win."""

    ply: int                    # moves played so far
    sfen: str
    turn: int
    score: int                  # engine score, for the side to move
    depth: int
    seldepth: int
    nodes: int
    time_ms: int
    candidates: tuple[Candidate, ...]
    mate: tuple[str, ...] = ()  # by checks, in USI, if the mate solver found one

    @property
    def for_black(self) -> int:
        """The score from Black's side."""
        return self.score if self.turn == BLACK else -self.score

    @property
    def best(self) -> str | None:
        return self.candidates[0].pv[0] if self.candidates else None


@dataclass(frozen=True)
class Judgement:
    """The loss that a move cost its side; at least 0."""

    ply: int
    move: str
    side: int
    lost_expected: float        # points of a game, 0 to 1
    lost_centipawns: int
    mark: Mark | None


@dataclass(frozen=True)
class SideSummary:
    """Statistics of one side's moves."""

    moves: int                  # that were judged
    best: int                   # of them the engine's first choice
    lost: float                 # expected score, on average
    marks: Counter[str]         # by symbol


@dataclass(frozen=True)
class Analysis:
    """A stretch of a game. There is a judgement of each move between two positions assessed."""

    record: GameRecord
    assessments: tuple[Assessment, ...] = ()
    judgements: tuple[Judgement, ...] = ()

    def plus(self, assessment: Assessment) -> "Analysis":
        """The analysis extended by the next position and the judgement of the move that led there."""
        judgements = self.judgements
        if self.assessments:
            move = self.record.moves[assessment.ply - 1]
            judgements = (*judgements, judge_move(self.assessments[-1], move, assessment))
        return replace(self, assessments=(*self.assessments, assessment), judgements=judgements)

    def judgement(self, ply: int) -> Judgement | None:
        """The judgement of the move with this number, if it was judged."""
        return next((judgement for judgement in self.judgements if judgement.ply == ply), None)

    def before(self, judgement: Judgement) -> Assessment:
        """The position that the move was played in."""
        return next(found for found in self.assessments if found.ply == judgement.ply - 1)

    def after(self, judgement: Judgement) -> Assessment:
        """The position that it led to."""
        return next(found for found in self.assessments if found.ply == judgement.ply)

    def of_side(self, side: int) -> SideSummary:
        """Statistics of the moves of Black (0) or White (1)."""
        judgements = [judgement for judgement in self.judgements if judgement.side == side]
        return SideSummary(
            moves=len(judgements),
            best=sum(judgement.move == self.before(judgement).best for judgement in judgements),
            lost=sum(judgement.lost_expected for judgement in judgements) / max(len(judgements), 1),
            marks=Counter(judgement.mark.symbol for judgement in judgements if judgement.mark))

    def declares(self, assessment: Assessment, candidate: Candidate | None = None) -> bool:
        """Whether what looks like a mate is a win by declaration: at the end of a line, by default of the first one, or
        here and now, where there is none."""
        lines = [candidate] if candidate else assessment.candidates[:1]
        end = self.position(assessment)
        for move in lines[0].pv if lines else ():
            end.push(move)
        score = lines[0].score if lines else assessment.score
        return is_mate(score) and end.can_declare(Settings().entering_king_rule)

    def position(self, assessment: Assessment) -> Position:
        """The position assessed, with the moves that led to it."""
        return self.record.position(assessment.ply)


def analyse(record: GameRecord, plies: Iterable[int], searcher: Searcher, limits: Limits, settings: Settings,
            on_info: Callable[[int, Info], None] | None = None, solver: MateSolver | None = None, mate_nodes: int = 0,
            known: Mapping[int, Assessment] | None = None) -> Iterator[Assessment]:
    """Search the positions after the given plies of a game, in this order. `on_info` gets each ply's reports. The mate
    `solver` may make `mate_nodes` moves on each position. Assessments that are `known`, by ply, are not searched again.

    To break it off, stop the searcher and the solver, and discard the next assessment, which is incomplete. Raises
    UserError if the record holds an illegal move.
    """
    for ply in plies:
        if known and ply in known:
            yield known[ply]
            continue
        if solver:
            solver.arm()    # so that a stop during the search before it holds for it, too
        position = record.position(ply)
        found = _ended(position, ply) or _searched(position, ply, searcher, limits, settings, on_info)
        if solver and mate_nodes and found.candidates:
            found = replace(found, mate=solver.solve(position, nodes=mate_nodes).moves)
        yield found


def kept(record: GameRecord) -> Kind[int, Assessment]:
    """How the file that an analysis of a game is continued from holds its positions, by ply."""
    def read(row: object) -> tuple[int, Assessment]:
        found = typed(Assessment, row)
        position = record.position(found.ply)
        if (found.sfen, found.turn) != (position.sfen, position.turn) or not -MATE <= found.score <= MATE:
            raise UserError("this is another position, or no score")
        for candidate in found.candidates:
            _require_line(position, candidate.pv)
            if not candidate.pv or not -MATE <= candidate.score <= MATE:
                raise UserError("a line has no move, or no score")
        _require_line(position, found.mate)
        return found.ply, found

    return Kind(KIND, "analysed position", read, lambda _ply, found: asdict(found))


def _require_line(position: Position, moves: Iterable[str]) -> None:
    """UserError if they cannot be played."""
    line = position.copy()
    for move in moves:
        line.push(move)


def _ended(position: Position, ply: int) -> Assessment | None:
    """The assessment where the rules have ended the game, which a search from there would not see."""
    over = game_over(position)
    if not over:
        return None
    score = 0 if over.winner is None else MATE if over.winner == position.turn else -MATE
    return Assessment(ply, position.sfen, position.turn, score, 0, 0, 0, 0, ())


def _searched(position: Position, ply: int, searcher: Searcher, limits: Limits, settings: Settings,
              on_info: Callable[[int, Info], None] | None) -> Assessment:
    found = search_lines(searcher, position, limits, settings, on_info and (lambda info: on_info(ply, info)))
    result = found.result
    candidates = tuple(Candidate(info.score, info.pv) for info in found.lines)
    if not candidates and result.bestmove:      # that of the rules
        candidates = (Candidate(result.score, (result.bestmove,)),)
    return Assessment(ply, position.sfen, position.turn, result.score, result.depth,
                      max((info.seldepth for info in found.lines), default=0), result.nodes, result.time_ms, candidates)


def missed_mate(before: Assessment, move: str, after: Assessment) -> bool:
    """Whether the solver has a mate that `move`, played in its place, let go as far as the search sees."""
    return bool(before.mate) and move != before.mate[0] and not (is_mate(after.score) and after.score < 0)


def judge_move(before: Assessment, move: str, after: Assessment) -> Judgement:
    """The loss of `move`, which led from one position to the other."""
    best, played = before.score, -after.score
    for candidate in before.candidates:
        if candidate.pv[0] == move:     # then both were searched to the same depth
            played = candidate.score
    lost = max(expected_score(best) - expected_score(played), 0.0)
    centipawns = max(_clipped(best) - _clipped(played), 0)
    mark = next((mark for mark in MARKS if lost >= mark.expected or centipawns >= mark.centipawns), None)
    return Judgement(after.ply, move, before.turn, lost, centipawns, mark)


def _clipped(score: int) -> int:
    return min(max(score, -DECIDED), DECIDED)
