"""Files and programs that self-play depends on, as options of the commands that start it."""
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import click

from eval.loading import weights_file
from eval.network.nnbin import is_nnbin
from scripts.games.openings import OPENINGS, digest_of, load, require_room
from scripts.training.rivals import SPAR_NODES, engine_name
from scripts.training.selfplay import SelfPlayRecipe, weights_digest
from scripts.training.starts import MIX
from usi.console.settings import FILE, setting
from usi.words.language import _


def is_foreign(name: str) -> bool:
    """Whether an evaluation is in the common form of other engines, nn.bin. Raises OSError if it cannot be read."""
    weights = weights_file(name)
    return bool(weights and is_nnbin(weights.read_bytes()))


@dataclass(frozen=True)
class Inputs:
    """Openings, and rivals by their names."""

    openings: tuple[Path, ...] = setting(
        "Lines of `startpos moves …` or SFEN, or games in CSA or KIF; several files may be given "
        f"[default: {OPENINGS.name}]", FILE, (OPENINGS,), multiple=True, show_default=False)
    rival: tuple[str, ...] = setting("Another evaluation, which has one side in some of the games; several may be "
                                     "given.", None, (), multiple=True, metavar="FILE|tables|material")
    spar: tuple[str, ...] = setting("A USI engine that has one side in some of the games, with settings before its "
                                    f"command (docs/MATCHES.md); nodes={SPAR_NODES} unless they limit it. Several may "
                                    "be given.", None, (), multiple=True, metavar="ENGINE")

    def lines(self) -> list[str]:
        """The openings. Raises UserError as `load` raises it."""
        return [opening for path in self.openings for opening in load(path)]

    def recipe(self, make: Callable[..., SelfPlayRecipe], openings: list[str]) -> SelfPlayRecipe:
        """The recipe that `make` returns, completed except for the weights that play. click.UsageError for settings
        that exclude each other. Raises OSError and UserError for rivals that cannot be read or do not start."""
        recipe = make(openings=digest_of(openings), rivals={name: weights_digest(name) for name in self.rival})
        if recipe.depth and recipe.nodes:
            raise click.UsageError(_("--depth and --nodes exclude each other"))
        if recipe.own_values and not (self.rival or self.spar):
            raise click.UsageError(_("--own-values says nothing without --rival"))
        if not recipe.own_values and (foreign := [name for name in self.rival if is_foreign(name)]):
            raise click.UsageError(_("--rival {name} is another engine's network; add --own-values, so that nothing is "
                                     "learned from its values", name=foreign[0]))
        recipe = replace(recipe, depth=recipe.depth if recipe.depth or recipe.nodes else 6, mix=MIX | recipe.mix)
        if not any(recipe.mix.values()):
            raise click.UsageError(_("--mix leaves no kind of start; give one of them a share above 0"))
        require_room(openings, recipe.max_plies)
        return replace(recipe, spars={text: engine_name(text, recipe.max_plies) for text in self.spar})
