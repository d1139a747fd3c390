"""Self-play for training: where games start, how they are varied, and sessions of them that depend on nothing else."""
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import NamedTuple

from engine import BLACK, WHITE, Position
from engine.errors import UserError
from engine.pieces import KING, PROMOTED, WHITE_PIECE
from engine.records.handicaps import HANDICAPS
from engine.sfen import Placement, format_sfen
from eval.loading import MATERIAL
from scripts.cli.options import Assignments, hash_setting, params_setting
from scripts.games.rules import End, Rules, agreed_winner, ending
from scripts.training.samples import Records, Sample, records, sample
from search import Info, Limits, Result, Searcher, Settings
from usi.console.options import AMOUNT, CENTIPAWNS, COUNT, DEPTH, PERCENT, setting
from usi.workers.pool import load_once

# The usual handicaps: a lance, the bishop, the rook, rook and lance, two pieces, four, six, eight.
STARTS_AT_ODDS = [HANDICAPS[name] for name in (
    "香落ち", "角落ち", "飛車落ち", "飛香落ち", "二枚落ち", "四枚落ち", "六枚落ち", "八枚落ち")]
# Shares of the kinds of start.
MIX = {"opening": 58, "random": 22, "handicap": 5, "entering": 6, "endgame": 7, "odd": 2}
UNBALANCED = ("handicap", "odd")
PLAYED_ON = ("entering", "endgame")     # starts whose games are not cut short, since their ends are what is missing

START_DEPTH = 3         # of the search that judges a start
BALANCE = 600           # centipawns: a start beyond is drawn again, unless its kind is UNBALANCED
# Of odd starts, drawn for each side: the share of its pieces that stays, and of the others the share that the other
# side gets in hand, the rest being out of play.
STAYING = (1, 0.95, 0.9, 0.8, 0.6, 0.4, 0.2, 0)
GOING_OVER = (0, 0, 0.5, 1)
ATTEMPTS = 100          # at a start of one kind
EARLY_PLIES = 24        # from the start of a game: here moves are varied
STRAY = 0.15            # how often, and …
MARGIN = 60             # centipawns below the best that a move may be then, …
CHOICES = 4             # out of this many, …
STRAY_DEPTH = 2         # found by a search of this depth
LATE_PLY = 60           # from here on, positions may start later games
KEPT_FOR_STARTS = 0.2   # of those
POOL = 2000
GAMES = 20              # of a session
CANDIDATES = 100        # openings that a session knows


@dataclass(frozen=True)
class SelfPlayRecipe:
    """Settings of self-play. With the seed they determine the games."""

    depth: int | None = setting("Depth of each search [default: 6, if --nodes says nothing].", DEPTH, None)
    nodes: int | None = setting("Nodes of each search, instead.", AMOUNT, None)
    max_plies: int = setting("The game is drawn after this many plies.", COUNT, 320)
    decisive_score: int = setting("Centipawns that decide a game.", CENTIPAWNS, 3000, "--decisive", metavar="SCORE")
    play_out: int = setting("Of the games, however decided.", PERCENT, 10, metavar="PERCENT")
    mix: dict[str, int] = setting(
        f"How often games start from each kind: {', '.join(f'{kind} ({share})' for kind, share in MIX.items())}.",
        Assignments(dict.fromkeys(MIX, (0, 10**6))), lambda: dict(MIX), metavar="KIND=SHARE,…", shown="")
    params: dict[str, int] = params_setting("short")
    hash_mb: int = hash_setting()
    openings: str = ""                                      # digest of them
    weights: str = MATERIAL                                 # digest of those evaluated by, or material alone
    rivals: dict[str, str] = field(default_factory=dict)    # other evaluations (names for eval.loading), their digests
    rival_games: int = setting("Of the games, with --rival.", PERCENT, 50, metavar="PERCENT")


class TrainingGame(NamedTuple):
    """A game as it goes into the file."""

    start: str          # a kind named in the mix
    end: End
    records: Records


class Starts:
    """Draws the starting positions of games. Late ones come from earlier games."""

    def __init__(self, openings: list[str], mix: dict[str, int], searcher: Searcher, rng: Random) -> None:
        self.openings = openings
        self.mix = mix
        self.searcher = searcher
        self.rng = rng
        self.late: deque[str] = deque(maxlen=POOL)

    def note(self, position: Position, score: int) -> None:
        """Offer a position that was played for later games."""
        if position.ply >= LATE_PLY and abs(score) <= BALANCE and self.rng.random() < KEPT_FOR_STARTS:
            self.late.append(position.sfen)

    def draw(self) -> tuple[str, Position]:
        """A kind of start and a position that is not over and, unless its kind is UNBALANCED, not decided."""
        kind = self.rng.choices(list(self.mix), list(self.mix.values()))[0]
        if kind in PLAYED_ON and not self.late:
            kind = "random"
        while True:
            for _ in range(ATTEMPTS):
                position = self._attempt(kind)
                if position is not None and not position.is_mate() and (
                        kind in UNBALANCED or self._balanced(position)):
                    return kind, position
            kind = "random"         # for kings that find no place: this always succeeds in the end

    def _balanced(self, position: Position) -> bool:
        result = self.searcher.search(position, Limits(depth=START_DEPTH), Settings())
        return result.bestmove is not None and abs(result.score) <= BALANCE

    def _attempt(self, kind: str) -> Position | None:
        match kind:
            case "opening":
                position = Position.from_usi(self.rng.choice(self.openings))
                for _ in range(self.rng.randint(0, max(0, len(position.moves) - 4))):
                    position.pop()
                return self._shaken(position, self.rng.randint(0, 3))
            case "random":
                return self._shaken(Position(), self.rng.randint(3, 10))
            case "handicap":
                return self._shaken(Position(self.rng.choice(STARTS_AT_ODDS)), self.rng.randint(0, 4))
            case "entering":
                return self._entered(Position(self.rng.choice(self.late)))
            case "odd":
                usual = self.rng.choice(("opening", "random", "endgame") if self.late else ("opening", "random"))
                begun = self._attempt(usual)
                return begun and self._plundered(begun)
        return self._shaken(Position(self.rng.choice(self.late)), self.rng.randint(1, 3))

    def _shaken(self, position: Position, plies: int) -> Position | None:
        """The position after some random moves, if they do not end the game."""
        for _ in range(plies):
            moves = position.legal_moves()
            if not moves:
                return None
            position.push(self.rng.choice(moves))
        return position

    def _entered(self, position: Position) -> Position | None:
        """The position with one king or both put on a free square of the enemy's camp, if that can be."""
        placement = position.placement
        board = placement.board
        for side in self.rng.choice(((BLACK,), (WHITE,), (BLACK, WHITE))):
            king = KING + WHITE_PIECE * side
            camp = range(3) if side == BLACK else range(6, 9)
            free = [square for square in range(81) if square % 9 in camp and not board[square]]
            if king not in board or not free:
                return None
            board[board.index(king)] = 0
            board[self.rng.choice(free)] = king
        try:
            return Position(format_sfen(placement))
        except UserError:          # the side that is not to move would be in check
            return None


    def _plundered(self, position: Position) -> Position | None:
        """The position with pieces gone, or in the other side's hand, unless that cannot be."""
        board, hands, turn, _ = position.placement
        fresh: tuple[list[int], list[int]] = ([0] * len(hands[0]), [0] * len(hands[1]))
        shares = [(self.rng.choice(STAYING), self.rng.choice(GOING_OVER)) for _ in (BLACK, WHITE)]

        def owner(side: int) -> int | None:
            staying, going_over = shares[side]
            if self.rng.random() < staying:
                return side
            return side ^ 1 if self.rng.random() < going_over else None

        for side in (BLACK, WHITE):
            for kind, held in enumerate(hands[side]):
                for _ in range(held):
                    if (whose := owner(side)) is not None:
                        fresh[whose][kind] += 1
        for square, piece in enumerate(board):
            side, kind = divmod(piece, WHITE_PIECE)
            if piece and kind != KING and (whose := owner(side)) != side:
                board[square] = 0
                if whose is not None:
                    fresh[whose][kind - PROMOTED if kind > KING else kind] += 1
        try:
            return Position(format_sfen(Placement(board, fresh, turn, 1)))
        except UserError:          # the side that is not to move would be in check
            return None


class SelfPlayer:
    """Plays games, one after another, in this process."""

    def __init__(self, recipe: SelfPlayRecipe, openings: list[str], rng: Random, evaluation: str = MATERIAL) -> None:
        """`evaluation` is a name for eval.loading; what it raises is raised."""
        self.recipe = recipe
        self.rng = rng
        self.searcher = self._searcher(evaluation)
        self.rivals = [self._searcher(name) for name in recipe.rivals]
        self.starts = Starts(openings, recipe.mix, self.searcher, rng)
        self.limits = Limits(depth=recipe.depth, nodes=recipe.nodes)
        self.settings = Settings(max_moves=recipe.max_plies)

    def _searcher(self, evaluation: str) -> Searcher:
        return Searcher(self.recipe.hash_mb, 1, self.recipe.params, own_threads=False, evaluator=load_once(evaluation))

    def _sides(self) -> list[Searcher]:
        """The searchers of Black and White for the next game."""
        sides = [self.searcher, self.searcher]
        if self.rivals and self.rng.random() * 100 < self.recipe.rival_games:
            sides[self.rng.choice((BLACK, WHITE))] = self.rng.choice(self.rivals)
        return sides

    def play(self) -> TrainingGame:
        kind, position = self.starts.draw()
        sides = self._sides()
        position = Position(position.sfen)      # repetitions count from here: what came before was not searched
        played_out = kind in PLAYED_ON or self.rng.random() * 100 < self.recipe.play_out
        rules = Rules(self.recipe.max_plies, 0 if played_out else self.recipe.decisive_score)
        first = position.ply
        samples: list[Sample] = []
        scores: list[int] = []                  # from Black's side
        end: End
        while True:
            if over := ending(position, rules):
                winner, end, _ = over
                break
            searcher = sides[position.turn]
            result = self._searched(searcher, position)
            if result.bestmove is None:     # it is not mated, or the game would be over
                winner, end = position.turn, "declaration"
                break
            samples.append(sample(position, result.score, result.bestmove))
            self.starts.note(position, result.score)
            scores.append(result.score if position.turn == BLACK else -result.score)
            winner = agreed_winner(scores, rules.decisive_score)
            if winner is not None:
                end = "score"
                break
            early = position.ply - first < EARLY_PLIES
            stray = early and self.rng.random() < STRAY
            position.push(self._stray(position, searcher) if stray else result.bestmove)
        return TrainingGame(kind, end, records(samples, winner))

    def _searched(self, searcher: Searcher, position: Position) -> Result:
        return searcher.search(position, self.limits, self.settings)

    def _stray(self, position: Position, searcher: Searcher) -> str:
        """One of the good moves."""
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
class Session:
    """Some games in a row. A game may start from positions of those before it; nothing else is shared."""

    recipe: SelfPlayRecipe
    openings: list[str]
    evaluation: str         # a name for eval.loading
    seed: str
    games: int = GAMES


def sessions(recipe: SelfPlayRecipe, openings: list[str], evaluation: str, seed: str) -> Iterator[Session]:
    """Sessions without end. The nth is always the same, and knows some of the openings, since it has to travel."""
    for number in count():
        own = f"{seed}/{number}"
        candidates = Random(own).sample(openings, min(CANDIDATES, len(openings)))
        yield Session(recipe, candidates, evaluation, own)


def play_session(session: Session) -> list[TrainingGame]:
    """Play its games. Raises as SelfPlayer does."""
    player = SelfPlayer(session.recipe, session.openings, Random(session.seed), session.evaluation)
    return [player.play() for _ in range(session.games)]
