"""The command."""
import json

import click


@click.command(hidden=True, short_help="Count the elements of the evaluation's tables.")
@click.option("--json", "to_json", is_flag=True, help="Print one JSON object in place of the table.")
def foldstats(to_json: bool) -> None:
    """Count the elements of the evaluation's tables in every layout, folded by their symmetries or not."""
    try:
        from usi.commands.foldstats.counts import as_json, as_lines, comparisons
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise click.ClickException("this counts by NumPy, which is not here: the folder for GUIs leaves it out; "
                                   "install Gakushi by pip") from None
    found = list(comparisons())
    if to_json:
        click.echo(json.dumps(as_json(found), indent=2))
    else:
        click.echo("\n".join(as_lines(found)))
