"""Processes that a process starts and that end with it, each with all that it has started itself."""
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

if sys.platform == "win32":
    from usi.client.jobobjects import Job as Group

    # Ctrl-C is for us.
    APART: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    class Group:
        """A process that leads a session, and the processes in it."""

        def __init__(self, leader: "subprocess.Popen[bytes]") -> None:
            self._leader = leader.pid

        def end(self) -> None:
            """End all of them at once, those that have not ended."""
            with suppress(ProcessLookupError):
                os.killpg(self._leader, signal.SIGKILL)

    # Ctrl-C is for us, and what a wrapper script has started can be ended with it.
    APART: dict[str, Any] = {"start_new_session": True}


class ProcessGroups:
    """The process groups that this process has started. `end` ends this process and all of them, whenever it is called.
    (On Windows they end with this process anyway.)"""

    def __init__(self) -> None:
        self._groups: dict[int, Group] = {}
        self._starting = self._ended = False

    def start(self, command: Sequence[str], **popen: Any) -> "subprocess.Popen[bytes]":
        """A process of a group of its own. Raises OSError. Until it is known here, `end` has to wait."""
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
        """End a group, if it has not ended."""
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
