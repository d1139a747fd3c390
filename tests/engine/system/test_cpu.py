"""The processor check. A build that requires more than this processor has stands for a lesser processor."""
import pytest

from engine.system.cpu import BUILT_FOR, FASTER, FEATURES, SUPPORTED, better, chosen, require


def test_what_runs_this_test_is_good_enough() -> None:
    require()


def test_what_a_lesser_processor_lacks_is_named() -> None:
    with pytest.raises(ImportError, match=r"this one lacks hyperdrive, warp: .*x86-64-v2") as error:
        require((*FEATURES, "hyperdrive", "warp"))
    assert BUILT_FOR in str(error.value)
    assert ", ".join(FEATURES) in str(error.value)


def test_which_of_two_builds_is_faster() -> None:
    assert better(SUPPORTED, False)
    assert not better((*SUPPORTED, "hyperdrive"), False)
    assert better((), True)
    assert not better(("bmi2",), True)


def test_where_modules_are_looked_for() -> None:
    """A module is taken from the folder for better processors first, if there is one for this processor."""
    *faster, own = chosen(["/somewhere/engine"])
    assert own == "/somewhere/engine"
    assert len(faster) == FASTER
