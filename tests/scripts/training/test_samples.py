"""Training records of single positions."""
from engine import BLACK, WHITE, Position
from engine.packed import unpacked, usi
from scripts.training.samples import MAX_SCORE, records, sample


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
