"""Files of training records: growing, continued, cut off, compressed, free of repeats; and the records in them."""
import lzma
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine import BLACK, WHITE, Position
from engine.packed import unpacked, usi
from eval.learning.records import PSV, converted
from scripts import generate, learn
from scripts.training import files
from scripts.training.files import RecordFile, SampleFile, Seen, keys, read
from scripts.training.samples import MAX_SCORE, Records, records, sample
from tests.each import each
from tests.measured import little_memory
from tests.scripts.commands import invoke
from usi.files.locking import alone

NEEDS_XZ = pytest.mark.skipif(not shutil.which("xz"), reason="xz makes the file")


def walk(seed: int, plies: int = 12) -> Records:
    """Records of a random game that Black has won."""
    rng, position, found = Random(seed), Position(), []
    for _ in range(plies):
        move = rng.choice(sorted(position.legal_moves()))
        found.append(sample(position, rng.randint(-500, 500), move))
        position.push(move)
    return records(found, BLACK)


def blocks_of(path: Path) -> list[bytes]:
    file = RecordFile(path)
    return [file.read(block).tobytes() for block in file.blocks]


@pytest.fixture
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", 20)


@pytest.mark.parametrize("name", ["some.psv", "some.psv.xz", "some.hcpe", "some.hcpe.xz"])
def test_no_position_comes_twice_in_a_file_also_when_continued(tmp_path: Path, name: str) -> None:
    path = tmp_path / "deep" / name
    first, second = walk(1), walk(2)
    with SampleFile(path) as file:
        assert file.count == len(read(path)) == 0
        assert file.add(np.concatenate([first, first])) == 12
        assert file.add(first) == 0
    with SampleFile(path) as continued:
        assert continued.count == 12
        assert continued.add(second) == 11, "the start position was there"
    expected = np.concatenate([first, second[1:]])
    assert read(path).tobytes() == (converted(expected) if "hcpe" in name else expected).tobytes()


def test_a_record_cut_off_is_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.psv"
    with SampleFile(path) as file:
        file.add(walk(1))
    path.write_bytes(path.read_bytes()[:-7])
    assert len(read(path)) == 11
    assert capsys.readouterr().err == (f"{path} is cut off: its last 33 bytes are no whole record and are lost; 11 "
                                       "positions are left\n")
    with SampleFile(path) as file:
        assert file.add(walk(1)) == 1
    assert read(path).tobytes() == walk(1).tobytes()


@pytest.mark.parametrize("name", ["some.bin", "some.bin.xz", "some.xz"])
def test_other_suffixes_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=rf"{re.escape(name)}: files of positions are named \*\.psv or \*\.hcpe, "):
        SampleFile(tmp_path / name)
    assert not (tmp_path / name).exists()


# -- Compressed --------------------------------------------------------------------------------------------------------

@pytest.mark.usefixtures("short_blocks")
def test_a_file_is_read_block_by_block(tmp_path: Path) -> None:
    plain, packed = tmp_path / "some.psv", tmp_path / "some.psv.xz"
    for path in (plain, packed):
        with SampleFile(path) as file:
            for seed in range(9):
                file.add(walk(seed))
    assert b"".join(blocks_of(plain)) == b"".join(blocks_of(packed)) == plain.read_bytes()
    assert len(blocks_of(packed)) == 5, "each is written when it has 20 records, by whole games"
    for blocks in (RecordFile(plain).blocks, RecordFile(packed).blocks):
        assert [block.first for block in blocks] == [sum(other.count for other in blocks[:number])
                                                     for number, _ in enumerate(blocks)]
    assert lzma.decompress(packed.read_bytes()) == plain.read_bytes()


@pytest.mark.usefixtures("short_blocks")
def test_a_compressed_file_that_is_cut_off_loses_its_last_block(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.psv.xz"
    with SampleFile(path) as file:
        for seed in range(9):
            file.add(walk(seed))
    data, whole = path.read_bytes(), RecordFile(path)
    borders = [block.packed.stream for block in whole.blocks if block.packed] + [len(data)]
    rng = Random(1)
    for length in [*borders, *rng.sample(range(len(data)), 30)]:
        path.write_bytes(data[:length])
        left = max(number for number, border in enumerate(borders) if border <= length)
        count = sum(block.count for block in whole.blocks[:left])
        assert len(RecordFile(path)) == count
        complaint = (f"{path} is cut off: its last {length - borders[left]} bytes are no whole block and are lost; "
                     f"{count} positions are left\n")
        assert capsys.readouterr().err == (complaint if length - borders[left] else "")
    with SampleFile(path) as file:
        assert path.stat().st_size == borders[left], "what is lost is removed"
        for seed in range(9):
            file.add(walk(seed))
    assert len(read(path)) == len(whole)


def test_what_is_damaged_is_said_and_where(tmp_path: Path) -> None:
    path = tmp_path / "some.psv.xz"
    with SampleFile(path) as file:
        file.add(walk(1))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"{path}, byte 12: "):
        read(path)
    path.write_bytes(walk(1).tobytes())
    with pytest.raises(ValueError, match=f"{path} is no xz file"):
        read(path)


def with_index(packed: bytes, count: int, *sizes: int) -> bytes:
    """An xz stream whose index claims this number of blocks, of these sizes in the file and decompressed."""
    def number(value: int) -> bytes:
        return number_of(value >> 7, value & 127) if value > 127 else bytes([value])

    def number_of(rest: int, low: int) -> bytes:
        return bytes([low | 128]) + number(rest)

    backward = 4 * (int.from_bytes(packed[-8:-4], "little") + 1)
    index = b"\0" + number(count) + b"".join(map(number, sizes))
    index += bytes(-len(index) % 4)
    index += zlib.crc32(index).to_bytes(4, "little")
    footer = (len(index) // 4 - 1).to_bytes(4, "little") + packed[-4:-2]
    return packed[:-12 - backward] + index + zlib.crc32(footer).to_bytes(4, "little") + footer + packed[-2:]


@each(("content", "count", "claimed", "complaint"), [
    (40, 1, 655_360, "a block holds 40 bytes instead of 655360"),
    (30_000_000, 1, 40, "a block holds 41 bytes or more instead of 40"),
    (40, 1, 1 << 60, f"has a block of {1 << 60} bytes"),
    (40, 1 << 60, 40, None),
])
def test_an_index_that_lies_is_not_believed(tmp_path: Path, content: int, count: int, claimed: int,
                                            complaint: str | None, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.psv.xz"
    packed = lzma.compress(bytes(content), preset=0)
    size = len(packed) - 24 - 4 * (int.from_bytes(packed[-8:-4], "little") + 1)
    path.write_bytes(with_index(packed, count, size, claimed))
    with little_memory():
        if complaint is None:       # it cannot be told from one that is cut off
            assert len(RecordFile(path)) == 0
            assert "is cut off" in capfd.readouterr().err
            return
        with pytest.raises(ValueError, match=complaint):
            read(path)


@NEEDS_XZ
def test_files_that_xz_has_made_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tmp_path / "some.psv"
    np.concatenate([walk(seed) for seed in range(60)]).tofile(plain)

    def packed(*options: str) -> Path:
        subprocess.run(["xz", "--keep", "--force", *options, plain], check=True)
        return tmp_path / "some.psv.xz"

    assert len(blocks_of(packed())) == 1
    assert b"".join(blocks_of(packed(f"--block-size={100 * PSV.itemsize}"))) == plain.read_bytes()
    assert len(blocks_of(packed(f"--block-size={100 * PSV.itemsize}"))) == 8
    path = packed()
    path.write_bytes(path.read_bytes() + bytes(8) + path.read_bytes())
    assert read(path).tobytes() == 2 * plain.read_bytes()
    with pytest.raises(ValueError, match="has a block of 4001 bytes; compress it with xz --block-size=655360"):
        read(packed("--block-size=4001"))
    monkeypatch.setattr(files, "LARGEST_BLOCK", 1000)
    with pytest.raises(ValueError, match="has a block of 28800 bytes"):
        read(packed())


# -- Without repeats ---------------------------------------------------------------------------------------------------

def test_seen_agrees_with_a_plain_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MERGED_AT", 50)
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


# -- Training records of single positions ------------------------------------------------------------------------------

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


# -- No two runs write one file of positions, or one checkpoint --------------------------------------------------------

@pytest.mark.parametrize("arguments", [
    "--out OUT --positions 1 --nodes 9 --eval-file material", "network SMALL --checkpoint OUT",
    "tables SMALL --checkpoint OUT",
])
def test_two_do_not_write_one_file(small: Path, arguments: str) -> None:
    out = small.with_name("out.psv")
    words = [{"OUT": out, "SMALL": small}.get(word, word) for word in arguments.split()]
    with alone(out):
        printed = invoke(generate if "--out" in words else learn, *words, status=1)
    assert f"{out} is being written by another process" in printed.output
    assert list(small.parent.iterdir()) == [small]
