"""Our own search as a player in this process, without USI."""
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

from engine import Position
from engine.errors import Listed, Phrase, UserError
from scripts.games.player import Clocks, PlayerAnswer, Seat
from scripts.games.rules import Rules
from search import Clock, Limits, Searcher
from search.bench import fingerprint
from search.parameters import RANGES
from search.skill import FULL_LEVEL, Skill, WeakSearch
from usi.console.settings import MEGABYTES, NODES, THREADS, WholeRange
from usi.words.typed import whole_number
from usi.workers.tasks import load_once

FINGERPRINT_NODES = 5000

LIMITS = ("nodes", "movetime", "byoyomi")       # of a move
OWN_SETTINGS = {**dict.fromkeys(LIMITS, NODES), "threads": THREADS, "hash": MEGABYTES,
                "level": WholeRange(0, FULL_LEVEL)}
# What `varied` reads.
SETTINGS = {name: (kind.least, kind.most) for name, kind in OWN_SETTINGS.items()} | RANGES


@dataclass(frozen=True)
class SearchPlayer:
    """A version of our search: margins that differ from the defaults, a limit for each move, threads and memory."""

    params: dict[str, int] = field(default_factory=dict)
    nodes: int | None = None        # for each move; exactly one of these three is given
    movetime: int | None = None     # milliseconds
    byoyomi: int | None = None      # milliseconds
    threads: int = 1
    hash_mb: int = 16
    eval_file: str | None = None    # weights, or "material" for material alone; None: the packaged ones
    level: int = FULL_LEVEL         # of search.skill

    def __post_init__(self) -> None:
        limits = [limit for limit in (self.nodes, self.movetime, self.byoyomi) if limit is not None]
        if len(limits) != 1 or limits[0] < 1:
            given = ", ".join(f"{name}={value}" for name, value in (("nodes", self.nodes), ("movetime", self.movetime),
                                                                    ("byoyomi", self.byoyomi)) if value is not None)
            raise UserError("{limits}: give one of nodes, movetime and byoyomi, 1 or more",
                            limits=given or Phrase("no limit"))
        if not 0 <= self.level <= FULL_LEVEL:
            raise UserError("level={level}: levels run from 0 to {most}", level=self.level, most=FULL_LEVEL)

    def varied(self, text: str) -> "SearchPlayer":
        """This player with the changes listed as `name=value,…`, whose names are margins of search/parameters.py or
        nodes, movetime, byoyomi, threads, hash, level and eval (a weights file, or `material`). Raises UserError,
        quoting the item that is wrong or out of its range."""
        player = self
        for item in filter(None, text.split(",")):
            name, _, digits = item.partition("=")
            if name == "eval" and digits:
                player = replace(player, eval_file=digits)
                continue
            if (value := whole_number(digits)) is None:
                raise UserError("{text!r} does not read name=integer or eval=FILE", text=item)
            if name not in SETTINGS:
                raise UserError("{text!r}: no margin of search/parameters.py is called {name!r}, and it is none of "
                                "{names} and eval", text=item, name=name, names=Listed(OWN_SETTINGS))
            least, most = SETTINGS[name]
            if not least <= value <= most:
                raise UserError("{text!r} is not in the range {range}", text=item, range=f"{least}<=x<={most}")
            if name in RANGES:
                player = replace(player, params={**player.params, name: value})
            else:
                changes: dict[str, Any] = dict.fromkeys(LIMITS) if name in LIMITS else {}
                changes["hash_mb" if name == "hash" else name] = value
                player = replace(player, **changes)
        return player

    @property
    def limit(self) -> str:
        """The limit of a move, as text."""
        return f"{self.nodes} nodes" if self.nodes else f"{self.movetime or self.byoyomi} ms"

    @property
    def limits(self) -> Limits:
        return Limits(nodes=self.nodes, movetime=self.movetime,
                      clock=None if self.byoyomi is None else Clock(byoyomi=self.byoyomi))

    @property
    def clock(self) -> None:
        """No clock for the referee to keep: the search keeps its time itself."""

    def searcher(self) -> Searcher:
        """The player's searcher. Raises OSError or UserError if its weights cannot be loaded (see eval.loading)."""
        return Searcher(self.hash_mb, self.threads, self.params, evaluator=load_once(self.eval_file))

    @property
    def fingerprint(self) -> str:
        """A fingerprint of margins and weights (search.bench.fingerprint); limits do not change it."""
        return fingerprint(replace(self, threads=1).searcher(), FINGERPRINT_NODES)

    def seat(self, rules: Rules) -> Seat:
        return SearcherSeat(self, rules)

    def conditions(self, rules: Rules) -> dict[str, object]:
        """Everything that the player's games depend on, for JSON."""
        conditions = asdict(self) | {"fingerprint": self.fingerprint}
        if self.level == FULL_LEVEL:
            del conditions["level"]
        return conditions


class SearcherSeat:
    """A search in this process. Its table is empty when a game begins, so at fixed nodes with one thread it always
    plays the same. A weaker level draws its random numbers from the moves played so far."""

    def __init__(self, player: SearchPlayer, rules: Rules) -> None:
        self._limits = player.limits
        self._skill = Skill.of_level(player.level)
        self._settings = self._skill.settings(rules.settings) if self._skill else rules.settings
        self._searcher = player.searcher()

    def begin(self) -> None:
        pass

    def answer(self, position: Position, clocks: Clocks) -> PlayerAnswer:
        weak = WeakSearch(self._skill, Random(" ".join(position.moves))) if self._skill else None
        result = self._searcher.search(position, self._limits, self._settings, weak.hear if weak else None)
        if weak:
            result = weak.played(result)[0]
        return PlayerAnswer(result.answer(), result.time_ms, result.score, result.depth, result.nodes)

    def wait(self, position: Position, clocks: Clocks) -> None:
        pass

    def end(self, outcome: str, orderly: bool) -> None:
        pass
