"""The command `engine diagram`: a position as a picture."""
import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import click

from engine.errors import UserError
from engine.records.svg import STYLE
from usi.console.figure import japanese_fonts, new_figure, require_picture
from usi.console.positions import read_position
from usi.files.writing import write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DPI = 200
_SVG = "{http://www.w3.org/2000/svg}"
_RULE = re.compile(r"\.gakushi ([^{]+?) \{([^}]*)\}")
_NUMBER = re.compile(r"-?[\d.]+")
_STEP = re.compile(r"([MLHVZ])([^MLHVZ]*)")
_POINTS_PER_INCH = 72


@click.command(short_help="Draw a position into a file.")
@click.argument("position", nargs=-1, metavar="[POSITION]")
@click.option("-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The picture to write: .svg, or .png, which needs matplotlib.")
@click.option("--flip", is_flag=True, help="Show the board as White sees it.")
@click.option("--arrow", "arrows", multiple=True, metavar="MOVE", help="Draw an arrow for this move in USI, as 7g7f.")
def diagram(position: tuple[str, ...], out: Path, flip: bool, arrows: tuple[str, ...]) -> None:
    """Draw a position into a file, with the last move marked.

    POSITION is an SFEN or 'startpos moves …' [default: the start of the game].
    """
    shown = read_position(" ".join(position))
    require_picture(out, "-o")
    svg = shown.svg(arrows, flip)
    write_file(out, svg.encode() if out.suffix.lower() == ".svg" else png(svg))


def png(svg: str) -> bytes:
    """The picture that `Position.svg` draws as a PNG, which matplotlib paints from the same shapes.

    UserError without matplotlib, or without a font that has the pieces' letters."""
    if not japanese_fonts():
        raise UserError("no Japanese font is installed for the pieces of a .png; install one (fonts-noto-cjk, "
                         "fonts-ipafont), or draw a .svg")
    root = ElementTree.fromstring(svg)
    _left, _top, width, height = map(float, root.attrib["viewBox"].split())
    inches = float(root.attrib["width"]) / 96       # of a browser's pixels
    figure = new_figure(inches, inches * height / width)
    figure.set_layout_engine(None)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    _paint(axes, root, inches * _POINTS_PER_INCH / width, (0, 0, 1))
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI, facecolor="white")
    return drawn.getvalue()


def _paint(axes: "Axes", parent: ElementTree.Element, points: float, frame: tuple[float, float, float],
           classes: tuple[str, ...] = ()) -> None:
    """Paint the shapes below an element. `points` is the size of a unit; `frame` has the shift, and the scale, which is
    negative for what is turned round."""
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
    """What the picture's own style sheet says of a shape; later rules count."""
    found: dict[str, str] = {}
    for selector, rules in _RULE.findall(STYLE):
        *_outer, last = parts = selector.split()
        wanted = {name for part in parts for name in part.split(".") if name}
        if wanted - {kind} <= set(classes) and (last.startswith(".") or last == kind):
            found |= {name.strip(): value.strip() for name, value in
                      (rule.split(":", 1) for rule in rules.split(";") if ":" in rule)}
    return found
