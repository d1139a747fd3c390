from collections.abc import Iterable

from engine import Position

class Registry:
    """A registry of loops by itself. Positions stand for search paths that begin where they were set up."""

    def clear(self) -> None: ...
    def register(self, position: Position) -> None:
        """Register the loop that the path has just closed; ValueError if it has closed none."""
    def note(self, position: Position, heads: Iterable[int], side: int, value: int, depth: int) -> None:
        """Note a bound (side 0: lower, 1: upper) that rests on these plies."""
    def reuse(self, position: Position, side: int, value: int, depth: int) -> list[int]:
        """The plies of the heads if the bound may be reused, else an empty list."""
    @property
    def laps(self) -> list[tuple[int, list[str], str]]:
        """Each loop as the key of its head, its moves and its kind."""
    def memberships(self, position: int) -> list[tuple[int, int]]:
        """Each loop that a position lies on, by its index among `laps`, with the offset there."""
    @property
    def counts(self) -> dict[str, int]: ...
