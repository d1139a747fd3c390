"""Valuers of positions: our search, or another USI engine as an outside judge."""
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from engine import MATE, Position
from engine.errors import UserError
from eval.loading import MATERIAL
from scripts.games.player import Offence
from scripts.games.rules import Rules
from scripts.games.settings import hash_setting, params_setting
from scripts.games.timecontrol import PlayerLimits
from scripts.games.usi_player import UsiPlayer
from search import Info, Limits, Result, Searcher, Settings
from usi.console.settings import DEPTH, NODES, setting
from usi.workers.tasks import load_once


@dataclass(frozen=True)
class Labels:
    """Settings of the searches. Hashable, so that a process keeps one searcher for each."""

    limits: Limits
    evaluation: str = MATERIAL                      # a name for eval.loading
    params: tuple[tuple[str, int], ...] = ()        # parameters of the search that differ from the defaults
    hash_mb: int = 16
    book_scale: float = 1.0                         # centipawns to a centipawn of a book
    engine: str = ""                                # searches instead of us; as UsiPlayer.parse reads it


@dataclass(frozen=True)
class ValuingOptions:
    """Options of the commands that value positions by our own searches."""

    depth: int | None = setting("Depth of each search.", DEPTH, None)
    nodes: int | None = setting("Nodes of each search.", NODES, None)
    params: dict[str, int] = params_setting()
    hash_mb: int = hash_setting()

    def labels(self, evaluation: str = "", **others: Any) -> Labels:
        return Labels(Limits(depth=self.depth, nodes=self.nodes), evaluation, tuple(sorted(self.params.items())),
                      self.hash_mb, **others)


class Value(NamedTuple):
    score: int              # centipawns for the side to move
    bestmove: str | None    # None if the game is over


class Valuer(Protocol):
    """A searcher or engine that values positions."""

    def value(self, position: Position) -> Value: ...

    def forget(self) -> None:
        """Let the next value depend on its position alone."""


class OurSearch:
    """Our search as a valuer. Raises UserError for an unknown parameter, and as `eval.loading` for the evaluation."""

    def __init__(self, labels: Labels) -> None:
        self.searcher = Searcher(labels.hash_mb, 1, dict(labels.params), in_calling_thread=True,
                                 evaluator=load_once(labels.evaluation))
        self.limits = labels.limits
        self.settings = Settings()

    def search(self, position: Position, on_info: Callable[[Info], None] | None = None) -> Result:
        return self.searcher.search(position, self.limits, self.settings, on_info)

    def value(self, position: Position) -> Value:
        result = self.search(position)
        return Value(result.score, result.bestmove)

    def forget(self) -> None:
        self.searcher.clear()


class OtherEngine:
    """Another USI engine as a valuer. Raises UserError if it does not start, or misbehaves."""

    def __init__(self, labels: Labels) -> None:
        control = PlayerLimits(nodes=labels.limits.nodes, depth=labels.limits.depth)
        self.player = UsiPlayer.parse(labels.engine, control)
        self.clock = self.player.clock
        self.seat = self.player.seat(Rules())
        self._begin()

    def _begin(self) -> None:
        try:
            self.seat.begin()
        except Offence as offence:
            raise UserError("{name}: {fault}", name=self.player.name, fault=offence.fault) from None

    def value(self, position: Position) -> Value:
        try:
            answer = self.seat.answer(position, (self.clock, self.clock))
        except Offence as offence:
            raise UserError("{name} in {sfen}: {fault}", name=self.player.name, sfen=position.sfen,
                            fault=offence.fault) from None
        if answer.move == "win":
            return Value(MATE, None)
        if answer.move == "resign":
            return Value(-MATE, None)
        if answer.score is None:
            raise UserError("{name} gives no score for {sfen}", name=self.player.name, sfen=position.sfen)
        return Value(answer.score, answer.move)

    def forget(self) -> None:
        self.seat.end("draw", orderly=True)
        self._begin()


def valuer(labels: Labels) -> Valuer:
    """The valuer for these settings. Raises UserError as the valuers do."""
    return OtherEngine(labels) if labels.engine else OurSearch(labels)
