"""The losses of a run, epoch by epoch, as a picture."""
from pathlib import Path

from scripts.training.run import JUDGED, State
from usi.console.figure import new_figure


def draw_curve(state: State, path: Path) -> None:
    """UserError if matplotlib is not there."""
    figure = new_figure(7, 4)
    axes = figure.add_subplot(xlabel="epoch", ylabel="cross-entropy (nats)")
    numbers = range(1, len(state.curve) + 1)
    axes.plot(numbers, [epoch.training for epoch in state.curve], marker="o", label="training")
    axes.plot(numbers, [epoch.validation[JUDGED] for epoch in state.curve], marker="o", label="validation")
    axes.axhline(state.material[JUDGED], color="grey", linestyle="--", label="material alone, validation")
    axes.legend()
    figure.savefig(path)
