"""Our own search as a player in this process, without USI."""
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

from engine import Position
from engine.errors import Listed, Phrase, UserError
from scripts.games.player import Clocks, PlayerAnswer, Seat
from scripts.games.rules import Rules
from scripts.games.settings import MARGIN_KINDS, assigned, require_within
from search import Clock, Limits, Searcher
from search.bench import fingerprint
from search.skill import FULL_LEVEL, Skill, WeakSearch
from usi.console.settings import MEGABYTES, NODES, THREADS, Parsed, WholeRange
from usi.words.typed import whole_number
from usi.workers.tasks import load_once

FINGERPRINT_NODES = 5000

LIMITS = ("nodes", "movetime", "byoyomi")       # of a move
OWN_SETTINGS = {**dict.fromkeys(LIMITS, NODES), "threads": THREADS, "hash": MEGABYTES,
                "level": WholeRange(0, FULL_LEVEL)}


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
        limits = {name: limit for name in LIMITS if (limit := getattr(self, name)) is not None}
        if len(limits) != 1 or min(limits.values()) < 1:
            raise UserError("{limits}: give one of nodes, movetime and byoyomi, 1 or more",
                            limits=", ".join(f"{name}={limit}" for name, limit in limits.items()) or Phrase("no limit"))

    def varied(self, text: str) -> "SearchPlayer":
        """This player with the changes listed as `name=value,…`, whose names are margins of search/parameters.py or
        nodes, movetime, byoyomi, threads, hash, level and eval (a weights file, or `material`). Raises UserError,
        quoting the item that is wrong or out of its range."""
        player = self
        for item, name, digits in assigned(text):
            if name == "eval" and digits:
                player = replace(player, eval_file=digits)
                continue
            if (value := whole_number(digits)) is None:
                raise UserError("{text!r} does not read name=integer or eval=FILE", text=item)
            kind = OWN_SETTINGS.get(name) or MARGIN_KINDS.get(name)
            if not kind:
                raise UserError("{text!r}: no margin of search/parameters.py is called {name!r}, and it is none of "
                                "{names} and eval", text=item, name=name, names=Listed(OWN_SETTINGS))
            require_within(kind, value, item)
            if name in MARGIN_KINDS:
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


class SearcherSeat(Seat):
    """A search in this process. The table is empty when a game begins, so at fixed nodes with one thread the search
    always plays the same. A weaker level draws its random numbers from the moves played so far."""

    def __init__(self, player: SearchPlayer, rules: Rules) -> None:
        self._limits = player.limits
        self._skill = Skill.of_level(player.level)
        self._settings = self._skill.settings(rules.settings) if self._skill else rules.settings
        self._searcher = player.searcher()

    def answer(self, position: Position, clocks: Clocks) -> PlayerAnswer:
        weak = WeakSearch(self._skill, Random(" ".join(position.moves))) if self._skill else None
        result = self._searcher.search(position, self._limits, self._settings, weak.hear if weak else None)
        if weak:
            result = weak.played(result)[0]
        return PlayerAnswer(result.answer(), result.time_ms, result.score, result.depth, result.nodes)


def checked_changes(text: str) -> str:
    """The text, if `SearchPlayer.varied` reads it. Raises UserError otherwise."""
    SearchPlayer(nodes=1).varied(text)
    return text


CHANGES = Parsed("name=value,…", checked_changes)
