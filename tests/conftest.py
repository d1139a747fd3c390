"""Says at the head of every run which build is tested: the one in place, or the one that `make debug` made."""
from pathlib import Path

import pytest

import engine
from engine.cpu import BUILT_FOR, DEBUG


def pytest_report_header(config: pytest.Config) -> str:
    return f"engine: {'debug' if DEBUG else 'release'} build for {BUILT_FOR} in {Path(engine.__file__).parent}"
