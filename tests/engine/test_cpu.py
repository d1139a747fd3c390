"""The processor check, with a processor that lacks something made by asking for more than there is."""
import pytest

from engine.cpu import BUILT_FOR, FEATURES, require


def test_what_runs_this_test_is_good_enough() -> None:
    require()


def test_what_a_lesser_processor_lacks_is_named() -> None:
    with pytest.raises(ImportError, match=r"this one lacks hyperdrive, warp: .*x86-64-v2") as error:
        require((*FEATURES, "hyperdrive", "warp"))
    assert BUILT_FOR in str(error.value)
    assert ", ".join(FEATURES) in str(error.value)
