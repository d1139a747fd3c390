"""The memory reported as available."""
import os
import resource
import sys
from pathlib import Path

import pytest

from engine.system import memory


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux's own figures")
def test_no_more_than_the_machine_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    assert 0 < memory.available_megabytes() < most
    told = tmp_path / "meminfo"
    monkeypatch.setattr(memory, "MEMINFO", told)
    assert memory.available_megabytes() == most         # Unix that has no such file
    told.write_text("MemTotal:       24622080 kB\nMemAvailable:   12582912 kB\n", encoding="ascii")
    assert memory.available_megabytes() == 12288
    told.write_text("MemTotal:       24622080 kB\nMemFree:        12582912 kB\n", encoding="ascii")
    assert memory.available_megabytes() == most         # a kernel before 3.14


@pytest.mark.skipif(sys.platform == "linux", reason="asked of Linux above")
def test_what_other_systems_say() -> None:
    assert 64 < memory.available_megabytes() < 1 << 24


def cgroup(folder: Path, limit: str, limited: str, used: str, cached: str) -> None:
    """A control group that limits memory: files of these names, in MB."""
    folder.mkdir(parents=True, exist_ok=True)
    limit_name, used_name, cached_name = (
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file") if limit == "v1" else
        ("memory.max", "memory.current", "inactive_file"))
    (folder / limit_name).write_text("max\n" if limited == "max" else f"{int(limited) << 20}\n", encoding="ascii")
    (folder / used_name).write_text(f"{int(used) << 20}\n", encoding="ascii")
    (folder / "memory.stat").write_text(f"anon 5\n{cached_name} {int(cached) << 20}\n", encoding="ascii")


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux's own figures")
@pytest.mark.parametrize(("version", "line"), [("v1", "4:memory,cpu:/docker/abc\n0::/"), ("v2", "0::/docker/abc\n")])
@pytest.mark.parametrize(("seen_as", "limits", "left"), [
    (("docker/abc",), (("600", "200", "50"),), 450),        # what is cached can be given up
    (("", "docker"), (("max", "900", "0"), ("300", "200", "0")), 100),      # that of a group around it
    (("",), (("512", "12", "0"),), 500),                    # a container that sees its own group at the root
    (("docker/abc",), (("100", "300", "0"),), 0),           # more than allowed, for a moment
    ((), (), 12288),
])
def test_the_limits_of_containers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, line: str,
                                  seen_as: tuple[str, ...], limits: tuple[tuple[str, str, str], ...],
                                  left: int) -> None:
    (tmp_path / "meminfo").write_text("MemTotal: 24622080 kB\nMemAvailable: 12582912 kB\n", encoding="ascii")
    (tmp_path / "of_process").write_text(line, encoding="ascii")
    root = tmp_path / "cgroups"
    for folder, (limited, used, cached) in zip(seen_as, limits, strict=True):
        cgroup((root / "memory" if version == "v1" else root) / folder, version, limited, used, cached)
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "CGROUPS_OF_PROCESS", tmp_path / "of_process")
    monkeypatch.setattr(memory, "CGROUPS", root)
    assert memory.available_megabytes() == left
    assert memory.largest_table_megabytes() == max(1, left // 2)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell what is mapped")
@pytest.mark.parametrize(("limits", "left"), [
    ({}, None), ({"AS": 1000}, 700), ({"DATA": 500}, 400), ({"AS": 1000, "DATA": 500}, 400), ({"AS": 100}, 0),
])
def test_the_limits_of_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: dict[str, int],
                             left: int | None) -> None:
    """300 MB are mapped here, 100 of them for data."""
    pages = [megabytes * memory.MEGABYTE // resource.getpagesize() for megabytes in (300, 50, 20, 4, 0, 100, 0)]
    (tmp_path / "statm").write_text(" ".join(map(str, pages)), encoding="ascii")
    set_limits = {getattr(resource, f"RLIMIT_{name}"): most << 20 for name, most in limits.items()}
    monkeypatch.setattr(memory, "PAGES", tmp_path / "statm")
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (set_limits.get(kind, resource.RLIM_INFINITY), 0))
    assert memory.addressable_megabytes() == left
    monkeypatch.setattr(memory, "PAGES", tmp_path / "none")
    assert memory.addressable_megabytes() is None
