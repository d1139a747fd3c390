"""Making a book by our own search: what is followed, and how a run is continued."""
from pathlib import Path

from engine import Position
from scripts import make_book
from scripts.make_book import Analyst, expand
from tests.scripts.commands import invoke
from usi.book.db import BookMove, Entry, blocks, open_book

START = Position().sfen


def after(*moves: str) -> str:
    position = Position()
    for move in moves:
        position.push(move)
    return position.sfen


class Scripted(Analyst):
    """Knows the scores of three moves wherever they are legal, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def entry(self, sfen: str) -> Entry:
        self.asked.append(sfen)
        scores = {"7g7f": 20, "2g2f": 0, "1g1f": -30, "3c3d": 5, "8c8d": 0}
        moves = (BookMove(move, None, score, 20) for move, score in scores.items() if Position(sfen).is_legal(move))
        placement, _, ply = sfen.rpartition(" ")
        return Entry(placement, int(ply), tuple(moves))


def test_the_most_plausible_come_first_and_the_bad_not_at_all() -> None:
    found = [entry.sfen for entry in expand({}, Scripted(), 100, 2, 40)]
    assert found == [START, after("7g7f"), after("2g2f")]
    wide = [entry.sfen for entry in expand({}, Scripted(), 100, 2, 50)]
    assert wide == [*found, after("1g1f")]
    deeper = [entry.sfen for entry in expand({}, Scripted(), 6, 3, 40)]
    assert deeper == [START, after("7g7f"), after("7g7f", "3c3d"), after("7g7f", "8c8d"), after("2g2f"),
                      after("2g2f", "3c3d")]


def test_a_position_reached_twice_is_searched_once_and_a_known_one_never() -> None:
    analyst = Scripted()
    entries = list(expand({}, analyst, 1000, 5, 40))
    assert len(set(analyst.asked)) == len(analyst.asked) == len(entries)
    again = Scripted()
    assert list(expand({entry.sfen: entry for entry in entries[1:]}, again, 1000, 5, 40)) == entries
    assert again.asked == [START]


def test_an_entry_has_the_best_moves_of_a_finished_iteration() -> None:
    analyst = Analyst(nodes=3000, depth=4, lines=3, hash_mb=1)
    entry = analyst.entry(START)
    assert len(entry.moves) == 3
    assert [move.score for move in entry.moves] == sorted((move.score for move in entry.moves), reverse=True)
    assert len({move.depth for move in entry.moves}) == 1
    position = Position(START)
    assert all(position.is_legal(move.move) for move in entry.moves)
    assert analyst.entry(START) == entry


def test_depth_is_reached_with_more_nodes_if_need_be() -> None:
    shallow = Analyst(nodes=300, depth=1, lines=2, hash_mb=1).entry(START)
    deep = Analyst(nodes=300, depth=shallow.moves[0].depth + 3, lines=2, hash_mb=1).entry(START)
    assert deep.moves[0].depth >= shallow.moves[0].depth + 3


def test_a_run_continues_what_an_earlier_one_left(tmp_path: Path) -> None:
    def run(out: Path, positions: int, nodes: int = 300, status: int = 0) -> str:
        return invoke(make_book, "--nodes", nodes, "--depth", 2, "--hash", 1, "--positions", positions, "--out", out,
                      status=status).output

    at_once, in_two = tmp_path / "at_once.db", tmp_path / "in_two.db"
    run(at_once, 6)
    run(in_two, 3)
    run(in_two, 6)
    assert in_two.read_bytes() == at_once.read_bytes()
    with open_book(at_once) as file:
        sfens = [block.entry().sfen for block in blocks(file, at_once)]
    assert len(sfens) == 6
    assert sfens == sorted(sfens)
    assert "was made otherwise" in run(in_two, 6, nodes=400, status=1)
