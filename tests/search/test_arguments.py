"""Wrong arguments are refused with a message that names the argument: nothing is truncated, nothing crashes."""
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from engine import Position, sfen_faults
from engine.packed import move16, usi
from engine.records.game import Game
from engine.records.record import GameRecord
from eval.learning.learner import Learner
from eval.learning.network_learner import NetworkLearner
from eval.learning.samples import SAMPLE
from eval.material import worth
from search import MATERIAL, Clock, Limits, Searcher, SearcherPool, Settings, analyse
from search.mate import MateSolver, solve
from search.skill import Skill
from tests.each import each
from tt.table import TranspositionTable

ANY: Any = Position()       # whose types are not looked at here
NO_SFENS: list[Any] = [5, b"startpos", ["7g7f"]]
NO_SAMPLES = np.zeros(0, SAMPLE)
ORDER = np.zeros(0, np.uint32)


def searcher(**arguments: Any) -> Searcher:
    return Searcher(**{"hash_mb": 1, "evaluator": MATERIAL, **arguments})


@each(("call", "error", "message"), [
    (lambda: ANY.perft(1.5), TypeError, "depth=1.5"),
    (lambda: ANY.perft(None), TypeError, "depth=None"),
    (lambda: ANY.perft("3"), TypeError, "depth='3'"),
    (lambda: ANY.perft(-1), ValueError, "depth=-1: 0"),
    (lambda: ANY.perft(247), ValueError, "depth=247"),
    (lambda: ANY.divide(2.0), TypeError, "depth=2.0"),
    (lambda: ANY.divide(0), ValueError, "depth=0: 1"),
    (lambda: ANY.divide(10**10), ValueError, "depth=10000000000"),
    (lambda: ANY.hand(0.5), TypeError, "color=0.5"),
    (lambda: ANY.hand(2), ValueError, "^2 "),
    (lambda: ANY.pinned("b"), TypeError, "color='b'"),
    (lambda: ANY.pinned(2), ValueError, "^2 "),
    (lambda: ANY.attackers(55), TypeError, "square=55"),
    (lambda: ANY.attackers("55"), ValueError, "'55'"),
    *((partial(ANY.piece_at, square), TypeError, f"square={square}") for square in (None, 44)),
    *((partial(call, square), ValueError, f"^'{square}' ")
      for call in (ANY.piece_at, ANY.legal_moves) for square in ("", "7", "5j", "0a", "55e", "ee")),
    (lambda: ANY.legal_moves(77), TypeError, "77"),
    *((partial(call, wrong), TypeError, "usi=")
      for call in (ANY.push, ANY.is_legal, ANY.gives_check) for wrong in (None, 1, b"7g7f", ["7g7f"])),
    (ANY.copy().pop, IndexError, "no move"),
    (lambda: ANY.parse_move(None), TypeError, "text=None"),
    (lambda: ANY.format_move(None), TypeError, "usi=None"),
    (lambda: ANY.format_move("7g7f", None), TypeError, "notation=None"),
    (lambda: ANY.format_moves("7g7f"), TypeError, "moves='7g7f'"),
    (lambda: ANY.format_moves([None]), TypeError, "moves=None"),
    (lambda: ANY.can_declare(None), TypeError, "rule=None"),
    (lambda: ANY.can_declare("CSARule25"), ValueError, "'CSARule25'"),
    (lambda: ANY.svg(["5e5e"]), ValueError, "'5e5e'"),
    (lambda: ANY.svg(["1b1b"]), ValueError, "'1b1b'"),
    (lambda: ANY.svg("7g7f"), TypeError, "arrows='7g7f'"),
    (lambda: ANY.svg([None]), TypeError, "arrows=None"),
    (lambda: type(ANY).from_usi(None), TypeError, "text=None"),
    *((partial(Position, wrong), TypeError, "^sfen=") for wrong in NO_SFENS),
    (lambda: sfen_faults(None), TypeError, "sfen=None"),                        # type: ignore[arg-type]
    (lambda: move16(None), TypeError, "usi=None"),                # type: ignore[arg-type]
    (lambda: usi(1.5), TypeError, "move=1.5"),                                  # type: ignore[arg-type]
    (lambda: usi(1 << 16), ValueError, "move=65536: 65535"),
    (lambda: Game().play(None), TypeError, "text=None"),          # type: ignore[arg-type]
    (lambda: Game(GameRecord(moves=["7g7e"])), ValueError, "7g7e"),
    (lambda: setattr(Game(), "comment", None), TypeError, "comment=None"),
    (lambda: worth(1000), ValueError, "^1000 "),
    (lambda: searcher(hash_mb=0), ValueError, "hash_mb=0: 1"),
    (lambda: searcher(hash_mb=1.5), TypeError, "hash_mb=1.5"),
    (lambda: searcher(hash_mb=10**10), ValueError, "hash_mb=10000000000: 2147483647"),
    (lambda: searcher(hash_mb=None), TypeError, "hash_mb=None"),
    (lambda: searcher(threads=0), ValueError, "threads=0: 1"),
    (lambda: searcher(threads="2"), TypeError, "threads='2'"),
    (lambda: searcher(params={"rfp_beta": -1}), ValueError, "rfp_beta=-1: 0"),
    (lambda: searcher(params={"lmr_all_base": 0, "lmr_all_slope": 0}), ValueError, "lmr_all_base=0: 1"),
    *((lambda value=value: searcher(params={"rfp_beta": value}), TypeError,
       re.escape(f"rfp_beta={value!r}")) for value in (1.5, None, "3")),
    (lambda: searcher(params={"no_such": 1}), ValueError, "no_such"),
    (lambda: searcher().resize_hash(0), ValueError, "0 MB"),
    (lambda: searcher().resize_hash(2.0), TypeError, "megabytes=2.0"),  # type: ignore[arg-type]
    (lambda: searcher().set_threads(0), ValueError, "^0 threads"),
    (lambda: searcher().set_threads(1.0), TypeError, "threads=1.0"),  # type: ignore[arg-type]
    (lambda: searcher().prepare(Position(), Limits(nodes=1)).give_time(10**30), ValueError, "time=10+"),
    (lambda: searcher().prepare(Position(), Limits(nodes=1)).give_time("1"), TypeError, "time='1'"),  # type: ignore
    (lambda: searcher().prepare(Position(), Limits(), Settings(entering_king_rule="27")), ValueError,
     "'27'.*NoEnteringKing"),
    (lambda: TranspositionTable(0), ValueError, "0 MB"),
    (lambda: TranspositionTable(1, 0), ValueError, "threads=0: 1"),
    (lambda: TranspositionTable(1).clear(0), ValueError, "threads=0: 1"),
    (lambda: TranspositionTable(1).clear(1.5), TypeError, "threads=1.5"),       # type: ignore[arg-type]
    (lambda: SearcherPool(0), ValueError, "n=0: 1"),
    (lambda: TranspositionTable(1).clear(2000), ValueError, "threads=2000: 1"),
    (lambda: TranspositionTable(1, -1), ValueError, "threads=-1: 1"),
    (lambda: Limits(nodes=-5), ValueError, "nodes=-5: 1"),
    (lambda: Limits(nodes=0), ValueError, "nodes=0: 1"),
    (lambda: Limits(depth=-1), ValueError, "depth=-1: 1"),
    (lambda: Limits(movetime=-3), ValueError, "movetime=-3: 0"),
    (lambda: Clock(left=(1000, -1)), ValueError, re.escape("left=(1000, -1): 0")),
    (lambda: Clock(byoyomi=-1), ValueError, "byoyomi=-1: 0"),
    (lambda: Settings(multi_pv=0), ValueError, "multi_pv=0: 1"),
    (lambda: Settings(nodes_limit=-1), ValueError, "nodes_limit=-1: 0"),
    (lambda: analyse(Position()), ValueError, "without nodes, depth or movetime"),
    (lambda: analyse(Position(), depth=1, lines=0), ValueError, "lines=0: 1"),
    (lambda: MateSolver(1).solve(Position(), nodes=-1), ValueError, "nodes=-1"),
    (lambda: solve(Position(), movetime=-0.5), ValueError, "movetime=-0.5"),
    (lambda: Limits(depth="3"), TypeError, "depth='3'"),                        # type: ignore[arg-type]
    (lambda: Limits(depth=1.5), TypeError, "depth=1.5"),                        # type: ignore[arg-type]
    (lambda: Limits(nodes=1e6), TypeError, "nodes=1000000.0"),                  # type: ignore[arg-type]
    (lambda: Limits(nodes=1 << 63), ValueError, "nodes=9223372036854775808"),
    (lambda: Limits(movetime=0.5), TypeError, "movetime=0.5"),                  # type: ignore[arg-type]
    (lambda: Limits(movetime=1 << 63), ValueError, "movetime=9223372036854775808"),
    (lambda: Limits(searchmoves="7g7f"), TypeError, "searchmoves='7g7f'"),      # type: ignore[arg-type]
    (lambda: Limits(searchmoves=(None,)), TypeError, "searchmoves=None"),       # type: ignore[arg-type]
    (lambda: Limits(clock=5), TypeError, "clock=5"),                            # type: ignore[arg-type]
    (lambda: Limits(movetime=300, clock=Clock((1, 2))), ValueError,
     re.escape("movetime=300 and clock=Clock(left=(1, 2), increment=(0, 0), byoyomi=0)")),
    (lambda: Clock((1.5, 0)), TypeError, r"left=\(1.5, 0\)"),                   # type: ignore[arg-type]
    (lambda: Clock((1, 2, 3)), ValueError, r"left=\(1, 2, 3\)"),                # type: ignore[arg-type]
    (lambda: Clock(left=1000), ValueError, "left=1000"),      # type: ignore[arg-type]
    (lambda: Clock(left=None), ValueError, "left=None"),      # type: ignore[arg-type]
    (lambda: Clock(byoyomi=(1, 2)), TypeError, r"byoyomi=\(1, 2\)"),            # type: ignore[arg-type]
    (lambda: Limits(depth=(3, 4)), TypeError, r"depth=\(3, 4\)"),               # type: ignore[arg-type]
    (lambda: Settings(multi_pv=None), TypeError, "multi_pv=None"),              # type: ignore[arg-type]
    (lambda: Settings(draw_value=-2), ValueError, "draw_value=-2: give two"),   # type: ignore[arg-type]
    (lambda: Settings(draw_value=(1 << 40, 0)), ValueError, "draw_value="),
    (lambda: Settings(multi_pv=1.0), TypeError, "multi_pv=1.0"),                # type: ignore[arg-type]
    (lambda: Settings(max_moves=1 << 40), ValueError, "max_moves="),
    (lambda: Settings(entering_king_rule=None), TypeError, "entering_king_rule=None"),  # type: ignore[arg-type]
    (lambda: analyse(Position(), depth="3"), TypeError, "depth='3'"),           # type: ignore[arg-type]
    (lambda: analyse(Position(), depth=1, lines=2.0), TypeError, "lines=2.0"),  # type: ignore[arg-type]
    (lambda: analyse(Position(), depth=1, moves="7g7f"), TypeError, "searchmoves='7g7f'"),
    (lambda: MateSolver(0), ValueError, "hash_mb=0: 1"),
    (lambda: MateSolver(1.5), TypeError, "hash_mb=1.5"),                        # type: ignore[arg-type]
    (lambda: MateSolver(1).solve(Position(), nodes=1.5), TypeError, "nodes=1.5"),       # type: ignore[arg-type]
    (lambda: MateSolver(1).solve(Position(), movetime=1e300), ValueError, "movetime="),
    (lambda: MateSolver(1).solve(Position(), report_ms=-1), ValueError, "report_ms=-1"),
    (lambda: solve(Position(), hash_mb="64"), TypeError, "hash_mb='64'"),       # type: ignore[arg-type]
    (lambda: Skill.of_level(-3), ValueError, "level=-3.*0.*20"),
    (lambda: Skill.of_level(float("nan")), ValueError, "level=nan"),
    (lambda: NetworkLearner(seed=-1), ValueError, "seed=-1: 0"),
    (lambda: NetworkLearner().train(NO_SAMPLES, ORDER, np.zeros(0), batch=0), ValueError, "batch=0: 1"),
    (lambda: NetworkLearner().train(NO_SAMPLES, ORDER, np.zeros(0), threads=0), ValueError, "threads=0"),
    (lambda: NetworkLearner().values(NO_SAMPLES, threads=0), ValueError, "threads=0"),
    (lambda: Learner().values(NO_SAMPLES, threads=0), ValueError, "threads=0"),
    (lambda: Learner().train(np.zeros(9, SAMPLE), np.array([1, 400]), {}), IndexError, "sample 400 of 9"),
    (lambda: Learner().coefficients(NO_SAMPLES), ValueError, "no samples"),
])
def test_a_wrong_argument_is_named(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_numbers_of_numpy_are_whole_numbers() -> None:
    assert Position().perft(np.int64(2)) == 900     # type: ignore[arg-type]    # NumPy's integers will do
    assert analyse(Position(), depth=np.int32(1), searcher=searcher()).bestmove     # type: ignore[arg-type]
    assert Limits(nodes=np.int64(5)) == Limits(nodes=5)     # type: ignore[arg-type]    # NumPy's integers will do


def test_a_mate_search_without_nodes_ends_at_once() -> None:
    result = MateSolver(1).solve(Position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"), nodes=0)
    assert (result.outcome, result.nodes < 100) == ("timeout", True)


def test_divide_leaves_the_position_alone() -> None:
    """Another thread may look at it meanwhile."""
    position = Position()
    seen = set()

    class Spy(Position):
        def push(self, usi: str) -> None:
            seen.add(usi)
            super().push(usi)

    assert sum(position.divide(2).values()) == 900
    assert Spy().divide(1)
    assert not seen


def test_a_position_goes_on_beyond_the_largest_move_number() -> None:
    position = Position("4k4/9/9/9/9/9/9/9/4K4 b - 99998")
    for move in ("5i5h", "5a5b", "5h5i", "5b5a"):
        position.push(move)
    assert position.move_number == 100002
    assert position.sfen == "4k4/9/9/9/9/9/9/9/4K4 b - 99999"
    assert Position(position.sfen) == position
    assert analyse(position, depth=2, searcher=searcher()).bestmove in position.legal_moves()
