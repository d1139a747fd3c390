"""Windows' job objects: processes that end together."""
import ctypes
import subprocess
import sys
from ctypes import wintypes

assert sys.platform == "win32"

_EXTENDED_LIMITS = 9            # JobObjectExtendedLimitInformation
_KILL_ON_CLOSE = 0x2000         # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_kernel.CreateJobObjectW.restype = wintypes.HANDLE
_kernel.CreateJobObjectW.argtypes = wintypes.LPVOID, wintypes.LPCWSTR
_kernel.SetInformationJobObject.argtypes = wintypes.HANDLE, ctypes.c_int, wintypes.LPVOID, wintypes.DWORD
_kernel.AssignProcessToJobObject.argtypes = wintypes.HANDLE, wintypes.HANDLE
_kernel.TerminateJobObject.argtypes = wintypes.HANDLE, wintypes.UINT
_kernel.CloseHandle.argtypes = (wintypes.HANDLE,)


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION of winnt.h."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", wintypes.DWORD),
        ("least_working_set", ctypes.c_size_t),
        ("largest_working_set", ctypes.c_size_t),
        ("active_processes", wintypes.DWORD),
        ("affinity", ctypes.c_size_t),
        ("priority", wintypes.DWORD),
        ("scheduling", wintypes.DWORD),
        ("transfers", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t * 4),
    )


def _checked(result: int) -> int:
    if not result:
        raise ctypes.WinError(ctypes.get_last_error())
    return result


class JobObject:
    """A process and all its later child processes. However this process ends, the system closes the job, and they end
    too."""

    def __init__(self, leader: "subprocess.Popen[bytes]") -> None:
        """Put the process into a new job. Raises OSError if that fails; the process is killed then."""
        self._job = _checked(_kernel.CreateJobObjectW(None, None))
        limits = _Limits(flags=_KILL_ON_CLOSE)
        try:
            _checked(_kernel.SetInformationJobObject(self._job, _EXTENDED_LIMITS, ctypes.byref(limits),
                                                     ctypes.sizeof(limits)))
            _checked(_kernel.AssignProcessToJobObject(self._job, int(leader._handle)))  # type: ignore[attr-defined]
        except OSError:
            leader.kill()
            _kernel.CloseHandle(self._job)
            raise

    def end(self) -> None:
        """Kill all processes of the job that still run."""
        _kernel.TerminateJobObject(self._job, 1)
        _kernel.CloseHandle(self._job)
