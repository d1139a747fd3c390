"""Deeper looks at the moves whose verdict is in doubt, until it stands.

The first look at a game searches each position briefly, and is often wrong about a single move: it misses a mistake, or
does not see why a good move is good. So both positions of a doubtful move are searched again TENFOLD as deep, and once
more, until two looks in a row agree on its mark.
"""
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from math import log

from search import Limits
from usi.commands.analyze.analysis import Analysis, Assessment, Judgement, Looks
from usi.words.wording import MARKS

TENFOLD = 10            # the factor of nodes or time from one look to the next
MOST_NODES = 2_000_000  # of a look when no time was given for all: enough for nearly all verdicts (docs/TOOLS.md)
DOUBTED = 0.02          # the loss of expected score, by a first look, from which a move is looked at again
NEAR = 0.2              # share of a mark's least loss within which a second look does not settle the mark

# Searches the position at a ply within limits.
SearchPosition = Callable[[int, Limits], Assessment]


@dataclass(frozen=True)
class Effort:
    """How much time and how many nodes deeper looks may take."""

    first: Limits                   # of the first look
    deadline: float | None = None   # by `time.monotonic`: looks that would not end before it are not begun
    is_given: bool = False          # the user gave the time and wants all of it spent

    def limits(self, last: Assessment) -> Limits | None:
        """The limits of the look after `last`; None if there is none."""
        factor = TENFOLD ** (last.look + 1)
        movetime = self.first.movetime and self.first.movetime * factor
        nodes = self.first.nodes and self.first.nodes * factor
        if movetime is None and nodes is None:      # the first look had a depth
            nodes = last.nodes * TENFOLD
        if not self.is_given:
            nodes = min(nodes or MOST_NODES, MOST_NODES)
            if nodes < 2 * last.nodes:
                return None
        return Limits(nodes=nodes, movetime=movetime) if self._fits(last, nodes, movetime) else None

    def same(self, last: Assessment) -> Limits | None:
        """Limits for another search as deep as `last`; None if there is no time for it."""
        return Limits(nodes=max(last.nodes, 1)) if self._fits(last, last.nodes, None) else None

    def _fits(self, last: Assessment, nodes: int | None, movetime: int | None) -> bool:
        if self.deadline is None:
            return True
        times = [float(movetime)] if movetime is not None else []
        times += [last.time_ms * nodes / max(last.nodes, 1)] if nodes is not None else []
        return time.monotonic() + min(times) / 1000 < self.deadline


def look_again(analysis: Analysis, search: SearchPosition, effort: Effort, known: Looks) -> Iterator[Assessment]:
    """Further looks at the positions around doubtful moves, first those that may or may not be mistakes; then
    searches of the other moves where the game's may be the only one that holds. Looks that are `known` are not searched
    again."""
    for look in count(1):
        is_done = True
        doubted = [judgement for judgement in analysis.judgements
                   if judgement.look == look - 1 and is_doubted(analysis, judgement, effort.is_given)]
        for judgement in sorted(doubted, key=_distance_from_mistake):
            for found in (judgement.before, judgement.after):
                if deeper := _deeper(analysis, found, search, effort, known):
                    is_done = False
                    analysis = analysis.plus(deeper)
                    yield deeper
        if is_done:
            break
    for judgement in analysis.judgements:
        for found in _others(analysis, judgement, search, effort, known):
            analysis = analysis.plus(found)
            yield found


def _distance_from_mistake(judgement: Judgement) -> float:
    """The logarithm of the ratio between a move's loss and the least loss of a mistake, halved above it. When time is
    short, the moves nearest to that border are looked at first."""
    mistake = next(mark for mark in MARKS if mark.symbol == "?")
    distance = log(max(judgement.lost_expected, judgement.disagreement, DOUBTED / TENFOLD) / mistake.expected)
    return distance / 2 if distance > 0 else -distance


def is_doubted(analysis: Analysis, judgement: Judgement, is_time_given: bool) -> bool:
    """Whether a deeper look may change the mark of a move. After the first look: if the move costs something, or the
    search before it likes it and the search after it does not. After later looks: if the mark has changed since the
    last one, or nearly has. With time to spend, a move that costs something is always doubted."""
    if judgement.is_final or judgement.is_decided:
        return False
    if is_time_given or not judgement.look:
        return (judgement.disagreement or judgement.lost_expected) >= DOUBTED
    return (judgement.mark != analysis.judged_at(judgement, judgement.look - 1).mark
            or any(abs(judgement.lost_expected - mark.expected) <= NEAR * mark.expected for mark in MARKS))


def _deeper(analysis: Analysis, found: Assessment, search: SearchPosition, effort: Effort,
            known: Looks) -> Assessment | None:
    """The next look at a position; None if it has had that look already, or no deeper one is possible."""
    if found.is_final or analysis.looks_at(found.ply)[-1].look > found.look:
        return None
    key = found.ply, found.look + 1
    if key in known:
        return known[key]
    limits = effort.limits(found)
    return replace(search(found.ply, limits), look=found.look + 1, mate=found.mate) if limits else None


def _others(analysis: Analysis, judgement: Judgement, search: SearchPosition, effort: Effort,
            known: Looks) -> Iterator[Assessment]:
    """Looks at the position before a best move that show whether it is the only one that holds: a search of all other
    moves, and a deeper look if that search says so."""
    found = analysis.looks_at(judgement.ply - 1)[-1]
    while analysis.may_be_only(judgement, found):
        if found.second is None:
            limits = effort.same(found)
            others = tuple(move for move in analysis.position(found).legal_moves() if move != found.best)
            if limits is None or not others:
                return
            found = replace(found, second=search(found.ply, replace(limits, searchmoves=others)).score)
            yield found
        if found.look or not analysis.is_only(judgement, found):
            return
        deeper = _deeper(analysis, found, search, effort, known)
        if not deeper:
            return
        yield deeper
        found = deeper
