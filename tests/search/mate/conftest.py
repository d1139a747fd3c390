"""A solver for the tests of the mate search."""
import pytest

from search.mate import MateSolver


@pytest.fixture(scope="module")
def solver() -> MateSolver:
    return MateSolver(hash_mb=16)
