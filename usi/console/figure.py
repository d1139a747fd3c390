"""Pictures by matplotlib, the optional extra `plot`: empty figures, and boards as `Position.svg` draws them."""
import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from engine.errors import Listed, UserError
from engine.records.svg import STYLE
from usi.files.writing import PICTURE, require_replaceable, write_file
from usi.words.extras import how_to_install

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg")
# Japanese fonts of usual systems: matplotlib's own font has no Japanese letters, which names and labels may need.
JAPANESE_FONTS = ("Noto Sans CJK JP", "Noto Sans JP", "IPAPGothic", "IPAexGothic", "IPAGothic", "Yu Gothic", "Meiryo",
                  "MS Gothic", "Hiragino Sans", "Hiragino Kaku Gothic ProN", "TakaoPGothic", "VL PGothic")

DPI = 200
METADATA = {"png": {"Software": "Gakushi"}, "svg": {"Creator": "Gakushi"}}      # by which PICTURE is recognised
_SVG = "{http://www.w3.org/2000/svg}"
_RULE = re.compile(r"\.gakushi ([^{]+?) \{([^}]*)\}")
_NUMBER = re.compile(r"-?[\d.]+")
_STEP = re.compile(r"([MLHVZ])([^MLHVZ]*)")
_POINTS_PER_INCH = 72


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure, its size in inches. Raises UserError if matplotlib is not there."""
    try:
        from matplotlib import rcParams
        from matplotlib.figure import Figure
    except ImportError:
        raise UserError("a picture needs matplotlib: {how}", how=how_to_install("plot")) from None
    rcParams["font.family"] = ["DejaVu Sans", *japanese_fonts()]
    return Figure(figsize=(width, height), layout="constrained")


def draw_into(path: Path, figure: "Figure") -> None:
    """Write a figure in the format of the file's ending. Raises OSError, naming `path`."""
    drawn = BytesIO()
    form = path.suffix.lower()[1:]
    figure.savefig(drawn, format=form, metadata=METADATA[form])
    write_file(path, drawn.getvalue())


def japanese_fonts() -> list[str]:
    """The Japanese fonts of this machine, by matplotlib's names."""
    from matplotlib.font_manager import fontManager

    there = {font.name for font in fontManager.ttflist}
    return [name for name in JAPANESE_FONTS if name in there]


def require_picture(path: Path, option: str = "--picture") -> None:
    """Raise UserError unless the ending of a picture's file is known and the file may be written. Raises OSError if it
    cannot be written."""
    if path.suffix.lower() not in SUFFIXES:
        raise UserError("{option} '{path}' does not end in {suffixes}", option=option, path=path,
                        suffixes=Listed(SUFFIXES, " or "))
    require_replaceable(path, PICTURE)


def png(svg: str) -> bytes:
    """The picture that `Position.svg` draws as a PNG, which matplotlib paints from the same shapes.

    Raises UserError without matplotlib, or without a font that has the pieces' letters."""
    root = ElementTree.fromstring(svg)
    _left, _top, width, height = map(float, root.attrib["viewBox"].split())
    inches = float(root.attrib["width"]) / 96       # of a browser's pixels
    figure = new_figure(inches, inches * height / width)
    if not japanese_fonts():
        raise UserError("no Japanese font is installed for the pieces of a .png; install one (fonts-noto-cjk, "
                        "fonts-ipafont), or draw a .svg")
    figure.set_layout_engine(None)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    _paint(axes, root, inches * _POINTS_PER_INCH / width, (0, 0, 1))
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI, facecolor="white", metadata=METADATA["png"])
    return drawn.getvalue()


def _paint(axes: "Axes", parent: ElementTree.Element, points: float, frame: tuple[float, float, float],
           classes: tuple[str, ...] = ()) -> None:
    """Paint the shapes below an element. `points` is the size of a unit in points; `frame` has the shift and the scale,
    which is negative for a part that is turned round."""
    from matplotlib.patches import Circle, PathPatch
    from matplotlib.path import Path as Outline

    shift_x, shift_y, scale = frame
    for shape in parent:
        kind, given = shape.tag.removeprefix(_SVG), shape.attrib
        within = (*classes, *given.get("class", "").split())
        style = _style_of(within, kind)
        line = {"edgecolor": style.get("stroke", "none"), "linewidth": float(style.get("stroke-width", 1)) * points,
                "alpha": float(style.get("opacity", 1)),
                "facecolor": "none" if "fill: none" in given.get("style", "") else style.get("fill", "none")}
        place = float(given.get("cx", given.get("x", 0))), float(given.get("cy", given.get("y", 0)))
        x, y = shift_x + scale * place[0], shift_y + scale * place[1]
        if kind == "g":
            moved_x, moved_y, size, *turn = map(float, _NUMBER.findall(given["transform"]))
            _paint(axes, shape, points, (moved_x, moved_y, -size if turn else size), within)
        elif kind == "path":
            outline = [(shift_x + scale * one, shift_y + scale * other, code)
                       for one, other, code in _steps(given["d"])]
            axes.add_patch(PathPatch(Outline([(one, other) for one, other, _code in outline],
                                             [code for _one, _other, code in outline]), **line))
        elif kind == "rect":
            across, down = float(given["width"]), float(given["height"])
            axes.add_patch(PathPatch(Outline([(x, y), (x + across, y), (x + across, y + down), (x, y + down), (x, y)]),
                                     **line))
        elif kind == "circle":
            axes.add_patch(Circle((x, y), float(given["r"]), **line))
        elif kind == "text":
            size = float(_NUMBER.findall(style.get("font-size", "") or style["font"])[0])
            axes.text(x, y, shape.text or "", color=style.get("fill", "black"), fontsize=abs(scale) * size * points,
                      ha="center" if "text-anchor" in style else "left", va="baseline", rotation=180 * (scale < 0),
                      rotation_mode="anchor", family=[*japanese_fonts(), "DejaVu Sans"])


def _steps(drawn: str) -> list[tuple[float, float, int]]:
    """The points of an SVG path of straight lines, with matplotlib's codes."""
    x = y = begun_x = begun_y = 0.0
    found: list[tuple[float, float, int]] = []
    for letter, numbers in _STEP.findall(drawn):
        values = [float(number) for number in _NUMBER.findall(numbers)]
        if letter == "Z":
            found.append((begun_x, begun_y, 79))
            continue
        x = values[0] if letter != "V" else x
        y = values[-1] if letter != "H" else y
        if letter == "M":
            begun_x, begun_y = x, y
        found.append((x, y, 1 if letter == "M" else 2))
    return found


def _style_of(classes: tuple[str, ...], kind: str) -> dict[str, str]:
    """The style of a shape by the picture's own style sheet; later rules win."""
    found: dict[str, str] = {}
    for selector, rules in _RULE.findall(STYLE):
        *_outer, last = parts = selector.split()
        wanted = {name for part in parts for name in part.split(".") if name}
        if wanted - {kind} <= set(classes) and (last.startswith(".") or last == kind):
            found |= {name.strip(): value.strip() for name, value in
                      (rule.split(":", 1) for rule in rules.split(";") if ":" in rule)}
    return found
