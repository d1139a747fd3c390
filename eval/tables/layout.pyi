from os import PathLike

from eval.arrays import Array

KERNEL_NAMES: tuple[str, ...]
SCALE: int
VERSION: int

def usable_kernels() -> tuple[str, ...]:
    """The names of the kernels that this processor can run, the fastest first."""

class EvalTables:
    """KK, KKP, KPP and tempo, laid out for evaluation. Made by `from_arrays` or `map`; immutable."""
    @staticmethod
    def from_arrays(kk: Array, kkp: Array, kpp: Array, tempo: int = 0, kernel: str | None = None) -> EvalTables:
        """Lay out the tables in this process's memory, on huge pages.

        kk, kkp, kpp: int16 of shapes (81, 81, 2), (81, 81, 1548, 2) and (45, 1198926), in 1/32 centipawn. kk and kkp
        are indexed by Black's and White's king, with values for Black and for the side to move last. kpp has values for
        Black at `hi * (hi + 1) / 2 + lo` of the own king's row, the king on files 1 to 5. The tables must have the
        symmetries of eval.features' `mirror` and `inverse`: of kk and kkp only Black's kings on files 1 to 5 are read.
        Pairs of a feature with itself, and feature 0, count as 0. tempo: bonus of the side to move, in the same unit.
        kernel: one of `usable_kernels()`; by default the fastest.

        Raises UserError for a wrong shape or type, a tempo beyond 16 bits or an unknown kernel, and MemoryError."""
    @staticmethod
    def map(path: str | PathLike[str], kernel: str | None = None) -> EvalTables:
        """Map a file that `save` wrote. Processes that map the same file share one copy in memory.

        Raises UserError if it is no such file, has another version or length, or is laid out for a kernel other than
        `kernel` (by default the fastest of this processor). Raises OSError if it cannot be read."""
    def save(self, path: str | PathLike[str]) -> None:
        """Write the memory to a file for `map`. Not atomic; `eval.tables.cache` renames the finished file."""
    @property
    def kernel(self) -> str:
        """The name of its kernel."""
    @property
    def tempo(self) -> int:
        """The bonus of the side to move, in 1/32 centipawn."""
    @property
    def megabytes(self) -> int:
        """The memory of the tables, in MB."""
