"""Guards and threads' work (see concurrency.pxd)."""
import sys
import threading

WAIT_S = 0.1 if sys.platform == "win32" else None      # Windows waits are not interrupted by signals, so they are short


cdef class Guard:
    cdef take(self, str refusal):
        """RuntimeError if it is taken."""
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
        call, self.call = self.call, None       # which may refer to us: no garbage is left for the collector
        if self.abandoned:
            return
        self.begun = True
        try:
            call()
        finally:
            self.over.set()

    cdef wait(self):
        """Until it is over, or a handler of signals raises something."""
        while not self.over.is_set():
            self.over.wait(WAIT_S)

    cdef outlast(self):
        """Until it is over, whatever handlers of signals raise: that is raised in the end."""
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
        """For a start that was interrupted: the call is over when this returns, or never begins."""
        self.abandoned = True
        if self.begun:
            self.outlast()


def outlast_all(works):
    """Wait for all that were started. If a handler of signals raises something meanwhile, raise it in the end."""
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
    """The same where the start of one of them was interrupted."""
    raised = None
    cdef Work work
    for work in works:
        try:
            work.abandon()
        except BaseException as interruption:
            raised = interruption
    if raised is not None:
        raise raised
