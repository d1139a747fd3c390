"""Pictures, for which matplotlib has to be there: the optional extra `plot`."""
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import UserError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg")
# Of usual systems: their own font of Latin letters has no Japanese, and names and labels may need it.
JAPANESE_FONTS = ("Noto Sans CJK JP", "Noto Sans JP", "IPAPGothic", "IPAexGothic", "IPAGothic", "Yu Gothic", "Meiryo",
                  "MS Gothic", "Hiragino Sans", "Hiragino Kaku Gothic ProN", "TakaoPGothic", "VL PGothic")


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure, its size in inches. UserError if matplotlib is not there."""
    try:
        from matplotlib import rcParams
        from matplotlib.figure import Figure
    except ImportError:
        raise UserError('a picture needs matplotlib: pip install "gakushi[plot]", or pip install matplotlib') from None
    rcParams["font.family"] = ["DejaVu Sans", *japanese_fonts()]
    return Figure(figsize=(width, height), layout="constrained")


def japanese_fonts() -> list[str]:
    """Those of this machine, as matplotlib calls them."""
    from matplotlib.font_manager import fontManager

    there = {font.name for font in fontManager.ttflist}
    return [name for name in JAPANESE_FONTS if name in there]


def require_picture(path: Path, option: str = "--picture") -> None:
    """UserError unless the name of a picture's file says how it is drawn."""
    if path.suffix.lower() not in SUFFIXES:
        raise UserError(f"{option} '{path}' does not end in {' or '.join(SUFFIXES)}")
