"""How much memory there is to be had."""
import os
import sys
from pathlib import Path

MEMINFO = Path("/proc/meminfo")
MEGABYTE = 1 << 20


def available_megabytes() -> int:
    """Memory that a program may take now without swapping; what the machine has in all where this is not told."""
    if sys.platform == "win32":
        return _windows_megabytes()
    try:
        fields = dict(line.split(":") for line in MEMINFO.read_text(encoding="ascii").splitlines())
    except OSError:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MEGABYTE
    return int(fields["MemAvailable"].split()[0]) // 1024


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
