from os import PathLike

from eval.arrays import Array

KERNEL_NAMES: tuple[str, ...]
SCALE: int
VERSION: int

def usable_kernels() -> tuple[str, ...]:
    """Names of the kernels that this processor can run, the fastest first."""

class EvalTables:
    """KK, KKP, KPP and tempo as the evaluation reads them, made by `from_arrays` or `map` and never changed after."""
    @staticmethod
    def from_arrays(kk: Array, kkp: Array, kpp: Array, tempo: int = 0, kernel: str | None = None) -> EvalTables:
        """Lay the tables out in memory of this process, on huge pages.

        kk, kkp, kpp: int16 of shapes (81, 81, 2), (81, 81, 1548, 2) and (45, 1198926), in 1/32 centipawn: by Black's
        and White's king, for Black and for the side to move; and for kpp, for Black alone, by
        `king * 1198926 + hi * (hi + 1) / 2 + lo` with the own king on files 1 to 5. They must have the symmetries that
        eval.features' `mirror` and `inverse` state: of kk and kkp only Black's king on files 1 to 5 is read. Pairs of
        a feature with itself, and feature 0, count as 0.
        tempo: for the side to move, same unit. kernel: one of `usable_kernels()`; by default the fastest.

        Raises UserError for another shape or type, a tempo beyond 16 bits or an unknown kernel, and MemoryError."""
    @staticmethod
    def map(path: str | PathLike[str], kernel: str | None = None) -> EvalTables:
        """Use a file that `save` wrote, in place: processes that map the same file share one copy of it.

        Raises UserError if it is no such file, or of another version or length, or laid out for another kernel than
        the one asked for (by default, the fastest of this processor); OSError if it cannot be read."""
    def save(self, path: str | PathLike[str]) -> None:
        """Write the memory as it is, for `map`. `eval.tables.cache` gives the file its name when it is whole."""
    @property
    def kernel(self) -> str:
        """The name of its kernel."""
    @property
    def tempo(self) -> int:
        """For the side to move, in 1/32 centipawn."""
    @property
    def megabytes(self) -> int:
        """Memory that the tables take, in MB."""
