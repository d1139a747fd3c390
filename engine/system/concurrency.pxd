"""Guards against concurrent use, and calls in threads that can always be waited for."""

cdef class Guard:
    """A lock that refuses instead of waiting: while it is taken, others get a RuntimeError that says what to do. It is
    taken and released with the GIL held, in compiled code that runs no Python code in between. So no other thread and
    no signal handler can run between the test and the taking.
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
