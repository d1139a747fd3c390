"""What keeps threads out of each other's way."""

cdef class Guard:
    """Lets a thing have one use at a time: whoever comes meanwhile is refused, and told what to do.

    Taken and left while the interpreter is held, in compiled code that runs no Python in between: so nothing comes
    between the look and the taking, not even a handler of signals.
    """
    cdef str refusal            # what to tell others; None: free
    cdef take(self, str refusal)
    cdef void leave(self) noexcept

cdef class Work:
    """A call in a thread of its own that can always be waited for: `Thread.join` cannot once Ctrl-C has ended it."""
    cdef object call
    cdef object over            # an Event: it has returned, or raised
    cdef bint begun
    cdef bint abandoned         # it begins no more
    cdef wait(self)
    cdef outlast(self)
    cdef abandon(self)
