"""Nodes of the mate search: interpositions that gain nothing."""
import pytest

from engine import Position
from search.mate import MateSolver


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
