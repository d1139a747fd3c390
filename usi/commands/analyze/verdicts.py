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
DEEPER = 2              # times the nodes of a look that a deeper one has at least
WHOLE = 4               # times what the first looks may take: the time for all, if no other was given
NEAR = 0.2              # share of a mark's least loss within which a second look does not settle the mark

# Searches the position at a ply within limits.
SearchPosition = Callable[[int, Limits], Assessment]


@dataclass
class Effort:
    """How much time and how many nodes the looks at a game may take. The time is the clock's, however busy the machine
    is: then there are fewer looks, and shorter ones."""

    first: Limits                   # of the first look
    deadline: float | None = None   # by `time.monotonic`: all looks end before it
    is_given: bool = False          # the user gave the time and wants all of it spent

    @classmethod
    def of_game(cls, first: Limits, positions: int, minutes: float | None = None) -> "Effort":
        """The effort for a game of this many positions, from now on: the minutes that the user gave, or WHOLE times
        what the first looks may take. Without either, only nodes limit it."""
        if minutes is not None:
            return cls(first, time.monotonic() + 60 * minutes, is_given=True)
        if first.movetime is None:
            return cls(first)
        return cls(first, time.monotonic() + WHOLE * positions * first.movetime / 1000)

    @property
    def left(self) -> float | None:
        """The seconds left; None without a deadline."""
        return None if self.deadline is None else max(self.deadline - time.monotonic(), 0.0)

    def postpone(self, seconds: float) -> None:
        """Move the deadline: others had the engine."""
        if self.deadline is not None:
            self.deadline += seconds

    def first_look(self, positions: int) -> Limits:
        """The limits of the next first look, where this many positions have none yet: for each of them there is time
        for a search and as long a search for a mate."""
        if self.left is None:
            return self.first
        share = max(int(1000 * self.left / (2 * positions)), 1)
        return replace(self.first, movetime=min(share, self.first.movetime or share))

    def limits(self, last: Assessment, looks: int = 1) -> Limits | None:
        """The limits of the look after `last`; None if there is none, or no time for this many of its kind."""
        factor = TENFOLD ** (last.look + 1)
        movetime = self.first.movetime and self.first.movetime * factor
        nodes = self.first.nodes and self.first.nodes * factor
        if movetime is None and nodes is None:      # the first look had a depth
            nodes = last.nodes * TENFOLD
        if not self.is_given:
            nodes = min(nodes or MOST_NODES, MOST_NODES)
            if nodes < DEEPER * last.nodes:
                return None
        return self._in_time(last, nodes, movetime, DEEPER, looks)

    def same(self, last: Assessment) -> Limits | None:
        """Limits for another search as deep as `last`; None if there is no time for it."""
        return self._in_time(last, max(last.nodes, 1), None, 1)

    def is_cut(self, found: Assessment, least: float) -> bool:
        """Whether a look had no time for `least` nodes, as the machine has become slower, so that it is worth
        nothing."""
        return self.deadline is not None and found.nodes < least and not found.is_final

    def _in_time(self, last: Assessment, nodes: int | None, movetime: int | None, least: float,
                 looks: int = 1) -> Limits | None:
        """The limits, shortened so that this many looks with them end before the deadline. None if a look would have
        less than `least` times the time of `last`."""
        if self.left is None:
            return Limits(nodes=nodes, movetime=movetime)
        share = 1000 * self.left / looks
        times = [float(movetime)] if movetime is not None else []
        times += [last.time_ms * nodes / max(last.nodes, 1)] if nodes is not None else []
        if share < max(min([*times, least * last.time_ms]), 1):
            return None
        return Limits(nodes=nodes, movetime=min(int(share), movetime or int(share)))


def look_again(analysis: Analysis, search: SearchPosition, effort: Effort, known: Looks) -> Iterator[Assessment]:
    """Further looks at the positions around doubtful moves, first those that may or may not be mistakes; then
    searches of the other moves where the game's may be the only one that holds. Looks that are `known` are not searched
    again."""
    for look in count(1):
        is_done = True
        doubted = [judgement for judgement in analysis.judgements
                   if judgement.look == look - 1 and is_doubted(analysis, judgement, effort.is_given)]
        for judgement in sorted(doubted, key=_distance_from_mistake):
            missing = [found for found in (judgement.before, judgement.after) if _needs_look(analysis, found)]
            for number, found in enumerate(missing):
                deeper = _deeper(analysis, found, search, effort, known, len(missing) - number)
                if deeper is None:
                    break       # the other look alone would change nothing
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
    short, the moves nearest to a mistake's limit are looked at first."""
    mistake = next(mark for mark in MARKS if mark.symbol == "?")
    distance = log(max(judgement.lost_expected, judgement.disagreement, DOUBTED / TENFOLD) / mistake.expected)
    return distance / 2 if distance > 0 else -distance


def is_doubted(analysis: Analysis, judgement: Judgement, is_time_given: bool) -> bool:
    """Whether a deeper look may change the mark of a move. After the first look, a move is doubted if it costs DOUBTED
    or more, or if the search before it calls it the best move and values it that much higher than the search after it.
    After later looks, a move is doubted if its mark has changed since the last look, or its loss is near a mark's
    limit. If the user gave the time, the first rule holds after every look."""
    if judgement.is_final or judgement.is_decided:
        return False
    if is_time_given or not judgement.look:
        return (judgement.disagreement or judgement.lost_expected) >= DOUBTED
    return (judgement.mark != analysis.judged_at(judgement, judgement.look - 1).mark
            or any(abs(judgement.lost_expected - mark.expected) <= NEAR * mark.expected for mark in MARKS))


def _needs_look(analysis: Analysis, found: Assessment) -> bool:
    """Whether a position can have a deeper look than this one, and has none."""
    return not found.is_final and analysis.looks_at(found.ply)[-1].look == found.look


def _deeper(analysis: Analysis, found: Assessment, search: SearchPosition, effort: Effort, known: Looks,
            looks: int = 1) -> Assessment | None:
    """The next look at a position; None if it has had that look already, no deeper one is possible, or there is no
    time for this many looks of its kind."""
    if not _needs_look(analysis, found):
        return None
    key = found.ply, found.look + 1
    if key in known:
        return known[key]
    limits = effort.limits(found, looks)
    if limits is None:
        return None
    deeper = search(found.ply, limits)
    if effort.is_cut(deeper, DEEPER * found.nodes):
        return None
    return replace(deeper, look=found.look + 1, mate=found.mate)


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
            second = search(found.ply, replace(limits, searchmoves=others))
            if effort.is_cut(second, found.nodes / DEEPER):
                return
            found = replace(found, second=second.score)
            yield found
        if found.look or not analysis.is_only(judgement, found):
            return
        deeper = _deeper(analysis, found, search, effort, known)
        if not deeper:
            return
        yield deeper
        found = deeper
