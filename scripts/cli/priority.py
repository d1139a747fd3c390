"""The priority of a run that lets everything else go first."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from engine.errors import UserError


def go_last() -> None:
    """Give this process, and those that it starts from now on, what time and I/O nothing else wants: nice 19, and
    where the system has them the idle classes of scheduling and of I/O. UserError where there is no nice.

    Linux with autogroups weighs a session's processes among themselves only, and sessions alike. So the session itself
    is put last, if it is this process's own (setsid); if not, stderr says that it should be."""
    if sys.platform == "win32":
        raise UserError("--background needs nice, which Windows does not have; leave it out")
    os.nice(19)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        _put_session_last()
        if shutil.which("ionice"):
            subprocess.run(["ionice", "--class", "idle", "--pid", str(os.getpid())], check=True)


def _put_session_last() -> None:
    enabled, own = Path("/proc/sys/kernel/sched_autogroup_enabled"), Path("/proc/self/autogroup")
    if not (enabled.exists() and own.exists() and int(enabled.read_text())):
        return
    if os.getsid(0) == os.getpid():
        own.write_text("19")
    else:
        print("--background: this system weighs whole sessions; start it by setsid to let other sessions go first",
              file=sys.stderr)
