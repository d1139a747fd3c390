"""The graph of a game's evaluation."""
from io import BytesIO
from pathlib import Path

from engine import BLACK
from usi.commands.analyze.analysis import Analysis
from usi.console.figure import japanese_fonts, new_figure
from usi.files.writing import write_file
from usi.words.language import _, language, side_name
from usi.words.marks import DECIDED, MARKS

LEAST_EDGE = 300        # centipawns: a game without events is drawn as one
COLOURS = {"??": "tab:red", "?": "tab:orange", "?!": "gold"}


def draw_graph(analysis: Analysis, path: Path) -> None:
    """Draw the scores from Black's side over the plies, the marked moves on them, into a .png or .svg file.

    The scale fits the game, but scores beyond those that decide one are drawn at the edge. Labels are in the user's
    language where a font for it is there. UserError without matplotlib; OSError.
    """
    figure = new_figure(9, 4)
    is_shown = language() == "en" or japanese_fonts()
    heights = {found.ply: min(max(found.for_black, -DECIDED), DECIDED) for found in analysis.assessments}
    edge = 1.05 * max([LEAST_EDGE, *map(abs, heights.values())])
    axes = figure.add_subplot(
        xlabel=_("ply") if is_shown else "ply", ylim=(-edge, edge),
        ylabel=_("score for {side} (centipawns)", side=side_name(BLACK)) if is_shown else
        "score for Black (centipawns)")
    if any(analysis.record.names):
        axes.set_title(" – ".join(name or side_name(side) for side, name in enumerate(analysis.record.names)))
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.fill_between(list(heights), list(heights.values()), color="tab:blue", alpha=0.2)
    axes.plot(list(heights), list(heights.values()), color="tab:blue", marker=".")
    is_japanese = is_shown and language() == "ja"
    names = {mark.symbol: mark.japanese if is_japanese else mark.name for mark in MARKS}
    for symbol, colour in COLOURS.items():
        plies = [move.ply for move in analysis.judgements if move.mark and move.mark.symbol == symbol]
        if plies:
            axes.plot(plies, [heights[ply] for ply in plies], "o", color=colour, linestyle="none",
                      label=f"{symbol} {names[symbol]}")
    if axes.get_legend_handles_labels()[0]:
        axes.legend()
    drawn = BytesIO()
    figure.savefig(drawn, format=path.suffix.lower()[1:])
    write_file(path, drawn.getvalue())
