"""Each step of the search can be switched off, does something while it is on, and breaks nothing by itself."""
from functools import cache

from engine import MATE, Position
from eval.evaluator import Evaluator
from eval.loading import load_evaluator
from search import MATERIAL, Limits, Searcher, Settings
from search.bench import positions
from search.parameters import DEFAULTS, SWITCH
from tests.each import each
from tests.references import mates

SWITCHES = sorted(name for name in DEFAULTS if name.startswith(SWITCH))
# This one acts only where the tree has a repetition; test_path_guard.py shows that it does.
BY_REPETITION = {"use_ghi_guard"}
POSITIONS = [
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "ln1gk2nl/1r1s2gb1/p1pppp1pp/1p4p2/9/2P4P1/PP1PPPP1P/1BGS2SR1/LN2KG1NL b S 21",
]


@cache
def network() -> Evaluator:
    return load_evaluator()


def nodes_of(**params: int) -> list[int]:
    searcher = Searcher(hash_mb=8, params=params, evaluator=network())
    return [searcher.search(Position(sfen), Limits(depth=8), Settings()).nodes for sfen in POSITIONS]


@cache
def nodes_by_default() -> list[int]:
    return nodes_of()


@each("switch", [name for name in SWITCHES if name not in BY_REPETITION])
def test_every_step_shapes_the_tree(switch: str) -> None:
    assert DEFAULTS[switch] == 1
    assert nodes_of(**{switch: 0}) != nodes_by_default()


@each("switch", SWITCHES)
def test_no_step_claims_a_mate_that_is_none(switch: str) -> None:
    """No mate is announced that is shorter than the problem's, with one step alone and with all but that one."""
    alone = {name: int(name == switch) for name in SWITCHES}
    for params in (alone, {switch: 0}):
        searcher = Searcher(hash_mb=4, params=params, evaluator=MATERIAL)
        for plies in (3, 5):
            for sfen in mates()[plies][:2]:
                result = searcher.search(Position(sfen), Limits(nodes=1500), Settings())
                assert MATE - result.score >= plies


def test_reductions_save_nodes() -> None:
    def nodes(**params: int) -> int:
        searcher = Searcher(hash_mb=8, params=params, evaluator=MATERIAL)
        return sum(searcher.search(Position(sfen), Limits(depth=8), Settings()).nodes for sfen in positions()[:8])

    assert nodes(use_lmr=0) > 2 * nodes()


@each("sfen", [
    "ln1gkgsnl/2s2r1b1/1pppp2pp/p4pp2/4B4/P1P6/1P1PPPPPP/2GS1S1R1/LN2KG1NL w - 1",
    "lnsgkgbnl/1r7/p1pp1pspp/4p1p2/1p5P1/2P3P2/PPSPPP2P/1B4SR1/LN1GKG1NL w - 1",
    "lnsgkg1nl/5r3/1ppppsbpp/p4pp2/4B2P1/P1P3P2/1P1PPP2P/3K1S1R1/LNSG1G1NL w - 1",
    "lnsgk2nl/1r3sg2/p2pp1bp1/2p2pp1p/1p5P1/P1PP2PR1/1PB1PP2P/3S1S3/LN1GKG1NL w - 1",
])
def test_a_threat_that_a_late_move_parries_wins_nothing(sfen: str) -> None:
    """The first quiet answers lose a large piece. Late-move pruning must not prune the one that saves it."""
    searcher = Searcher(hash_mb=4, evaluator=MATERIAL)
    assert searcher.search(Position(sfen), Limits(depth=4), Settings()).score < 500
