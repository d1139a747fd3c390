"""The mate solver against exhaustive searches and cshogi: no mate that is none, and none missed."""
import signal
import threading
import time
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine import Position
from search.mate import MateInfo, MateResult, MateSolver
from tests.each import each
from tests.faults import refused
from tests.references import fault, mates
from tests.search_probes import shortest_mate

PROBLEMS = Path(__file__).parent / "data" / "problems.tsv"
HARD = "3g1n1l1/2p1g1r2/5k2S/4p1N+R1/3+p5/7N1/B8/9/9 b 2GSNb2s3l15p 1"      # 11 plies and many interpositions
def problems() -> list[tuple[str, int]]:
    rows = [line.split("\t") for line in PROBLEMS.read_text(encoding="ascii").splitlines() if line[0] != "#"]
    return [(sfen, int(plies)) for sfen, plies in rows]


# -- Against what is known ---------------------------------------------------------------------------------------------

def test_problems_have_their_shortest_mate(solver: MateSolver) -> None:
    for sfen, plies in problems():
        result = solver.solve(Position(sfen))
        assert (result.outcome, len(result.moves), result.shortest) == ("mate", plies, True), sfen
        assert fault(sfen, result.moves) == "", sfen


def test_a_promotion_is_made_where_it_mates_as_well(solver: MateSolver) -> None:
    promoted = 0
    for sfen, _ in problems():
        position = Position(sfen)
        for move in solver.solve(position).moves:
            promoted += move.endswith("+")
            if "*" not in move and not move.endswith("+") and position.is_legal(f"{move}+"):
                mated = position.copy()
                mated.push(f"{move}+")
                assert not mated.is_mate(), (sfen, move)
            position.push(move)
    assert promoted


@pytest.mark.slow
def test_no_length_is_claimed_that_an_answer_refutes() -> None:
    """A smoke problem, at a limit of nodes that breaks off the search for a shorter mate."""
    smoke = "k1+P4n1/2L+P2sL1/r4+P+P1P/+BpP+Pl1+Rg1/NP1S+PP+p1g/2L+p1g+P1+P/Ps1G1+P1N1/1sN1P4/B8 b - 1"
    heard: list[MateInfo] = []
    result = MateSolver(256).solve(Position(smoke), nodes=4_713_000, on_info=heard.append)
    assert result.outcome == "mate"
    assert len(result.moves) >= 117
    assert result.plies >= 117
    assert all(not info.mate or len(info.mate) >= 117 for info in heard)
    assert fault(smoke, result.moves) == ""


def test_mates_from_games(solver: MateSolver) -> None:
    for plies, sfens in mates().items():
        for sfen in sfens:
            result = solver.solve(Position(sfen))
            assert len(result.moves) == plies, sfen
            assert fault(sfen, result.moves) == "", sfen


@pytest.mark.parametrize(("sfen", "plies"), [
    pytest.param("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1, id="no king of the attacker's"),
    pytest.param("7lk/7p1/9/7N1/9/9/9/9/4K4 b P 1", 0, id="no mate by a dropped pawn"),
    pytest.param("7lk/7p1/8P/7N1/9/9/9/9/4K4 b - 1", 1, id="by a pawn that moves"),
    pytest.param("4k4/9/9/9/9/9/9/9/4K4 b - 1", 0, id="nothing to check with"),
    pytest.param("9/9/9/9/9/9/9/9/4K4 b 2G 1", 0, id="no king to mate"),
    pytest.param("5+B1k1/5pP2/7+bp/7N1/4+p1p2/7N1/7+R1/9/9 b Nr4g4sn4l13p 1", 0, id="a quiet move wins, checks do not"),
])
def test_known(solver: MateSolver, sfen: str, plies: int) -> None:
    result = solver.solve(Position(sfen))
    assert (result.outcome, len(result.moves)) == ("mate" if plies else "nomate", plies)


def wander(rng: Random, position: Position, plies: int) -> None:
    """Random moves, many of them checks and drops."""
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            position.pop()
            return
        checks = [move for move in moves if position.gives_check(move)]
        drops = [move for move in moves if "*" in move]
        position.push(rng.choice(rng.choice([moves, moves, checks or moves, drops or moves])))


@pytest.mark.parametrize(("seed", "games", "mates"), [(1, 12, 5), pytest.param(2, 4000, 1000, marks=pytest.mark.slow)])
def test_positions_of_games_against_the_exhaustive_search(solver: MateSolver, seed: int, games: int,
                                                          mates: int) -> None:
    """To 5 plies, on 25 positions of each random game."""
    rng = Random(seed)
    found = 0
    for _ in range(games):
        position = Position()
        wander(rng, position, 70)
        for _ in range(25):
            wander(rng, position, rng.randint(1, 5))
            result = solver.solve(Position(position.sfen), nodes=200_000)
            expected = shortest_mate(position, 5)
            found += expected > 0
            if expected:
                assert (len(result.moves), result.shortest) == (expected, True), position.sfen
            else:
                assert not result.moves or len(result.moves) > 5, position.sfen
            assert not result.moves or fault(position.sfen, result.moves) == "", position.sfen
    assert found > mates


# -- Limits, and what is asked for -------------------------------------------------------------------------------------

def test_a_table_far_too_small_costs_time_but_no_truth() -> None:
    small = MateSolver(hash_mb=1)
    for sfen, plies in problems():
        result = small.solve(Position(sfen), refine_ms=0)
        assert result.outcome == "mate", sfen
        assert len(result.moves) >= plies
        assert result.plies >= len(result.moves)
        assert fault(sfen, result.moves) == "", sfen
    full = small.solve(Position(HARD), nodes=300_000)
    assert full.hashfull > 300
    assert full.outcome != "nomate"


@pytest.mark.parametrize("nodes", [1, 100, 5_000, 10_000])
def test_nodes_end_the_work(solver: MateSolver, nodes: int) -> None:
    """The node that was begun before the limit is finished: a move for each child, and a few more behind it."""
    result = solver.solve(Position(HARD), nodes=nodes)
    assert result.outcome == solver.solve(Position(HARD), movetime=0).outcome == "timeout"
    assert nodes <= result.nodes < nodes + 300


def test_stop_ends_the_work(solver: MateSolver) -> None:
    results: list[MateResult] = []
    working = threading.Event()
    stops = solver.stops
    thread = threading.Thread(target=lambda: results.append(solver.solve(
        Position(HARD), on_info=lambda _: working.set(), report_ms=1, stops=stops)))
    thread.start()
    assert working.wait(60)
    solver.stop()
    thread.join(60)
    assert [result.outcome for result in results] in (["timeout"], ["mate"])
    assert not results[0].shortest
    fresh = MateSolver(hash_mb=16)      # which has no memory yet
    fresh.stop()
    assert fresh.stops == 1
    assert fresh.solve(Position(HARD), stops=0).outcome == "timeout", "a stop before the work is heeded"
    with refused(name="nodes", number=-1, least=...):
        fresh.solve(Position(HARD), nodes=-1, stops=1)
    fresh.stop()
    easy = Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    assert fresh.solve(easy, stops=1).outcome == "timeout", "also after a refusal"
    assert fresh.solve(easy, stops=2).outcome == fresh.solve(easy).outcome == "mate", "once"


def test_the_time_runs_from_when_it_was_asked_for(solver: MateSolver) -> None:
    long_ago = time.perf_counter_ns() - 10**12
    found = solver.solve(Position(HARD), movetime=10**6 - 1000, asked_at=long_ago)
    assert found.outcome == "timeout"
    assert found.time_ms >= 10**6


def test_one_problem_at_a_time(solver: MateSolver) -> None:
    """A second one would empty the table that the first is using."""
    refusals: list[str] = []

    def ask_again(_: MateInfo) -> None:
        with pytest.raises(RuntimeError, match="solving another problem") as refused:
            solver.solve(Position(HARD))
        refusals.append(str(refused.value))
        solver.stop()

    assert solver.solve(Position(HARD), on_info=ask_again, report_ms=1).outcome == "timeout"
    assert refusals
    assert solver.solve(Position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")).moves == ("G*5b",)


def test_reports_tell_of_the_work(solver: MateSolver) -> None:
    infos: list[MateInfo] = []
    solver.solve(Position(HARD), nodes=200_000, on_info=infos.append, report_ms=1)
    assert infos
    assert [info.nodes for info in infos] == sorted(info.nodes for info in infos)
    for info in infos:
        position = Position(HARD)
        for move in info.path:
            position.push(move)
        assert info.mate == ()


def test_excluded_moves_do_not_begin_the_line(solver: MateSolver) -> None:
    sfen = "4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1"
    first = solver.solve(Position(sfen))
    others = solver.solve(Position(sfen), excluded=first.moves[:1])
    assert others.moves[:1] != first.moves[:1]
    checks = [move for move in Position(sfen).legal_moves() if Position(sfen).gives_check(move)]
    assert solver.solve(Position(sfen), excluded=checks).outcome == "nomate"


def test_a_proof_without_some_moves_is_not_taken_for_one_with_them(solver: MateSolver) -> None:
    for plies, sfens in mates().items():
        for sfen in sfens[:10]:
            position = Position(sfen)
            first = solver.solve(position).moves[0]
            others = solver.solve(position, excluded=(first,), nodes=500_000)
            alternatives = set()
            for move in position.legal_moves():
                if move != first and position.gives_check(move):
                    position.push(move)
                    if all(answered(position, answer, plies - 2) for answer in position.legal_moves()):
                        alternatives.add(move)
                    position.pop()
            if alternatives:
                assert len(others.moves) == plies, sfen
                assert others.moves[0] in alternatives, sfen
            else:
                assert not others.moves or len(others.moves) > plies, sfen


def answered(position: Position, answer: str, plies: int) -> bool:
    position.push(answer)
    try:
        return plies > 0 and shortest_mate(position, plies) > 0
    finally:
        position.pop()


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="needs the processor time of a thread")
def test_ctrl_c_ends_a_solver_that_reports_nothing(solver: MateSolver) -> None:
    """The signal comes once the solver is busy, which shows in the processor time of this thread."""
    thread = threading.get_ident()
    clock = time.pthread_getcpuclockid(thread)
    before = time.clock_gettime(clock)

    def interrupt() -> None:
        while time.clock_gettime(clock) < before + 0.2:
            time.sleep(0.01)
        signal.pthread_kill(thread, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        solver.solve(Position(HARD), nodes=20_000_000)      # some seconds, and it goes on beyond the first mate
    assert solver.solve(Position(mates()[1][0])).outcome == "mate"


# -- Nodes of the mate search: -----------------------------------------------------------------------------------------

@pytest.mark.parametrize(("sfen", "plies", "counted"), [
    pytest.param("8k/5pppl/9/9/9/9/9/9/4K4 b Rps 1", 0, 0, id="the silver that comes between stays"),
    pytest.param("3R1B1k1/9/6L2/9/9/9/9/9/9 b Rb4g4s4n3l18p 1", 1, 3, id="one is taken again"),
    pytest.param("7k1/6P2/2R4S1/6G2/9/9/9/9/9 b Pr2b3g3s4n4l16p 1", 1, 7, id="three are"),
    pytest.param("8k/9/6NG1/9/9/9/8p/9/8L b 2r2b3g4s3n3l17p 1", 1, 11, id="before a lance that may promote"),
    pytest.param("8k/9/6NG1/9/8p/8L/9/9/9 b 2r2b3g4s3n3l17p 1", 1, 7, id="that does promote"),
    pytest.param("l8/9/P8/9/9/9/1gn6/9/K8 w 2R2B3G4S3N3L17P 1", 1, 11, id="White's lance"),
    pytest.param("8k/9/6NG1/9/9/9/8p/9/8R b r2b3g4s3n4l17p 1", 1, 11, id="before a rook"),
    pytest.param("6R2/7S1/8S/8k/6B2/9/9/9/9 b rb4g2s4n4l18p 1", 3, 5, id="at the end of a line"),
])
def test_useless_interpositions(solver: MateSolver, sfen: str, plies: int, counted: int) -> None:
    assert len(solver.solve(Position(sfen), end_early=True).moves) == plies
    assert len(solver.solve(Position(sfen)).moves) == counted


@each("kind", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.float32, float, int])
def test_a_time_limit_may_be_any_number(kind: type) -> None:
    """Nanoseconds do not fit into most integers of NumPy."""
    easy = Position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")
    assert MateSolver(hash_mb=1).solve(easy, movetime=kind(120), refine_ms=kind(120)).outcome == "mate"


@each("wrong", ["3000", 1j, Position()])
def test_a_time_limit_is_a_number(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"movetime=.*: give a number, not"):
        MateSolver(hash_mb=1).solve(Position(), movetime=wrong)  # type: ignore[arg-type]
