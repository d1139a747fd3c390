"""Guards against concurrent use, and calls in threads that can always be waited for."""

cdef class Guard:
    """A lock that refuses instead of waiting: while it is taken, others get a RuntimeError that says what to do.

    It is taken and left with the GIL held, in compiled code that runs no Python code in between. So nothing can happen
    between the test and the taking, not even a signal handler.
    """
    cdef str refusal            # message for others; None: free
    cdef take(self, str refusal)
    cdef void leave(self) noexcept

cdef class Work:
    """A call in its own thread that can be waited for even after Ctrl-C has interrupted a wait, unlike
    `Thread.join`."""
    cdef object call
    cdef object over            # an Event: the call has returned or raised
    cdef bint begun
    cdef bint abandoned         # the call will not begin
    cdef wait(self)
    cdef outlast(self)
    cdef abandon(self)
