"""Files of training records: growing, continued, cut off, compressed, free of repeats; and the records in them."""
import lzma
import re
import shutil
import subprocess
import time
import zlib
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine import BLACK, WHITE, Position
from engine.errors import UserError
from engine.packed import unpacked, usi
from eval.learning.records import PSV, converted
from scripts import generate, learn
from scripts.training import files
from scripts.training.files import RecordFile, SampleFile, Seen, keys, read
from scripts.training.samples import MAX_SCORE, Records, records, sample
from tests.each import each
from tests.faults import refused
from tests.measured import little_memory
from tests.scripts.commands import invoke
from usi.files.locking import Locked, alone

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
    with refused(at=tmp_path / name, names=["*.psv", "*.hcpe"], ending=".xz"):
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


def streams_of(path: Path) -> list[int]:
    """Where each stream begins, and where the last one ends."""
    return [block.packed.stream for block in RecordFile(path).blocks if block.packed] + [path.stat().st_size]


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Three streams of 20 to 40 positions."""
    path = tmp_path / "some.psv.xz"
    for seed in (1, 2, 3):
        with SampleFile(path) as file:
            file.add(walk(seed, 20 + seed))
    return path


def test_wherever_a_bit_is_flipped_the_other_streams_are_read_and_nothing_is_cut(three: Path) -> None:
    """Records that are appended behind the damage are found, too."""
    data, borders = three.read_bytes(), streams_of(three)
    whole = blocks_of(three)
    rng = Random(1)
    places = {*rng.sample(range(len(data)), 40), *(border + place for border in borders[:-1] for place in (0, 6, 12)),
              *(border - place for border in borders[1:] for place in (1, 4, 8, 12, 16, 24))}
    for place in sorted(places):
        hit = max(number for number, border in enumerate(borders[:-1]) if border <= place)
        broken = bytearray(data)
        broken[place] ^= 1 << rng.randrange(8)
        three.write_bytes(broken)
        left = [block for number, block in enumerate(whole) if number != hit]
        found = [block for block in blocks_of(three) if block]
        assert found in (left, whole), place    # a bit of a reserved field or of padding may say nothing
        with SampleFile(three) as file:
            added = file.add(walk(4, 30))
        assert added > 20
        assert three.read_bytes().startswith(broken), place
        assert [block for block in blocks_of(three) if block][:-1] == found
        assert len(read(three)) == sum(map(len, found)) // 40 + added


def test_a_stream_that_was_cut_off_is_passed_over_where_others_follow(three: Path,
                                                                      capsys: pytest.CaptureFixture[str]) -> None:
    """As when `cat` joins the file of a killed run with a whole one."""
    data, borders, whole = three.read_bytes(), streams_of(three), blocks_of(three)
    for length in (borders[1] + 1, borders[1] + 9, borders[1] + 100, borders[2] - 1):
        three.write_bytes(data[:length] + data)
        assert blocks_of(three) == whole[:1] + whole
        assert f"bytes {borders[1]} to {length}: this stream is " in capsys.readouterr().err
        with SampleFile(three) as file:
            assert file.count == sum(map(len, whole[:1] + whole)) // 40
        assert three.read_bytes() == data[:length] + data


def test_a_long_stream_that_was_cut_off_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A download, for example, whose beginning xz can still read."""
    monkeypatch.setattr(files, "MOST_CUT", 500)
    path = tmp_path / "some.psv.xz"
    packed = lzma.compress(np.concatenate([walk(seed, 30) for seed in range(4)]).tobytes())
    assert len(packed) > 1000
    for length, kept in ((490, False), (900, True)):
        path.write_bytes(packed[:length])
        with SampleFile(path) as file:
            file.add(walk(9))
        assert path.read_bytes().startswith(packed[:length]) == kept
        assert read(path).tobytes() == walk(9).tobytes()


def test_what_is_damaged_is_said_and_where(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, borders = bytearray(three.read_bytes()), streams_of(three)
    data[borders[1] + 40] ^= 1
    three.write_bytes(data)
    assert len(read(three)) == 21 + 22
    assert re.fullmatch(rf"{three}, byte {borders[1] + 12}: .*; 21 positions are passed over\n",
                        capsys.readouterr().err)
    data[borders[2] - 1] ^= 1
    three.write_bytes(data)
    assert len(read(three)) == 21 + 22
    assert capsys.readouterr().err == (f"{three}, bytes {borders[1]} to {borders[2]}: this stream is damaged and is "
                                       "passed over\n")
    three.write_bytes(walk(1).tobytes())
    with refused(path=three):
        read(three)


@each(("name", "content"), [
    ("notes.psv", b"Games of the first week, the good ones.\nAnd others, that I do not want to lose.\n"),
    ("short.psv", b"notes"),
    ("zeros.psv", bytes(400)),
    ("notes.hcpe", b"Games of the first week, the good ones.\nAnd others, that I do not want to lose.\n"),
    ("notes.psv.xz", lzma.compress(b"Games of the first week,\nthe good ones.\n")),
    ("notes.psv.xz", b"Games of the first week, the good ones.\n"),
])
def test_a_file_of_something_else_is_left_as_it_is(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UserError) as raised:
        SampleFile(path)
    assert str(raised.value.fault.fields["path"]) == str(path)
    assert path.read_bytes() == content


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
    (40, 1, 655_360, "a block holds 40 bytes instead of 655360; 16384 positions are passed over"),
    (30_000_000, 1, 40, "a block holds 41 bytes or more instead of 40; 1 positions are passed over"),
    (40, 1 << 60, 40, "this stream is damaged and is passed over"),
    (40, 1, 1 << 60, None),
])
def test_an_index_that_lies_is_not_believed(tmp_path: Path, content: int, count: int, claimed: int,
                                            complaint: str | None, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.psv.xz"
    packed = lzma.compress(bytes(content), preset=0)
    size = len(packed) - 24 - 4 * (int.from_bytes(packed[-8:-4], "little") + 1)
    path.write_bytes(with_index(packed, count, size, claimed))
    with little_memory():
        if complaint:
            assert len(read(path)) == 0
            assert complaint in capfd.readouterr().err
        else:
            with refused(path=path, size=1 << 60, block=...):
                read(path)


def test_an_endless_number_in_an_index_is_refused_in_little_time(tmp_path: Path) -> None:
    """An index whose 800,000 bytes are one number. Adding it up byte by byte takes quadratic time, 20 s."""
    path, packed = tmp_path / "some.psv.xz", lzma.compress(bytes(40))
    index = b"\0" + b"\xff" * 800_000
    index += bytes(-len(index) % 4)
    index += zlib.crc32(index).to_bytes(4, "little")
    footer = (len(index) // 4 - 1).to_bytes(4, "little") + packed[-4:-2]
    path.write_bytes(packed[:12] + index + zlib.crc32(footer).to_bytes(4, "little") + footer + packed[-2:])
    began = time.process_time()
    assert len(RecordFile(path)) == 0
    assert time.process_time() - began < 5


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
    with refused(path=path, size=4001, block=655360):
        read(packed("--block-size=4001"))
    monkeypatch.setattr(files, "LARGEST_BLOCK", 1000)
    with refused(path=path, size=28800, block=...):
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
        refused(Locked, path=out).ended(invoke(generate if "--out" in words else learn, *words, status=1))
    assert list(small.parent.iterdir()) == [small]
