"""What a search reports, all together, and a position with much to report."""
from engine import Position
from search import Info, Limits, Result, Searcher, Settings

MIDDLE_GAME = "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62"


def infos_of(searcher: Searcher, position: Position, limits: Limits, **settings: object) -> tuple[Result, list[Info]]:
    heard: list[Info] = []
    return searcher.search(position, limits, Settings(**settings), heard.append), heard     # type: ignore
