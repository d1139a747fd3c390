"""Groups of child processes that end together, and with this process."""
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

if sys.platform == "win32":
    from usi.client.jobobjects import JobObject as Group

    # Ctrl-C is for us.
    APART: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    class Group:
        """A process that leads a session, and the processes in it."""

        def __init__(self, leader: "subprocess.Popen[bytes]") -> None:
            self._leader = leader.pid

        def end(self) -> None:
            """Kill all processes of the group that still run."""
            with suppress(ProcessLookupError):
                os.killpg(self._leader, signal.SIGKILL)

    # A group of its own: Ctrl-C reaches only us, and a wrapper script's child processes can be ended with it.
    APART: dict[str, Any] = {"start_new_session": True}


class ProcessGroups:
    """The process groups that this process has started. `end` kills all of them and this process, at any moment. (On
    Windows they end with this process anyway.)"""

    def __init__(self) -> None:
        self._groups: dict[int, Group] = {}
        self._starting = self._ended = False

    def start(self, command: Sequence[str], **popen: Any) -> "subprocess.Popen[bytes]":
        """A new process in a group of its own. `end` waits until it is registered. Raises OSError."""
        self._starting = True
        try:
            process: subprocess.Popen[bytes] = subprocess.Popen(command, **popen, **APART)
            self._groups[process.pid] = Group(process)
            return process
        finally:
            self._starting = False
            if self._ended:
                self.end()

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        """Kill a group, if it has not ended."""
        if group := self._groups.pop(process.pid, None):
            group.end()

    def end(self, *_signal: object) -> None:
        """End all groups and this process at once; a signal's handler."""
        self._ended = True
        if not self._starting:
            for group in self._groups.copy().values():
                group.end()
            os._exit(1)


GROUPS = ProcessGroups()
