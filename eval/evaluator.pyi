from engine import Position
from eval.network import EvalNetwork
from eval.tables import EvalTables

class Evaluator:
    """An evaluation: material alone, or material and `source`, an EvalTables or an EvalNetwork. Immutable.

    >>> from engine import Position
    >>> Evaluator().evaluate(Position("4k4/9/9/9/9/9/9/9/4K4 b P 1"))
    100
    """
    def __init__(self, source: EvalTables | EvalNetwork | None = None) -> None: ...
    @property
    def source(self) -> EvalTables | EvalNetwork | None: ...
    @property
    def megabytes(self) -> int:
        """The memory of its source, in MB; 0 for material."""
    def evaluate(self, position: Position) -> int:
        """The static evaluation in centipawns for the side to move, a function of the position alone."""
