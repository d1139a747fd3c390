"""Sessions of random USI commands in random order, with garbled lines, which end in every possible way."""
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence

from engine import Position
from scripts.games.openings import OPENINGS, load
from tests.fuzz.checked_engine import CheckedEngine
from tests.fuzz.protocol_model import Violation
from usi.session.options import OPTIONS, Button, Check, Combo, Spin

COMMANDS = 60           # in a session
SMALL = {"USI_Hash": 16, "Threads": 3, "MultiPV": 5}    # no more than this: the machine does other things as well
FILES = {"EvalFile": ("material", "<empty>", "absent"), "EvalDir": ("<empty>", "absent"),
         "BookFile": ("no_book", "<empty>", "absent"), "BookDir": ("book", "absent"),
         "DebugLogFile": ("log", "<empty>", "absent/log", "/dev/full")}
NOT_GARBLED = (*SMALL, *FILES)      # a digit more, and it costs gigabytes; a letter less, and files lie anywhere
SETUPS = (
    "startpos", "sfen 4k4/9/9/9/9/9/4g4/4g4/4K4 b - 1", "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    "sfen 1K7/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/4k4/9 b 2R2B4G 1",
    "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "sfen 9/4K4/9/9/9/9/9/9/k8 b - 1", "sfen 8k/9/9/9/7R1/9/9/9/K8 b 2g2s 1", "sfen 9/9/9/9/9/9/9/9/9 b - 1",
    "sfen 4k4/9/9/9/9/9/9/9/9 b RB2G 1", "sfen lnsgkgsnl/9 b - 1",
)


class Generator:
    """Lines to send, as bytes."""

    def __init__(self, rng: random.Random, openings: list[str]) -> None:
        self.rng = rng
        self.openings = openings

    def command(self) -> bytes:
        """One command, now and then garbled, with the end of its line."""
        makers = {
            self._position: 6, self._go: 10, self._setoption: 5, lambda: "stop": 6, self._ponderhit: 5,
            lambda: "isready": 2, lambda: "usinewgame": 1, lambda: "usi": 1, self._gameover: 2, lambda: "eval": 1,
            self._question: 3, lambda: "": 1, lambda: "position": 1, self._noise: 1,
        }
        line = self.rng.choices(list(makers), list(makers.values()))[0]()
        raw = line.encode("utf-8", "surrogateescape")
        if self.rng.random() < 0.1 and not any(name in line for name in NOT_GARBLED):
            raw = self._garbled(raw)
        return raw + self.rng.choice([b"\n"] * 8 + [b"\r\n", b" \t\n"])

    def _position(self) -> str:
        rng = self.rng
        head = rng.choice(SETUPS) if rng.random() < 0.4 else rng.choice(self.openings)
        if "moves" not in head:
            head += " moves"
        try:
            position = Position.from_usi(head)
        except ValueError:
            return f"position {head}"
        moves: list[str] = []
        for _ in range(rng.randrange(30)):
            legal = position.legal_moves()
            if not legal:
                break
            moves.append(rng.choice(legal))
            position.push(moves[-1])
        if rng.random() < 0.05:
            moves.append("5i5a+")
        return f"position {head} {' '.join(moves)}"

    def _go(self) -> str:
        rng = self.rng
        forms = [
            "", "infinite", "ponder", "mate", "mate infinite", f"mate {rng.randrange(300)}",
            f"depth {rng.randrange(7)}", f"nodes {rng.randrange(3000)}", f"movetime {rng.randrange(200)}",
            f"rtime {rng.randrange(100)}", f"perft {rng.randrange(1, 4)}", self._clock(),
            f"ponder {self._clock()}", f"searchmoves 7g7f 2g2f 8c8d 5a5b nodes {rng.randrange(1000)}",
            "infinite searchmoves 3c3d 7g7f", "ponder infinite", "ponder mate 50", f"{self._clock()} depth 3",
        ]
        return f"go {rng.choice(forms)}"

    def _clock(self) -> str:
        rng = self.rng
        clock = f"btime {rng.randrange(2000)} wtime {rng.randrange(2000)}"
        return rng.choice([
            clock, f"{clock} byoyomi {rng.randrange(200)}", f"byoyomi {rng.randrange(300)}",
            f"{clock} binc {rng.randrange(100)} winc {rng.randrange(100)}", "btime 0 wtime 0 byoyomi 50",
        ])

    def _ponderhit(self) -> str:
        return "ponderhit" if self.rng.random() < 0.5 else f"ponderhit {self._clock()}"

    def _gameover(self) -> str:
        return self.rng.choice(["gameover", "gameover win", "gameover lose", "gameover draw"])

    def _question(self) -> str:
        words = ["side", "moves", "key", "d", "getoption", f"getoption {self.rng.choice(OPTIONS).name}", "getoption no"]
        return self.rng.choice(words)

    def _setoption(self) -> str:
        rng = self.rng
        option = rng.choice(OPTIONS)
        head = f"setoption name {rng.choice([option.name, option.name.upper(), option.name.lower()])}"
        if isinstance(option, Button):
            return head
        if isinstance(option, Spin):
            most = SMALL.get(option.name, option.maximum)
            value = str(rng.choice([option.minimum, most, rng.randint(option.minimum, most), option.minimum - 1]))
        elif isinstance(option, Check):
            value = rng.choice(["true", "false", "1", "0", "yes"])
        elif isinstance(option, Combo):
            value = rng.choice([*option.choices, "other"])
        else:
            value = rng.choice(FILES[option.name])
        return f"{head} value {value}"

    def _noise(self) -> str:
        return self.rng.randbytes(self.rng.randrange(200)).decode("utf-8", "surrogateescape").replace("\n", "")

    def _garbled(self, raw: bytes) -> bytes:
        rng = self.rng
        mutable = bytearray(raw or b" ")
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(mutable) + 1)
            match rng.randrange(4):
                case 0:
                    mutable[place:place + rng.randrange(1, 8)] = b""
                case 1:
                    mutable[place:place] = rng.randbytes(rng.randrange(1, 4))
                case 2:
                    mutable[place:place + 1] = rng.choice([b" ", b"\t", b"-", b"0", b"+", b"\r", b"\xff"])
                case _:
                    mutable[place:place] = mutable[:place][-rng.randrange(1, 8):]
        return bytes(mutable).replace(b"quit", b"")


def session(engine: CheckedEngine, generator: Generator, counts: Counter[str]) -> None:
    """Run one engine process until it ends in one of the possible ways."""
    rng = generator.rng
    engine.tell(b"setoption name USI_Hash value 4\nsetoption name Threads value 1\n")
    engine.settle()     # past its start, where a signal ends it in another way
    for _ in range(COMMANDS):
        raw = generator.command()
        if rng.random() < 0.05:         # in two pieces
            engine.tell(raw, cut=rng.randrange(len(raw)))
        else:
            engine.tell(raw)
        counts["commands"] += 1
        if rng.random() < 0.5:
            time.sleep(rng.choice([0.001, 0.01, 0.05]))
        if rng.random() < 0.1:
            engine.settle()
            counts["settled"] += 1
    if rng.random() < 0.5:
        engine.settle()
    counts["lines"] += sum(line.startswith(">") for line in engine.transcript)
    counts["answers"] += sum(line.startswith(("> 'bestmove", "> 'checkmate")) for line in engine.transcript)
    how = rng.choice(["quit", "quit", "end of input", "SIGINT", "SIGTERM", "SIGKILL"])
    counts[how] += 1
    engine.end(how)


def run_sessions(words: Sequence[str], seconds: float, seed: int, sessions: int | None) -> Counter[str]:
    """Run sessions with the engine of this command until the time is up; what was counted. Violation, with the
    transcript's end, at the first fault."""
    begin = time.monotonic()
    openings = load(OPENINGS)
    counts: Counter[str] = Counter()
    while time.monotonic() - begin < seconds and counts["sessions"] != sessions:
        with tempfile.TemporaryDirectory() as folder:
            engine = CheckedEngine(list(words), folder)
            try:
                session(engine, Generator(random.Random(f"{seed} {counts['sessions']}"), openings), counts)
            except Violation as violation:
                engine.kill()
                transcript = "\n".join(line[:300] for line in engine.transcript[-80:])
                errors = engine.stderr
                raise Violation(f"session {counts['sessions']} of seed {seed}: {violation}\n{transcript}\n{errors}") \
                    from None
            finally:
                engine.kill()
        counts["sessions"] += 1
    return counts
