"""The mate solver's table: what it holds is found again after it has grown."""
from random import Random

from tests.probes import MateEntries


def test_growth_loses_no_entry_far_from_its_home() -> None:
    """Many keys share the first homes, so that entries lie far behind theirs, and the homes move among the entries."""
    rng = Random(1)
    for crowd in (1, 4, 40, 400):
        entries = MateEntries(8 << 20)
        keys = {rng.randrange(1, crowd << 64 - 14): number for number in range(2, 500)}
        for key, number in keys.items():
            entries.store(key, number)
        slots = entries.slots
        while slots < 100_000:
            assert entries.make_room()
            assert entries.slots > slots
            slots = entries.slots
            assert {key: entries.proof_number(key) for key in keys} == keys
            assert entries.used == len(keys)
