"""How much memory is said to be had."""
import os
import sys
from pathlib import Path

import pytest

from tt import memory


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux's own figures")
def test_no_more_than_the_machine_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    assert 0 < memory.available_megabytes() < most
    told = tmp_path / "meminfo"
    monkeypatch.setattr(memory, "MEMINFO", told)
    assert memory.available_megabytes() == most         # Unix that has no such file
    told.write_text("MemTotal:       24622080 kB\nMemAvailable:   12582912 kB\n", encoding="ascii")
    assert memory.available_megabytes() == 12288


@pytest.mark.skipif(sys.platform == "linux", reason="asked of Linux above")
def test_what_other_systems_say() -> None:
    assert 64 < memory.available_megabytes() < 1 << 24
