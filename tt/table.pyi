def save_addresses() -> None:
    """Have all threads that are started from now on allocate from one place, where a limit on addresses leaves none for
    a place each."""

class TranspositionTable:
    """The memory of a table, and what is done with the whole of it.

    While a search uses it, or another thread changes it, the methods that change it raise RuntimeError."""

    megabytes: int

    def __init__(self, megabytes: int = 16, threads: int = 1) -> None: ...
    def resize(self, megabytes: int, threads: int = 1) -> int:
        """Make it so large, or as large as memory allows (at most half of what is available), and empty. Returns the
        size obtained in MB.

        Raises UserError for a size below 1, and MemoryError if not even 1 MB can be had: then the table has a single
        bucket, so that searches still run, and its size is 0."""
    def clear(self, threads: int = 1) -> None:
        """Forget everything, with this number of threads."""
    def new_search(self) -> None:
        """From now on all that is stored here counts as older."""
    @property
    def hashfull(self) -> int:
        """How much of it the present search has filled, per mille; 0 while it is being cleared."""
