"""Pictures, for which matplotlib has to be there: the optional extra `plot`."""
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg")


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure, its size in inches. ValueError if matplotlib is not there."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError('--picture needs matplotlib: pip install "gakushi[plot]", or pip install matplotlib') from None
    return Figure(figsize=(width, height), layout="constrained")


def require_picture(path: Path) -> None:
    """ValueError unless a picture can be drawn and its file's name says how."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"--picture '{path}' does not end in {' or '.join(SUFFIXES)}")
    new_figure(1, 1)
