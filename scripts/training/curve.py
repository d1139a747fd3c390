"""The loss of a run, epoch by epoch, as text and as a picture."""
from collections.abc import Iterator
from pathlib import Path

from scripts.training.learning import State
from usi.commands.figure import new_figure

BAR = 50                # characters of the longest bar in the loss curve


def curve_lines(state: State) -> Iterator[str]:
    """The loss curve as text: a bar's length is how far the validation loss is below that of material alone."""
    gains = [state.material - validation for _, validation in state.curve]
    best = max([*gains, 1e-9])
    yield f"epoch  training  validation   (material alone {state.material:.5f})"
    for number, ((training, validation), gain) in enumerate(zip(state.curve, gains, strict=True), 1):
        yield f"{number:5}   {training:.5f}     {validation:.5f}   {'#' * round(BAR * max(gain, 0) / best)}"


def draw_curve(state: State, path: Path) -> None:
    """The loss curve as a picture. ValueError if matplotlib is not there."""
    figure = new_figure(7, 4)
    axes = figure.add_subplot(xlabel="epoch", ylabel="cross-entropy (nats)")
    numbers = range(1, len(state.curve) + 1)
    for label, losses in zip(("training", "validation"), zip(*state.curve, strict=True), strict=True):
        axes.plot(numbers, losses, marker="o", label=label)
    axes.axhline(state.material, color="grey", linestyle="--", label="material alone, validation")
    axes.legend()
    figure.savefig(path)
