"""Guards, and calls in threads (see concurrency.pxd)."""
import sys
import threading

from engine.system.block cimport share_one_arena
from engine.system.memory import addressable_megabytes

WAIT_S = 0.1 if sys.platform == "win32" else None      # Windows waits are not interrupted by signals, so they are short


def save_addresses():
    """Let all threads allocate from one memory arena, if the addresses of this process are limited (`ulimit -v`): glibc
    would reserve 64 MB of them for each thread. To be called in our own processes, before their first thread."""
    if addressable_megabytes() is not None:
        share_one_arena()


cdef class Guard:
    cdef take(self, str refusal):
        """Take the guard; others get `refusal`. Raises RuntimeError if it is taken."""
        if self.refusal is not None:
            raise RuntimeError(self.refusal)
        self.refusal = refusal

    cdef void leave(self) noexcept:
        self.refusal = None


cdef class Work:
    def __cinit__(self, call not None):
        self.call = call
        self.over = threading.Event()

    def __call__(self):
        call, self.call = self.call, None       # it may refer to this object; avoids a reference cycle
        if self.abandoned:
            return
        self.begun = True
        try:
            call()
        finally:
            self.over.set()

    cdef wait(self):
        """Wait until the call is over, or a signal handler raises an exception."""
        while not self.over.is_set():
            self.over.wait(WAIT_S)

    cdef outlast(self):
        """Wait until the call is over. Exceptions of signal handlers are raised only then."""
        raised = None
        while True:
            try:
                self.wait()
                break
            except BaseException as interruption:
                raised = interruption
        if raised is not None:
            raise raised

    cdef abandon(self):
        """After an interrupted start: wait for the call if it has begun, else make sure that it never begins."""
        self.abandoned = True
        if self.begun:
            self.outlast()


def outlast_all(works):
    """Wait for all these calls. Exceptions of signal handlers are raised only at the end."""
    raised = None
    cdef Work work
    for work in works:
        try:
            work.outlast()
        except BaseException as interruption:
            raised = interruption
    if raised is not None:
        raise raised


def abandon_all(works):
    """Like `outlast_all`, after the start of one of them was interrupted."""
    raised = None
    cdef Work work
    for work in works:
        try:
            work.abandon()
        except BaseException as interruption:
            raised = interruption
    if raised is not None:
        raise raised
