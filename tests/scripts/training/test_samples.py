"""Files of training records: growing, continued, cut off, and free of repeats."""
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine import BLACK, WHITE, Position
from engine.packed import converted, unpacked, usi
from scripts.training import samples
from scripts.training.samples import MAX_SCORE, Records, SampleFile, Seen, keys, read, records, sample


def walk(seed: int, plies: int = 12) -> Records:
    """Records of a random game that Black has won."""
    rng, position, found = Random(seed), Position(), []
    for _ in range(plies):
        move = rng.choice(sorted(position.legal_moves()))
        found.append(sample(position, rng.randint(-500, 500), move))
        position.push(move)
    return records(found, BLACK)


def test_a_record_says_what_is_known_from_the_side_to_move() -> None:
    position = Position()
    first = sample(position, 31990, "7g7f")
    position.push("7g7f")
    second = sample(position, -31990, None)
    for winner, results in ((BLACK, [1, -1]), (WHITE, [-1, 1]), (None, [0, 0])):
        made = records([first, second], winner)
        assert made["game_result"].tolist() == results
    assert made["score"].tolist() == [MAX_SCORE, -MAX_SCORE]
    assert [usi(move) for move in made["move"].tolist()] == ["7g7f", ""]
    assert made["gamePly"].tolist() == [1, 2]
    assert [unpacked(bits.tobytes()).turn for bits in made["sfen"]] == [BLACK, WHITE]


def test_no_position_comes_twice_in_a_file_also_when_continued(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "some.psv"
    first, second = walk(1), walk(2)
    file = SampleFile(path)
    assert file.add(np.concatenate([first, first])) == 12
    assert file.add(first) == 0
    continued = SampleFile(path)
    assert continued.count == 12
    assert continued.add(second) == 11, "the start position was there"
    assert read(path).tobytes() == first.tobytes() + second[1:].tobytes()


def test_a_record_cut_off_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "some.psv"
    SampleFile(path).add(walk(1))
    path.write_bytes(path.read_bytes()[:-7])
    assert len(read(path)) == 11
    assert SampleFile(path).add(walk(1)) == 1
    assert read(path).tobytes() == walk(1).tobytes()


def test_hcpe_files_hold_the_same(tmp_path: Path) -> None:
    path = tmp_path / "some.hcpe"
    game = walk(1)
    assert SampleFile(path).add(game[:5]) == 5
    assert SampleFile(path).add(game) == 7
    assert read(path).tobytes() == converted(game).tobytes()


def test_an_empty_file_reads_as_no_records(tmp_path: Path) -> None:
    assert SampleFile(tmp_path / "some.psv").count == len(read(tmp_path / "some.psv")) == 0


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"some\.bin: name it \*\.psv or \*\.hcpe"):
        SampleFile(tmp_path / "some.bin")


def test_seen_agrees_with_a_plain_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "MERGED_AT", 50)
    rng, known = Random(1), set(range(0, 1000, 7))
    seen = Seen(np.array(sorted(known), np.uint64))
    for _ in range(100):
        batch = [rng.randrange(2000) for _ in range(20)]
        expected = []
        for key in batch:
            expected.append(key not in known)
            known.add(key)
        assert seen.add(np.array(batch, np.uint64)).tolist() == expected


def test_keys_tell_positions_apart_and_nothing_else() -> None:
    games = np.concatenate([walk(seed) for seed in range(50)])
    distinct = {bits.tobytes() for bits in games["sfen"]}
    assert len(set(keys(games["sfen"]).tolist())) == len(distinct) > 500
