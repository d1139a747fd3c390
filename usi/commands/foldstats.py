"""The command `engine foldstats`: how large the tables of the evaluation are in each layout."""
from typing import TYPE_CHECKING, Any

import click

from engine.errors import UserError
from usi.console.terminal import show_json

if TYPE_CHECKING:
    from eval.learning.sizes import Layout, OrbitCounts


@click.command(hidden=True, short_help="Count the elements of the evaluation's tables.")
@click.option("--json", "to_json", is_flag=True, help="Print one JSON object in place of the table.")
def foldstats(to_json: bool) -> None:
    """Count the elements of the evaluation's tables in every layout, folded by their symmetries or not."""
    try:
        from eval.learning.sizes import comparisons, tables
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise UserError("this counts by NumPy, which is not here: the folder for GUIs leaves it out; "
                        "install Gakushi by pip") from None
    found = list(comparisons())
    if to_json:
        show_json(as_json(tables(), found))
    else:
        click.echo("\n".join(as_lines(tables(), found)))

def as_json(layouts_of: "dict[str, list[Layout]]", found: "list[OrbitCounts]") -> dict[str, Any]:
    """The object of `engine foldstats --json`: every layout, and the comparisons found."""
    return {
        "layouts": [{"set": name, "layout": layout.name.strip(), "elements": layout.elements,
                     "megabytes": layout.megabytes}
                    for name, layouts in layouts_of.items() for layout in layouts],
        "comparisons": [{"table": c.name, "tuples": c.tuples, "by_lemma": c.by_lemma, "by_force": c.by_force,
                         "merged": c.merged} for c in found],
    }


def as_lines(layouts_of: "dict[str, list[Layout]]", found: "list[OrbitCounts]") -> list[str]:
    """The lines for the terminal: every layout, and the comparisons found."""
    lines = []
    for name, layouts in layouts_of.items():
        lines += [f"{name:34} {'elements':>11}  int16 MB",
                  *(f"{layout.name:34} {layout.elements:11,}  {layout.megabytes:8.1f}" for layout in layouts), ""]
    lines += [f"{'small sets':52} {'tuples':>7} {'orbits':>7} {'by force':>8}  merged by folding each P alone",
              *(f"{c.name:52} {c.tuples:7,} {c.by_lemma:7,} {c.by_force:8,}"
                f"{'' if c.agrees else '  DIFFERENT'}"
                f"{'' if c.merged is None else f'  {c.merged:.0%} of the classes'}" for c in found)]
    agreeing = sum(c.agrees for c in found)
    return [*lines, f"verdict: {agreeing} of {len(found)} counts by Burnside's lemma agree with brute force"]
