class TranspositionTable:
    """A transposition table of `megabytes`, cleared by `threads` threads.

    Methods that change the table raise RuntimeError while a search uses it or another thread changes it."""

    megabytes: int

    def __init__(self, megabytes: int = 16, threads: int = 1) -> None: ...
    def resize(self, megabytes: int, threads: int = 1) -> int:
        """Resize the table to `megabytes`, or as large as memory allows (at most half of what is available), and empty
        it. Returns the size obtained in MB.

        Raises UserError for a size below 1. Raises MemoryError if there is no memory for 1 MB; then the table has a
        single bucket, so that searches still run, and its size is 0. """
    def clear(self, threads: int = 1) -> None:
        """Empty the table, with this number of threads."""
    def new_search(self) -> None:
        """Begin a new search: entries stored so far count as older."""
    @property
    def hashfull(self) -> int:
        """The share of entries written by the present search, per mille; 0 while the table is being cleared."""
