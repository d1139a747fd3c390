"""Screening: the draw, a change that does harm, and a run broken off. test_weighing.py has the arithmetic."""
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from scripts import screen as command
from scripts.games.openings import OPENINGS, load
from scripts.games.played import GAMES
from scripts.games.rules import Rules
from scripts.games.search_player import SearchPlayer
from scripts.tuning.screening import MarginChange, Screening, screen
from scripts.tuning.weighing import weigh_files
from search.parameters import DEFAULTS, SWITCH
from tests.faults import refused
from tests.scripts.commands import invoke
from usi.files.journal import read_journal

PLAYER = SearchPlayer(nodes=100, hash_mb=1, eval_file="material")
TEXTS = ["use_probcut=0", "rfp_margin=80,rfp_depth=10", "history_bonus=30"]
CHANGES = [MarginChange.parse(text, PLAYER) for text in TEXTS]
LINES = [f"startpos moves {move}" for move in ("7g7f", "2g2f", "5g5f", "9g9f", "1g1f")]
SCREENING = Screening(PLAYER, CHANGES, LINES, seed=3)


def test_a_side_has_what_the_other_has_not_and_colours_are_swapped() -> None:
    drawn: Counter[str] = Counter()
    for pair in range(400):
        first, second = SCREENING.pairing(2 * pair), SCREENING.pairing(2 * pair + 1)
        assert first.opening == second.opening
        assert first.players == second.players[::-1]
        black, white = (player.params for player in first.players if isinstance(player, SearchPlayer))
        for change in CHANGES:
            assert (change.params.items() <= black.items()) != (change.params.items() <= white.items())
            drawn[change.text] += change.params.items() <= black.items()
    assert all(count == pytest.approx(200, abs=50) for count in drawn.values())
    for turn in range(80):
        assert {SCREENING.pairing(2 * number).opening for number in range(5 * turn, 5 * turn + 5)} == set(LINES)


@pytest.mark.slow
def test_what_does_harm_is_seen(tmp_path: Path) -> None:
    player = replace(PLAYER, nodes=60)
    changes = [MarginChange.parse(text, player) for text in ("qsearch=0", "history_bonus_limit=1500")]
    screening = Screening(player, changes, load(OPENINGS), Rules(max_plies=100, decisive_score=1000))
    for _ in screen(screening, tmp_path / "games", 160):
        pass
    names, games, weighed = weigh_files({"games": read_journal(tmp_path / "games", GAMES)})
    assert (names, games) == (["qsearch=0", "history_bonus_limit=1500"], [160, 160])
    assert weighed.values[0] < min(-2 * weighed.deviations[0], weighed.values[1])


def test_a_run_broken_off_goes_on(tmp_path: Path) -> None:
    openings = tmp_path / "openings"
    # With so much in hand no game lasts long.
    openings.write_text("\n".join(f"4k4/9/4p4/9/9/9/4P4/9/4K4 {turn} RBGSrbgs 1" for turn in "bw"))

    def lines(out: str, games: int, *more: object, status: int = 0) -> list[str]:
        changes = [word for text in TEXTS for word in ("--change", text)]
        return invoke(command, *changes, "--base", "eval=material", "--nodes", 20, "--hash", 1, "--games", games,
                      "--openings", openings, "--out", tmp_path / out, *more, status=status).output.splitlines()

    whole = lines("whole", 18)
    assert whole[0] == "18 games at 20 nodes"
    assert lines("parts", 14)[0] == "14 games at 20 nodes"
    assert lines("parts", 18) == whole
    order = [float(line.split()[2]) for line in whole[-1 - len(TEXTS):-1]]
    assert order == sorted(order, reverse=True)
    assert whole[-1].startswith("prior: ± ")
    assert lines("whole", 6)[0].startswith("18 games")     # those that are there are not thrown away
    assert "differs in seed" in lines("whole", 18, "--seed", 2, status=1)[0]
    assert "make no pairs" in "".join(lines("odd", 5, status=1))


def test_all_steps_are_those_in_use(tmp_path: Path) -> None:
    steps = command.steps_of(PLAYER.varied("use_probcut=0"))
    assert "use_lmp=0" in steps
    assert "use_probcut=0" not in steps
    assert len(steps) == sum(name.startswith(SWITCH) and value > 0 for name, value in DEFAULTS.items()) - 1
    twice = ["--all-steps", "--change", "use_lmp=0", "--games", 2, "--out", tmp_path / "games"]
    refused(text="use_lmp=0", other="use_lmp=0", margin="use_lmp").ended(invoke(command, *twice, status=1))
    assert "give --change, or --all-steps" in invoke(command, *twice[3:], status=2).output


def test_refusals() -> None:
    for text in ("nodes=7", "", f"rfp_margin={DEFAULTS['rfp_margin']}", "rfp_margin=80,eval=material2"):
        with refused(text=text):
            MarginChange.parse(text, PLAYER)
    with refused(text="no_such=1", name="no_such", names=...):
        MarginChange.parse("no_such=1", PLAYER)
    again = MarginChange.parse("rfp_depth=7", PLAYER)
    with refused(text="rfp_depth=7", other="rfp_margin=80,rfp_depth=10", margin="rfp_depth"):
        Screening(PLAYER, [*CHANGES, again], LINES)
