"""Iterative deepening: aspiration windows."""
from engine import Position
from search import MATERIAL, Info, Limits, Searcher, Settings

MIDDLE_GAME = "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62"


def test_a_window_that_is_missed_opens_until_the_score_is_inside() -> None:
    """However narrow it is at first. Each miss is reported as a bound, then the score."""
    infos: list[Info] = []
    searcher = Searcher(hash_mb=4, params={"aspiration_window": 1, "aspiration_square": 32_000}, evaluator=MATERIAL)
    searcher.search(Position(MIDDLE_GAME), Limits(depth=7), Settings(), on_info=infos.append)
    assert {info.bound for info in infos} == {"exact", "lower", "upper"}
    ends = [info for info, after in zip(infos, [*infos[1:], None], strict=True)
            if after is None or after.depth > info.depth]
    assert [(info.depth, info.bound) for info in ends] == [(depth, "exact") for depth in range(1, 8)]
