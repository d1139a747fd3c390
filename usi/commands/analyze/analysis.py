"""The analysis of a game: every position is searched, and each move is compared with the best one."""
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace

from engine import BLACK, MATE, Position
from engine.errors import Phrase, UserError
from engine.records.gameover import game_over
from engine.records.record import GameRecord
from search import Info, Limits, Searcher, Settings
from search.analysis import search_lines
from search.limits import Bound, is_mate, is_superior
from search.mate import MateSolver
from usi.files.journal import Kind, typed
from usi.files.writing import Output
from usi.words.wording import DECIDED, MARKS, Mark, Special, expected_score

KIND = Phrase("positions of a game, analysed")      # the name of the journals
JOURNAL_OF_GAME = Output(Phrase("journal"), (f'{{"kind": "{KIND}"'.encode(),))
# Expected score beyond which a game counts as decided. A move that leaves it decided gets a mark only for a mate.
CERTAIN = 0.9
BALANCE = 0.4       # the expected score below which a side is behind


@dataclass(frozen=True)
class Candidate:
    """One line that the search reports."""

    score: int                  # engine score, for the side to move
    pv: tuple[str, ...]         # in USI
    bound: Bound = "exact"      # of the score; see PositionAnalysis


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
    look: int = 0               # 0 for the first search of a position; each further look is a deeper one (verdicts.py)
    second: int | None = None   # engine score of the best other move, where it was searched

    @property
    def for_black(self) -> int:
        """The score from Black's side."""
        return self.score if self.turn == BLACK else -self.score

    @property
    def best(self) -> str | None:
        return self.candidates[0].pv[0] if self.candidates else None

    @property
    def is_open(self) -> bool:
        """Whether the game is not decided."""
        return 1 - CERTAIN <= expected_score(self.score) <= CERTAIN

    @property
    def is_final(self) -> bool:
        """Whether no deeper look can change what the score means: the rules end the game here, or a mate is proved."""
        return is_mate(self.score) or not self.candidates


@dataclass(frozen=True)
class Judgement:
    """The loss that a move cost its side, at least 0, and the two positions by which it was judged.

    The engine's first choice and line are the ones of `deepest`, the deepest look at the position before the move:
    that line is what every output shows. A move that is this first choice costs nothing and has no mark."""

    ply: int
    move: str
    side: int
    lost_expected: float        # points of a game, 0 to 1
    lost_centipawns: int
    mark: Mark | None
    before: Assessment = field(repr=False)
    after: Assessment = field(repr=False)
    deepest: Assessment = field(repr=False)

    @property
    def is_best(self) -> bool:
        """Whether the move is the engine's first choice."""
        return self.move == self.deepest.best

    @property
    def look(self) -> int:
        """The look by which the move was judged; a position that is final may lack it."""
        return max(self.before.look, self.after.look)

    @property
    def is_final(self) -> bool:
        """Whether no deeper look can change the judgement."""
        return self.before.is_final and self.after.is_final

    @property
    def is_decided(self) -> bool:
        """Whether the game was decided before the move, and still is."""
        return is_decided(self.before.score, -self.after.score)

    @property
    def disagreement(self) -> float:
        """The drop in expected score from the search before the move to the search after it, if that one or a deeper
        one before the move calls it the best move; else 0."""
        if self.move not in (self.before.best, self.deepest.best):
            return 0.0
        return max(expected_score(self.before.score) - expected_score(-self.after.score), 0.0)

    @property
    def nodes(self) -> int:
        """The nodes of the deeper one of the two searches."""
        return max(self.before.nodes, self.after.nodes)


@dataclass(frozen=True)
class SideSummary:
    """Statistics of one side's moves."""

    moves: int                  # that were judged
    best: int                   # of them the engine's first choice
    lost: float                 # expected score, on average
    kept: float | None          # mean share of the expected score that a move keeps while nothing is decided;
    # None without such a move
    marks: Counter[str]         # by symbol


@dataclass(frozen=True)
class Analysis:
    """A stretch of a game. There is a judgement of each move between two positions assessed."""

    record: GameRecord
    looks: tuple[tuple[Assessment, ...], ...] = ()      # at each position in turn, the deepest last
    judgements: tuple[Judgement, ...] = ()

    @property
    def assessments(self) -> tuple[Assessment, ...]:
        """The deepest look at each position."""
        return tuple(looks[-1] for looks in self.looks)

    def plus(self, assessment: Assessment) -> "Analysis":
        """A copy with the next position, or with another look at a known one. The moves on both sides of it are judged
        again."""
        at = assessment.ply - self.looks[0][0].ply if self.looks else 0
        if at == len(self.looks):
            looks = (*self.looks, (assessment,))
        else:
            others = (found for found in self.looks[at] if found.look != assessment.look)
            one = tuple(sorted((*others, assessment), key=lambda found: found.look))
            looks = (*self.looks[:at], one, *self.looks[at + 1:])
        judgements = list(self.judgements)
        for number in (at, at + 1):         # the move that led there, and the one played there
            if 0 < number < len(looks):
                judgements[number - 1:number] = [self._judged(looks[number - 1], looks[number])]
        return replace(self, looks=looks, judgements=tuple(judgements))

    def _judged(self, before: tuple[Assessment, ...], after: tuple[Assessment, ...]) -> Judgement:
        """The judgement of a move by the deepest look that both positions have, or of the one that is not final: scores
        of different looks differ through no fault of the move."""
        common = min((looks[-1].look for looks in (before, after) if not looks[-1].is_final), default=0)
        by = [next((found for found in looks if found.look == common), looks[-1]) for looks in (before, after)]
        return judge_move(by[0], self.record.moves[by[1].ply - 1], by[1], before[-1])

    def judged_at(self, judgement: Judgement, look: int) -> Judgement:
        """The same move, judged by an earlier look."""
        before, after = (tuple(found for found in self.looks_at(ply) if found.look <= look)
                         for ply in (judgement.ply - 1, judgement.ply))
        return self._judged(before, after)

    @property
    def is_whole(self) -> bool:
        """Whether the analysis reaches the end of the game."""
        return bool(self.looks) and self.looks[-1][0].ply == len(self.record.moves)

    def looks_at(self, ply: int) -> tuple[Assessment, ...]:
        """The looks at the position of this ply, the deepest last."""
        return self.looks[ply - self.looks[0][0].ply]

    def judgement(self, ply: int) -> Judgement | None:
        """The judgement of the move with this number, if it was judged."""
        return next((judgement for judgement in self.judgements if judgement.ply == ply), None)

    def of_side(self, side: int) -> SideSummary:
        """Statistics of the moves of Black (0) or White (1)."""
        judgements = [judgement for judgement in self.judgements if judgement.side == side]
        open_moves = [judgement for judgement in judgements if judgement.before.is_open]
        kept = [1 - judgement.lost_expected / expected_score(judgement.before.score) for judgement in open_moves]
        return SideSummary(
            moves=len(judgements),
            best=sum(judgement.is_best for judgement in judgements),
            lost=sum(judgement.lost_expected for judgement in judgements) / max(len(judgements), 1),
            kept=sum(kept) / len(kept) if kept else None,
            marks=Counter(judgement.mark.symbol for judgement in judgements if judgement.mark))

    def may_be_only(self, judgement: Judgement, before: Assessment) -> bool:
        """Whether a move may be the only one that holds, by this look at the position before it: it is the best one,
        the game is open, and it is no recapture, which everybody sees."""
        ply = judgement.ply
        takes_back = ply > 1 and judgement.move[2:4] == self.record.moves[ply - 2][2:4]
        return judgement.move == before.best and before.is_open and not takes_back

    def is_only(self, judgement: Judgement, before: Assessment | None = None) -> bool:
        """Whether a move is the only one that holds: every other one would be a blunder. By default the deepest look
        decides, if the position had more than one."""
        if before is None:
            before = self.looks_at(judgement.ply - 1)[-1]
            if not before.look:
                return False
        second = before.candidates[1].score if len(before.candidates) > 1 else before.second
        return (self.may_be_only(judgement, before) and second is not None
                and expected_score(before.score) - expected_score(second) >= MARKS[0].expected)

    @property
    def turning_point(self) -> Judgement | None:
        """The move that lost the balance for good: the last one by which its side's expected score fell below
        BALANCE, if it has a mark."""
        lost = [judgement for judgement in self.judgements
                if expected_score(judgement.before.score) >= BALANCE > 1 - expected_score(judgement.after.score)]
        return lost[-1] if lost and lost[-1].mark else None

    def special(self, assessment: Assessment, candidate: Candidate | None = None) -> Special | None:
        """The kind of a score that is neither centipawns nor a mate: at the end of a line (by default the first one),
        or in the position itself if it has no line."""
        lines = [candidate] if candidate else assessment.candidates[:1]
        score = lines[0].score if lines else assessment.score
        end = self.position(assessment)
        if not lines and (over := game_over(end)) and over.reason in ("repetition", "perpetual check"):
            return over.reason
        for move in lines[0].pv if lines else ():
            end.push(move)
        if is_mate(score) and end.can_declare(Settings().entering_king_rule):
            return "declaration"
        return "superior" if is_superior(score) else None

    def position(self, assessment: Assessment) -> Position:
        """The position assessed, with the moves that led to it."""
        return self.record.position(assessment.ply)


Looks = Mapping[tuple[int, int], Assessment]        # by ply and look


def analyse(record: GameRecord, plies: Iterable[int], searcher: Searcher, limits: Limits, settings: Settings,
            on_info: Callable[[int, Info], None] | None = None, solver: MateSolver | None = None, mate_nodes: int = 0,
            known: Looks | None = None) -> Iterator[Assessment]:
    """The first look at the positions after the given plies of a game, in this order. `on_info` gets each ply's
    reports. The mate `solver` may make `mate_nodes` moves on each position, and takes no longer than the search may.
    Looks that are `known` are not searched again.

    To break it off, stop the searcher and the solver, and discard the next assessment, which is incomplete. Raises
    UserError if the record holds an illegal move.
    """
    for ply in plies:
        if known and (ply, 0) in known:
            yield known[ply, 0]
            continue
        stops = solver.stops if solver else 0       # a stop during the search holds for the solver, too
        position = record.position(ply)
        found = _ended(position, ply) or searched(position, ply, searcher, limits, settings, on_info)
        if solver and mate_nodes and found.candidates:
            proof = solver.solve(position, movetime=limits.movetime, nodes=mate_nodes, stops=stops)
            found = replace(found, mate=proof.moves)
        yield found


def kept(record: GameRecord) -> Kind[tuple[int, int], Assessment]:
    """The kind of journal that an analysis resumes from: assessments by ply and look."""
    def read(row: object) -> tuple[tuple[int, int], Assessment]:
        found = typed(Assessment, row)
        position = record.position(found.ply)
        if (found.sfen, found.turn) != (position.sfen, position.turn) or not -MATE <= found.score <= MATE:
            raise UserError("this is another position, or no score")
        for candidate in found.candidates:
            _require_line(position, candidate.pv)
            if not candidate.pv or not -MATE <= candidate.score <= MATE:
                raise UserError("a line has no move, or no score")
        _require_line(position, found.mate)
        return (found.ply, found.look), found

    return Kind(KIND, Phrase("analysed position"), read, lambda _key, found: asdict(found))


def _require_line(position: Position, moves: Iterable[str]) -> None:
    """Raise UserError unless the moves can be played."""
    line = position.copy()
    for move in moves:
        line.push(move)


def _ended(position: Position, ply: int) -> Assessment | None:
    """The assessment of a position where the rules have ended the game, which a search from there would not see."""
    over = game_over(position)
    if not over:
        return None
    score = 0 if over.winner is None else MATE if over.winner == position.turn else -MATE
    return Assessment(ply, position.sfen, position.turn, score, 0, 0, 0, 0, ())


def searched(position: Position, ply: int, searcher: Searcher, limits: Limits, settings: Settings,
              on_info: Callable[[int, Info], None] | None) -> Assessment:
    """The assessment of a position, by one search, where the rules have not ended the game."""
    found = search_lines(searcher, position, limits, settings, on_info and (lambda info: on_info(ply, info)))
    result = found.result
    candidates = tuple(Candidate(info.score, info.pv, info.bound) for info in found.lines)
    if not candidates and result.bestmove:      # that of the rules
        candidates = (Candidate(result.score, (result.bestmove,)),)
    return Assessment(ply, position.sfen, position.turn, found.score, result.depth,
                      max((info.seldepth for info in found.lines), default=0), result.nodes, result.time_ms, candidates)


def missed_mate(judgement: Judgement) -> bool:
    """Whether the solver found a mate, and the search sees none after the move played instead."""
    mate, after = judgement.before.mate, judgement.after
    return bool(mate) and judgement.move != mate[0] and not (is_mate(after.score) and after.score < 0)


def judge_move(before: Assessment, move: str, after: Assessment, deepest: Assessment) -> Judgement:
    """The loss of `move`, which led from one position to the other. `deepest` is the deepest look at the first one."""
    best, played = before.score, -after.score
    for candidate in before.candidates:
        if candidate.pv[0] == move:     # then both were searched to the same depth
            played = candidate.score
    if move == deepest.best:
        played = max(best, played)
    lost = max(expected_score(best) - expected_score(played), 0.0)
    centipawns = max(_clipped(best) - _clipped(played), 0)
    return Judgement(after.ply, move, before.turn, lost, centipawns, _mark(best, played, lost, centipawns), before,
                     after, deepest)


def is_decided(score: int, other: int) -> bool:
    """Whether two scores of one side, after one move and after another, both leave the game decided for the same
    side."""
    expected = expected_score(score), expected_score(other)
    return min(expected) > CERTAIN or max(expected) < 1 - CERTAIN


def _mark(best: int, played: int, lost: float, centipawns: int) -> Mark | None:
    """The mark of a move with this loss. In decided games only missed and allowed mates are marked, by the expected
    score that they cost."""
    decided = is_decided(best, played)
    if decided and not (is_mate(best) or is_mate(played)):
        return None
    return next((mark for mark in MARKS
                 if lost >= mark.expected or (not decided and centipawns >= mark.centipawns)), None)


def _clipped(score: int) -> int:
    return min(max(score, -DECIDED), DECIDED)
