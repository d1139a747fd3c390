#!/usr/bin/env python3
"""Generate training positions by self-play.

    python scripts/generate.py --out ~/data/first.psv --positions 5000000 --processes 2
    python scripts/generate.py --out ~/data/deep.hcpe --positions 1000000 --nodes 5000 --openings mine.sfen

Every position of a game is searched and written down with the score, the best move and the game's result; NAME.psv
holds PackedSfenValue records, NAME.hcpe hcpe (see samples.py). NAME.json keeps the recipe. The same command run again
goes on until the file holds so many positions; it may be interrupted, or killed, at any time.

Games start from openings cut at random, from random moves, handicaps, kings put into the enemy's camp, and late
positions of earlier games (--mix says how often each), and a few random moves more. Early in a game a move that is
nearly as good as the best is now and then played instead of it; what is written down is always the best. A game ends by
the rules (mate, declaration by 27 points, repetition), as a draw after --max-plies, and as soon as the scores have
agreed for some plies on who wins; --play-out percent of the games go on to their real end.
"""
import argparse
import json
import multiprocessing
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine import BLACK, WHITE, Position
from engine.notation.pieces import KING, WHITE_PIECE
from engine.notation.sfen import format_sfen
from eval.loading import MATERIAL, tables_named, weights_file
from openings import OPENINGS, load
from referee import End, Rules, agreed_winner, ending
from samples import Records, Sample, SampleFile, records, sample
from search import Info, Limits, Searcher, Settings
from search.params import DEFAULTS

HANDICAPS = (
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
)
MIX = {"opening": 60, "random": 22, "handicap": 5, "entering": 6, "endgame": 7}     # shares of the kinds of start
PLAYED_ON = ("entering", "endgame")     # starts whose games are not cut short, since their ends are what is missing

START_DEPTH = 3         # of the search that judges a start
BALANCE = 600           # centipawns: a start beyond is drawn again, unless it is a handicap
ATTEMPTS = 100          # at a start of one kind
EARLY_PLIES = 24        # from the start of a game: here moves are varied
STRAY = 0.15            # how often, and …
MARGIN = 60             # centipawns below the best that a move may be then, …
CHOICES = 4             # out of so many, …
STRAY_DEPTH = 4         # found by a search of this depth
LATE_PLY = 60           # from here on, positions may start later games
KEPT_FOR_STARTS = 0.05  # of those
POOL = 2000
REPORT_INTERVAL = (1, 60)   # seconds between two lines of progress on a terminal, and elsewhere


@dataclass(frozen=True)
class Recipe:
    """What the games depend on, chance apart."""

    depth: int | None
    nodes: int | None
    max_plies: int = 320
    decisive_score: int = 3000
    play_out: int = 10                                      # percent of the games
    mix: dict[str, int] = field(default_factory=lambda: dict(MIX))
    params: dict[str, int] = field(default_factory=dict)    # margins of the search that differ from the defaults
    hash_mb: int = 16
    openings: str = ""                                      # digest of them
    weights: str = MATERIAL                                 # digest of those evaluated by, or material alone


class Game(NamedTuple):
    """A game as a worker hands it over."""

    start: str          # a kind named in the mix
    end: End
    records: Records


class Starts:
    """Draws the positions that games begin with. Late ones come from what has been played before."""

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
        """A kind of start and a position that is not over and, a handicap apart, not decided."""
        kind = self.rng.choices(list(self.mix), list(self.mix.values()))[0]
        if kind in PLAYED_ON and not self.late:
            kind = "random"
        while True:
            for _ in range(ATTEMPTS):
                position = self._attempt(kind)
                if position is not None and not position.is_mate() and (kind == "handicap" or self._balanced(position)):
                    return kind, position
            kind = "random"         # for kings that find no place: this always succeeds in the end

    def _balanced(self, position: Position) -> bool:
        result = self.searcher.search(position, Limits(depth=START_DEPTH), Settings())
        return result.bestmove not in ("win", "resign") and abs(result.score) <= BALANCE

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
                return self._shaken(Position(self.rng.choice(HANDICAPS)), self.rng.randint(0, 4))
            case "entering":
                return self._entered(Position(self.rng.choice(self.late)))
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
        except ValueError:          # the side that is not to move would be in check
            return None


class Player:
    """Plays games, one after another, in this process."""

    def __init__(self, recipe: Recipe, openings: list[str], rng: Random, evaluation: str = MATERIAL) -> None:
        """`evaluation` is a name as eval.loading has it; what it raises is raised."""
        self.recipe = recipe
        self.rng = rng
        self.searcher = Searcher(recipe.hash_mb, 1, recipe.params, own_threads=False,
                                 tables=tables_named(evaluation))
        self.starts = Starts(openings, recipe.mix, self.searcher, rng)
        self.limits = Limits(depth=recipe.depth, nodes=recipe.nodes)
        self.settings = Settings(max_moves=recipe.max_plies, pv_interval=1 << 30)

    def play(self) -> Game:
        kind, position = self.starts.draw()
        position = Position(position.sfen)      # repetitions count from here: what came before was not searched
        played_out = kind in PLAYED_ON or self.rng.random() * 100 < self.recipe.play_out
        rules = Rules(self.recipe.max_plies, 0 if played_out else self.recipe.decisive_score)
        first = position.ply
        samples: list[Sample] = []
        scores: list[int] = []                  # from Black's side
        end: End
        while True:
            if over := ending(position, rules):
                winner, end = over
                break
            result = self.searcher.search(position, self.limits, self.settings)
            if result.bestmove == "win":
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
            position.push(self._stray(position) if stray else result.bestmove)
        return Game(kind, end, records(samples, winner))

    def _stray(self, position: Position) -> str:
        """One of the good moves."""
        lines: dict[str, Info] = {}

        def note(info: Info) -> None:
            lines[info.pv[0]] = info

        settings = Settings(multi_pv=CHOICES, pv_interval=1 << 30)
        result = self.searcher.search(position, Limits(depth=STRAY_DEPTH), settings, note)
        good = [move for move, info in lines.items()
                if info.depth == STRAY_DEPTH and info.score >= result.score - MARGIN]
        return self.rng.choice(good or [result.bestmove])


# -- Processes ---------------------------------------------------------------------------------------------------------

def _work(recipe: Recipe, openings: list[str], evaluation: str, seed: str, outlet: Connection) -> None:
    """A worker: hands over game after game, or the exception that stopped it, until nobody takes them any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError):
        try:
            player = Player(recipe, openings, Random(seed), evaluation)
            while True:
                outlet.send(player.play())
        except (OSError, ValueError, RuntimeError, MemoryError) as failure:
            outlet.send(failure)


@contextmanager
def workers(recipe: Recipe, openings: list[str], evaluation: str, seed: str,
            processes: int) -> Iterator[Iterator[Game]]:
    """The games that so many processes play, without end; with the block the processes end, too."""
    if processes < 1:
        raise ValueError(f"{processes} processes cannot play; give 1 or more")
    # Not forked: a child would inherit locks that the parent's search threads hold.
    context = multiprocessing.get_context("spawn")
    crew: dict[Connection, BaseProcess] = {}

    def arriving() -> Iterator[Game]:
        while True:
            for inlet in wait(list(crew)):
                assert isinstance(inlet, Connection)
                try:
                    game = inlet.recv()
                except EOFError:
                    crew[inlet].join()
                    raise RuntimeError(f"a worker ended with exit code {crew[inlet].exitcode}") from None
                if isinstance(game, Exception):
                    raise game
                yield game

    try:
        for number in range(processes):
            inlet, outlet = context.Pipe(duplex=False)
            process = context.Process(target=_work, daemon=True,
                                      args=(recipe, openings, evaluation, f"{seed}/{number}", outlet))
            process.start()
            crew[inlet] = process
            outlet.close()      # so that the worker's is the only one, and its end is seen
        yield arriving()
    finally:
        for worker in crew.values():
            worker.terminate()
        for worker in crew.values():
            worker.join()


class Progress:
    """Lines on stderr that say how far a run is."""

    def __init__(self, wanted: int, have: int) -> None:
        self.wanted = wanted
        self.began_with = have
        self.began = self.reported = time.monotonic()
        self.starts: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.searched = 0

    def note(self, game: Game, have: int) -> None:
        self.starts[game.start] += 1
        self.ends[game.end] += 1
        self.searched += len(game.records)
        terminal = sys.stderr.isatty()
        if time.monotonic() - self.reported >= REPORT_INTERVAL[not terminal]:
            self.reported = time.monotonic()
            print(self.line(have), end="\r" if terminal else "\n", file=sys.stderr, flush=True)

    def line(self, have: int) -> str:
        elapsed = time.monotonic() - self.began
        rate = (have - self.began_with) / elapsed if elapsed > 0 else 0
        left = (self.wanted - have) / rate if rate else 0
        again = 100 * (1 - (have - self.began_with) / self.searched) if self.searched else 0
        return (f"{have} of {self.wanted} positions, {self.ends.total()} games, {rate:.0f}/s, "
                f"{again:.1f} % seen before, {max(0, left) / 3600:.1f} h left")

    def summary(self, have: int) -> str:
        def listed(counts: Counter[str]) -> str:
            return ", ".join(f"{name} {count}" for name, count in counts.most_common())
        return f"{self.line(have)}\nstarts: {listed(self.starts)}\nends: {listed(self.ends)}"


def keep_recipe(path: Path, recipe: Recipe) -> None:
    """Write the recipe down beside the positions. ValueError if those that are there were made by another."""
    wanted = asdict(recipe)
    if path.exists():
        found = asdict(Recipe(**json.loads(path.read_text(encoding="utf-8"))))
        differing = [name for name in wanted if found[name] != wanted[name]]
        if differing:
            raise ValueError(f"{path} says that these positions differ in {', '.join(differing)}; name another file")
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")


def generate(out: Path, recipe: Recipe, openings: list[str], positions: int, processes: int, seed: int,
             evaluation: str = MATERIAL) -> str:
    """Play until the file holds so many positions; what happened, as text. The recipe holds digests of openings and
    weights. ValueError as `keep_recipe` has it, and as eval.loading has it for `evaluation`."""
    tables_named(evaluation)        # raises before anything is written
    file = SampleFile(out)
    keep_recipe(out.with_suffix(".json"), recipe)
    progress = Progress(positions, file.count)
    if file.count < positions:
        # The number of positions makes another seed of it when a run is continued.
        with workers(recipe, openings, evaluation, f"{seed}/{file.count}", processes) as games:
            for game in games:
                file.add(game.records)
                progress.note(game, file.count)
                if file.count >= positions:
                    break
    return progress.summary(file.count)


def assignments(text: str, known: dict[str, int]) -> dict[str, int]:
    """What `name=integer,…` says; ValueError, quoting the item, for a name that is not known."""
    values = {}
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        if name not in known or not value.lstrip("-").isdigit():
            raise ValueError(f"{item!r} does not read name=integer with one of {', '.join(known)}")
        values[name] = int(value)
    return values


def digest_of(weights: Path | None) -> str:
    return sha256(weights.read_bytes()).hexdigest() if weights else MATERIAL


def parse_arguments() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="NAME.psv or NAME.hcpe")
    parser.add_argument("--positions", type=int, required=True, help="how many the file is to hold in the end")
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument("--depth", type=int, help="of each search (6)")
    effort.add_argument("--nodes", type=int, help="of each search, instead")
    parser.add_argument("--processes", type=int, default=1, help="games played at the same time (1)")
    parser.add_argument("--openings", type=Path, nargs="+", default=[OPENINGS], help="files of `startpos moves …` or "
                        f"SFEN lines (default: {OPENINGS.name})")
    parser.add_argument("--mix", default="", metavar="KIND=SHARE,…", help="how often games start from each kind: "
                        + ", ".join(f"{kind} ({share})" for kind, share in MIX.items()))
    parser.add_argument("--eval", default="", metavar="FILE|material", help="weights to evaluate by, or material alone "
                        "(the packaged ones)")
    parser.add_argument("--params", default="", metavar="NAME=VALUE,…", help="margins of search/params.pyx that differ")
    parser.add_argument("--max-plies", type=int, default=Recipe.max_plies, help=f"then a draw ({Recipe.max_plies})")
    parser.add_argument("--decisive", type=int, default=Recipe.decisive_score, metavar="SCORE",
                        help=f"centipawns that decide a game ({Recipe.decisive_score})")
    parser.add_argument("--play-out", type=int, default=Recipe.play_out, metavar="PERCENT",
                        help=f"of the games, however decided ({Recipe.play_out})")
    parser.add_argument("--hash", type=int, default=Recipe.hash_mb, help=f"MB of each process ({Recipe.hash_mb})")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    given = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("generate: terminated; the same command continues"))
    try:
        openings = [opening for path in given.openings for opening in load(path)]
        depth = given.depth if given.depth or given.nodes else 6
        recipe = Recipe(depth, given.nodes, given.max_plies, given.decisive, given.play_out,
                        MIX | assignments(given.mix, MIX), assignments(given.params, DEFAULTS), given.hash,
                        sha256("\n".join(openings).encode()).hexdigest(), digest_of(weights_file(given.eval)))
        print(generate(given.out, recipe, openings, given.positions, given.processes, given.seed, given.eval))
    except (ValueError, OSError, RuntimeError) as error:
        sys.exit(f"generate: {error}")
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; the same command continues")


if __name__ == "__main__":
    main()
