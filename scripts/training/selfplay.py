"""Self-play for training: games, their variation, and sessions of games that are independent of each other."""
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from random import Random
from typing import NamedTuple

from engine import BLACK, WHITE, Position
from engine.errors import Phrase, UserError
from eval.loading import MATERIAL, weights_file
from scripts.games.player import Offence
from scripts.games.rules import End, Rules, agreed_winner, ending
from scripts.games.settings import assignments, hash_setting, params_setting
from scripts.training.rivals import OwnSearch, Rival, RivalReply, UsiEngine
from scripts.training.samples import Records, Sample, records, sample
from scripts.training.starts import MIX, PLAYED_ON, Starts
from search import Info, Limits, Result, Searcher, Settings
from usi.console.settings import CENTIPAWNS, DEPTH, NODES, PERCENT, PLIES, Parsed, WholeRange, setting
from usi.workers.tasks import load_once

# In the first EARLY_PLIES of a game a share STRAY of the moves is varied: drawn from the best CHOICES moves by a search
# of STRAY_DEPTH, those at most MARGIN centipawns below the best.
EARLY_PLIES = 24
STRAY = 0.15
MARGIN = 60
CHOICES = 4
STRAY_DEPTH = 2
GAMES = 20              # of a session
CANDIDATES = 100        # openings that a session knows
OFFENCES = 3            # games in a row that a rival may spoil


@dataclass(frozen=True)
class SelfPlayRecipe:
    """Settings of self-play. With the seed they determine the games."""

    depth: int | None = setting("Depth of each search [default: 6, if --nodes says nothing].", DEPTH, None)
    nodes: int | None = setting("Nodes of each search, instead of --depth.", NODES, None)
    max_plies: int = setting("Plies after which a game is drawn.", PLIES, 320)
    decisive_score: int = setting("Score that decides a game, when both players agree on it for some plies.",
                                  CENTIPAWNS, 3000, "--decisive")
    play_out: int = setting("Percentage of the games to play to their real end, however decided.", PERCENT, 10)
    mix: dict[str, int] = setting(
        f"Shares of the kinds of start: {', '.join(f'{kind} ({share})' for kind, share in MIX.items())}.",
        Parsed("kind=share,…", assignments(dict.fromkeys(MIX, WholeRange(0, 10**6)))), lambda: dict(MIX),
        metavar="KIND=SHARE,…", shown="")
    params: dict[str, int] = params_setting("short")
    hash_mb: int = hash_setting()
    openings: str = ""                                      # digest of them
    weights: str = MATERIAL                                 # digest of the weights that play, or MATERIAL
    rivals: dict[str, str] = field(default_factory=dict)    # other evaluations (names for eval.loading), their digests
    rival_games: int = setting("Percentage of the games to play with --rival or --spar.", PERCENT, 50)
    own_values: bool = setting("Store our search's value and best move at a rival's moves, too. With --spar this is "
                               "always so.", None, False)
    spars: dict[str, str] = field(default_factory=dict)     # USI engines (as `spar_player` reads them), their own names


def weights_digest(name: str) -> str:
    """The digest of an evaluation's weights, by its name for eval.loading. Raises OSError if they cannot be read."""
    weights = weights_file(name)
    return sha256(weights.read_bytes()).hexdigest() if weights else MATERIAL


class TrainingGame(NamedTuple):
    """A finished game, for the file."""

    start: str          # a kind named in the mix
    end: End
    records: Records


class SelfPlayer:
    """A player that plays both sides of one game after another, in this process."""

    def __init__(self, recipe: SelfPlayRecipe, openings: list[str], rng: Random, evaluation: str = MATERIAL) -> None:
        """`evaluation` is a name for eval.loading, whose errors are raised."""
        self.recipe = recipe
        self.rng = rng
        self.searcher = self._searcher(evaluation)
        self.rivals: list[Rival] = [OwnSearch(self._searcher(name), self._searched) for name in recipe.rivals]
        self.rivals += [UsiEngine(command, recipe.max_plies) for command in recipe.spars]
        self.own_values = recipe.own_values or bool(recipe.spars)
        self.starts = Starts(openings, recipe.mix, self.searcher, rng)
        self.limits = Limits(depth=recipe.depth, nodes=recipe.nodes)
        self.settings = Settings(max_moves=recipe.max_plies)

    def _searcher(self, evaluation: str) -> Searcher:
        return Searcher(self.recipe.hash_mb, 1, self.recipe.params, in_calling_thread=True,
                        evaluator=load_once(evaluation))

    def _sides(self) -> list[Rival | None]:
        """The rival that has Black or White in the next game; None for a side that we play."""
        sides: list[Rival | None] = [None, None]
        if self.rivals and self.rng.random() * 100 < self.recipe.rival_games:
            sides[self.rng.choice((BLACK, WHITE))] = self.rng.choice(self.rivals)
        return sides

    def play(self) -> TrainingGame:
        """The next game. A game that a rival spoils is not kept, and stderr says why. Raises UserError after OFFENCES
        such games in a row."""
        for left in reversed(range(OFFENCES)):
            kind, position = self.starts.draw()
            try:
                return self._game(kind, position, self._sides())
            except Offence as offence:
                fault = Phrase("{name}: {fault}", name=offence.end, fault=offence.fault)
                if not left:
                    raise UserError("rivals spoilt {count} games in a row; the last: {fault}", count=OFFENCES,
                                    fault=fault) from None
                print(f"a rival spoilt a game, which is not kept: {fault}", file=sys.stderr)
        raise AssertionError

    def _game(self, kind: str, position: Position, sides: list[Rival | None]) -> TrainingGame:
        """A game from a position. Raises Offence if a rival spoils it."""
        rival = sides[BLACK] or sides[WHITE]
        orderly = False
        try:
            if rival:
                rival.begin()
            # A position without its history: repetitions count from here, because the moves before were not searched.
            game = self._moves(kind, Position(position.sfen), sides)
            orderly = True
        finally:
            if rival:
                rival.end(orderly)
        return game

    def _moves(self, kind: str, position: Position, sides: list[Rival | None]) -> TrainingGame:
        played_out = kind in PLAYED_ON or self.rng.random() * 100 < self.recipe.play_out
        rules = Rules(self.recipe.max_plies, 0 if played_out else self.recipe.decisive_score)
        first = position.move_number
        samples: list[Sample] = []
        scores: list[int] = []                  # from Black's side, each by the player to move
        end: End
        while True:
            if over := ending(position, rules):
                winner, end, _ = over
                break
            mover = sides[position.turn]
            own = None if mover and not self.own_values else self._own(position)
            reply = mover.answer(position) if mover else own
            assert reply
            valued = own or reply
            if valued.score is not None and valued.move not in ("resign", "win"):
                samples.append(sample(position, valued.score, valued.move))
                self.starts.note(position, valued.score)
            if reply.move == "win":
                winner, end = position.turn, "declaration"
                break
            if reply.move == "resign":
                winner, end = position.turn ^ 1, "resignation"
                break
            if reply.score is None:
                scores.clear()
            else:
                scores.append(reply.score if position.turn == BLACK else -reply.score)
            winner = agreed_winner(scores, rules.decisive_score)
            if winner is not None:
                end = "score"
                break
            early = position.move_number - first < EARLY_PLIES
            stray = early and self.rng.random() < STRAY
            position.push(self._stray(position, mover) if stray else reply.move)
        return TrainingGame(kind, end, records(samples, winner))

    def _own(self, position: Position) -> RivalReply:
        return OwnSearch(self.searcher, self._searched).answer(position)

    def _searched(self, searcher: Searcher, position: Position) -> Result:
        return searcher.search(position, self.limits, self.settings)

    def _stray(self, position: Position, mover: Rival | None) -> str:
        """A random move among those nearly as good as the best, by the search of the rival that moves, or else by
        ours."""
        searcher = mover.searcher if mover and mover.searcher else self.searcher
        lines: dict[str, Info] = {}

        def note(info: Info) -> None:
            if info.depth == STRAY_DEPTH and info.bound == "exact":
                lines[info.pv[0]] = info

        settings = Settings(multi_pv=CHOICES)
        result = searcher.search(position, Limits(depth=STRAY_DEPTH), settings, note)
        good = [move for move, info in lines.items() if info.score >= result.score - MARGIN]
        return self.rng.choice(good)


# -- Sessions ----------------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class SelfPlaySession:
    """Games in a row by one player, who keeps the search's table and some positions from which later games start.
    Sessions share nothing."""

    recipe: SelfPlayRecipe
    openings: list[str]
    evaluation: str         # a name for eval.loading
    seed: str
    games: int = GAMES


def sessions(recipe: SelfPlayRecipe, openings: list[str], evaluation: str, seed: str) -> Iterator[SelfPlaySession]:
    """Yield sessions forever. Session n depends only on the recipe and the seed. A session carries CANDIDATES of the
    openings, which keeps tasks small."""
    for number in count():
        own = f"{seed}/{number}"
        candidates = Random(own).sample(openings, min(CANDIDATES, len(openings)))
        yield SelfPlaySession(recipe, candidates, evaluation, own)


def play_session(session: SelfPlaySession) -> list[TrainingGame]:
    """The games of a session. Raises as SelfPlayer does."""
    player = SelfPlayer(session.recipe, session.openings, Random(session.seed), session.evaluation)
    return [player.play() for _ in range(session.games)]
