"""The memory available to this process."""
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

MEMINFO = Path("/proc/meminfo")
PAGES = Path("/proc/self/statm")        # pages mapped in all, and as the sixth number those mapped for data
CGROUPS_OF_PROCESS = Path("/proc/self/cgroup")
CGROUPS = Path("/sys/fs/cgroup")
MEGABYTE = 1 << 20
TABLE_SHARE = 2         # a table gets at most 1 / this of the available memory


def available_megabytes() -> int:
    """The memory that this process can take without swapping, by the machine and its containers. If the system does not
    report the available memory, its total memory counts."""
    return min([_megabytes_of_machine(), *_left_by_containers(CGROUPS_OF_PROCESS, CGROUPS)])


def _megabytes_of_machine() -> int:
    if sys.platform == "win32":
        return _windows_megabytes()
    with suppress(OSError, KeyError):       # not Linux, or before 3.14
        fields = dict(line.split(":") for line in MEMINFO.read_text(encoding="ascii").splitlines())
        return int(fields["MemAvailable"].split()[0]) // 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MEGABYTE


def addressable_megabytes() -> int | None:
    """The address space that this process may still map, if limited by `ulimit -v` or `-d`; None if not limited or not
    known."""
    if sys.platform == "win32":
        return None
    try:
        pages = [int(word) for word in PAGES.read_text(encoding="ascii").split()]
    except OSError:
        return None
    import resource

    mapped = {resource.RLIMIT_AS: pages[0], resource.RLIMIT_DATA: pages[5]}
    left = [limit - used * resource.getpagesize() for kind, used in mapped.items()
            if (limit := resource.getrlimit(kind)[0]) != resource.RLIM_INFINITY]
    return max(min(left), 0) // MEGABYTE if left else None


def largest_table_megabytes() -> int:
    """The largest allowed size of a table in MB."""
    return max(1, available_megabytes() // TABLE_SHARE)


def _left_by_containers(cgroups_of_process: Path, root: Path) -> Iterator[int]:
    """The MB left to this process by each Linux control group that limits its memory: of version 2, and of version 1
    where that controls memory."""
    try:
        lines = cgroups_of_process.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            yield from _left_below(root, path, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            yield from _left_below(root / "memory", path, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                   "total_inactive_file")


def _left_below(root: Path, path: str, limit: str, usage: str, reclaimable: str) -> Iterator[int]:
    """The bytes left by a group and by each group around it. A container may see its own group at the root, whatever
    its path outside."""
    within = PurePosixPath(path.lstrip("/"))
    for group in dict.fromkeys((root / within, *(root / parent for parent in within.parents), root)):
        with suppress(OSError, ValueError):     # no file, or `max`: no limit
            most = int((group / limit).read_text(encoding="ascii"))
            used = int((group / usage).read_text(encoding="ascii"))
            statistics = dict(line.split() for line in (group / "memory.stat").read_text(encoding="ascii").splitlines())
            yield max(most - used + int(statistics.get(reclaimable, 0)), 0) // MEGABYTE


if sys.platform == "win32":
    import ctypes

    class _MemoryStatus(ctypes.Structure):
        """MEMORYSTATUSEX of sysinfoapi.h."""

        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load_percent", ctypes.c_uint32),
            ("physical", ctypes.c_uint64),
            ("physical_available", ctypes.c_uint64),
            ("committable", ctypes.c_uint64),
            ("committable_available", ctypes.c_uint64),
            ("virtual", ctypes.c_uint64),
            ("virtual_available", ctypes.c_uint64),
            ("extended_available", ctypes.c_uint64),
        )

    def _windows_megabytes() -> int:
        status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
        if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            raise ctypes.WinError()
        return int(min(status.physical_available, status.committable_available)) // MEGABYTE
