"""Records of random games: written and read back, and exchanged with cshogi and rsshogi."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import cshogi
import pytest
import rsshogi.record
from cshogi import CSA, KIF

from engine import BLACK, WHITE, Position
from engine.notation.csa import format_csa
from engine.notation.files import read_record, read_records
from engine.notation.kif import HANDICAPS, format_kif
from engine.notation.record import TERMINALS, Record

RECORDS = Path(__file__).parent / "data" / "records"
MIDDLE_GAME = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
ENDS = sorted(TERMINALS - {"WIN_BY_DEFAULT", "LOSS_BY_DEFAULT"})           # these two CSA has no words for

Write = Callable[[Record], str]
Choose = Callable[[Position, list[str], Random], str]

WRITERS: dict[str, Write] = {"csa": format_csa, "kif": format_kif}


@pytest.fixture(scope="module")
def records(choose: Choose) -> list[Record]:
    rng = Random(4)
    starts = [*HANDICAPS.values(), MIDDLE_GAME]
    return [random_record(rng, choose, starts[i % len(starts)], ENDS[i % len(ENDS)]) for i in range(60)]


def random_record(rng: Random, choose: Choose, start: str, terminal: str) -> Record:
    position = Position(start)
    record = Record(position.sfen, names=("春野一歩", "Gote, A."), headers={"EVENT": "試験", "備考": "a: b"})
    record.comments[0] = "初手の前"
    for ply in range(1, rng.randint(1, 120)):
        moves = position.legal_moves()
        if not moves:
            break
        record.moves.append(choose(position, moves, rng))
        position.push(record.moves[-1])
        record.times[ply] = rng.randrange(4000)
        if rng.random() < 0.1:
            record.comments[ply] = "* 120 +7776FU\n\n三行目, 投了"
    record.terminal = terminal
    record.times[len(record.moves) + 1] = 3
    return record


@pytest.fixture(params=WRITERS)
def write(request: pytest.FixtureRequest) -> Write:
    return WRITERS[request.param]


def outcome(record: Record) -> tuple[object, ...]:
    """What every format keeps of a game; formats name some ends of equal meaning differently."""
    return record.initial_sfen, record.moves, record.winner


def test_csa_keeps_all(records: list[Record]) -> None:
    assert [read_record(format_csa(record)) for record in records] == records
    assert read_records(format_csa(*records)) == records


def test_kif_keeps_all_but_whose_turn_an_offence_ended(records: list[Record]) -> None:
    for record in records:
        copy = read_record(format_kif(record))
        assert outcome(copy) == outcome(record)
        copy.terminal = record.terminal
        assert copy == record


def test_encodings(records: list[Record], write: Write, tmp_path: Path) -> None:
    text = write(records[0])
    expected = read_record(text)
    for data in (text.encode(), text.encode("utf-8-sig"), text.encode("cp932"), text.replace("\n", "\r\n").encode()):
        (tmp_path / "record").write_bytes(data)
        assert read_record(data) == read_record(tmp_path / "record") == expected


def test_rsshogi_reads_ours(records: list[Record], write: Write) -> None:
    parse = {"csa": rsshogi.record.Record.from_csa_str, "kif": rsshogi.record.Record.from_kif_str}
    for record in records:
        theirs = parse["csa" if write is format_csa else "kif"](write(record))
        game = Position.from_usi(theirs.to_usi_position().removeprefix("position "))
        assert (game.initial_sfen, game.moves) == (record.initial_sfen, record.moves)
        winners = {BLACK: theirs.result.is_black_win(), WHITE: theirs.result.is_white_win()}
        assert [side for side, won in winners.items() if won] == [] if record.winner is None else [record.winner]


def test_ours_is_what_rsshogi_writes(records: list[Record]) -> None:
    for record in records:
        theirs = rsshogi.record.Record.from_csa_str(format_csa(record))
        for text in (theirs.to_csa(), theirs.to_csa(version="3.0"), theirs.to_kif()):
            assert outcome(read_record(text)) == outcome(record)


def test_cshogi_reads_our_csa(records: list[Record]) -> None:
    for record in records:
        [theirs] = CSA.Parser.parse_str(format_csa(record))
        assert [cshogi.move_to_usi(move) for move in theirs.moves] == record.moves
        assert cshogi.Board(theirs.sfen).sfen() == record.initial_sfen
        assert (theirs.names, theirs.endgame) == (list(record.names), f"%{record.terminal}")
        assert theirs.times == [record.times[ply + 1] for ply in range(len(record.moves) + 1)]


def test_cshogi_reads_our_kif(records: list[Record]) -> None:
    read = 0
    for record in records:
        text = format_kif(record)
        if "手合割：その他" in text:            # cshogi reads no board pictures
            continue
        theirs = KIF.Parser.parse_str(text)
        assert [cshogi.move_to_usi(move) for move in theirs.moves] == record.moves
        assert (theirs.names, theirs.sfen) == (list(record.names), record.initial_sfen)
        read += 1
    assert read > len(records) / 2


def test_a_damaged_record_is_read_or_refused_and_nothing_else(records: list[Record], write: Write) -> None:
    rng = Random(5)
    letters = sorted(set("".join(write(record) for record in records)) | set("²９\0\u2028"))
    refused = 0
    for record in records * 5:
        text = write(record)
        cut = rng.randrange(len(text))
        try:
            read_records(text[:cut] + rng.choice(["", *letters]) + text[cut + rng.randint(0, 2):])
        except ValueError:
            refused += 1
    assert refused > len(records)


def test_every_sample_is_written_and_read_back(write: Write) -> None:
    for path in RECORDS.iterdir():
        for record in read_records(path):
            assert outcome(read_record(write(record))) == outcome(record)


def test_who_won() -> None:
    for terminal, of_black, of_white in [
        ("TORYO", WHITE, BLACK), ("TIME_UP", WHITE, BLACK), ("ILLEGAL_MOVE", WHITE, BLACK), ("KACHI", BLACK, WHITE),
        ("+ILLEGAL_ACTION", WHITE, WHITE), ("-ILLEGAL_ACTION", BLACK, BLACK), ("SENNICHITE", None, None),
    ]:
        assert Record(terminal=terminal).winner == of_black
        assert Record(moves=["7g7f"], terminal=terminal).winner == of_white
    assert Record(HANDICAPS["香落ち"], terminal="TORYO").winner == BLACK
    assert Record().winner is None


def test_positions_of_a_record() -> None:
    record = Record(moves=["7g7f", "3c3d"])
    assert [record.position(ply).moves for ply in range(3)] == [[], ["7g7f"], ["7g7f", "3c3d"]]
    assert record.position().sfen == record.position(2).sfen
    with pytest.raises(ValueError, match="ply 3 is not between 0 and 2"):
        record.position(3)
    with pytest.raises(ValueError, match="'5a5b' is not legal"):
        Record(moves=["5a5b"]).position()


@pytest.mark.parametrize("source", ["", "\ufeff\n", b"", b" \r\n"])
def test_no_record_at_all(source: str | bytes) -> None:
    with pytest.raises(ValueError, match="there is no record"):
        read_records(source)


def test_bytes_of_no_known_encoding() -> None:
    with pytest.raises(ValueError, match="in neither UTF-8 nor Shift_JIS"):
        read_records("V2.2\nN+é\n".encode("utf-16"))


def test_several_games_where_one_is_wanted(records: list[Record]) -> None:
    with pytest.raises(ValueError, match="there are 2 games, not one"):
        read_record(format_csa(*records[:2]))


def test_what_does_not_fit_on_a_line_is_not_written(write: Write) -> None:
    for record in (Record(names=("A\nB", "")), Record(headers={"EVENT": "A\nB"})):
        with pytest.raises(ValueError, match="does not fit on one line"):
            write(record)


def test_illegal_moves_and_unknown_ends_are_not_written(write: Write) -> None:
    with pytest.raises(ValueError, match="'7g7e' is not legal"):
        write(Record(moves=["7g7e"]))
    with pytest.raises(ValueError, match="'GAME_OVER' is no way to end a game"):
        write(Record(terminal="GAME_OVER"))
