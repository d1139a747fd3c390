"""The graph of a game's evaluation."""
from io import BytesIO
from pathlib import Path

from usi.commands.analyze.analysis import DECIDED, Analysis
from usi.commands.figure import new_figure
from usi.writing import write_file

COLOURS = {"??": "tab:red", "?": "tab:orange", "?!": "gold"}


def draw_graph(analysis: Analysis, path: Path) -> None:
    """Draw the scores from Black's side over the plies, the marked moves on them, into a .png or .svg file.

    Scores beyond those that decide a game are drawn at the edge. ValueError without matplotlib; OSError.
    """
    figure = new_figure(9, 4)
    edge = DECIDED * 1.05
    axes = figure.add_subplot(xlabel="ply", ylabel="score for Black (centipawns)", ylim=(-edge, edge))
    heights = {found.ply: min(max(found.for_black, -DECIDED), DECIDED) for found in analysis.assessments}
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.fill_between(list(heights), list(heights.values()), color="tab:blue", alpha=0.2)
    axes.plot(list(heights), list(heights.values()), color="tab:blue", marker=".")
    for symbol, colour in COLOURS.items():
        plies = [move.ply for move in analysis.judgements if move.mark and move.mark.symbol == symbol]
        if plies:
            axes.plot(plies, [heights[ply] for ply in plies], "o", color=colour, label=symbol, linestyle="none")
    if axes.get_legend_handles_labels()[0]:
        axes.legend()
    drawn = BytesIO()
    figure.savefig(drawn, format=path.suffix.lower()[1:])
    write_file(path, drawn.getvalue())
