"""PGN with variations, as the standard and XBoard have it."""
import re
from random import Random

from engine import Position
from engine.pieces import LETTERS, WHITE_PIECE, square_digits, square_index
from engine.records.files import read_records
from engine.records.handicaps import HANDICAPS
from engine.records.kif import format_kif, parse_kif
from engine.records.pgn import format_pgn, parse_pgn, pgn_to_usi, usi_to_pgn
from engine.records.record import GameRecord
from tests.each import each
from tests.engine.records.trees import tree
from tests.faults import refused
from tests.references import cshogi

HEAD = '[Event "e"]\n[Variant "shogi"]\n\n'
NESTED = HEAD + """1. c4 {start} g6 ({instead} 1... b6 2. h4 (2. P-5f {deep} b5) 2... c6 {behind}) (1... P-8d)
2. h4 (2. Bxh8+ Sxh8 1-0) {after} c6 $1 {White resigns} 1-0
"""


def test_variations_are_read_where_they_leave_the_line() -> None:
    record, = parse_pgn(NESTED)
    assert tree(record) == (["7g7f", "3c3d", "2g2f", "7c7d"], {
        2: [(["8c8d", "2g2f", "7c7d"], {2: [(["5g5f", "8d8e"], {})]}), (["8c8d"], {})],
        3: [(["8h2b+", "3a2b"], {})]})
    first = record.variations[2][0]
    assert (first.initial_sfen, first.comments) == (record.position(1).sfen, {0: "instead", 3: "behind"})
    assert first.variations[2][0].comments == {1: "deep"}
    assert record.comments == {1: "start", 3: "after", 4: "White resigns"}
    assert (record.variations[3][0].terminal, record.variations[3][0].winner) == ("-ILLEGAL_ACTION", 0)
    assert (record.terminal, record.winner) == ("-ILLEGAL_ACTION", 0)
    assert tree(parse_kif(format_kif(record))) == tree(record)


@each(("moves", "found", "faults"), [
    ("1. c4 g6 (1... b6 2. h5 c6) (1... zz 2. h4) 2. h4 c6 *",
     (["7g7f", "3c3d", "2g2f", "7c7d"], {2: [(["8c8d"], {})]}),
     [refused(at=3, sfen=..., text="h5"), refused(about="Bxh", at=2, text="zz")]),
    ("(1. c4) 1. c4 g6 *", (["7g7f", "3c3d"], {}), [refused(about="before", at=1)]),
    ("1. c4) g6 *", (["7g7f", "3c3d"], {}), [refused(about="ends", at=2)]),
    ("1. c4 (1. h4 " + "(1. c4 " * 200, None, [refused(at=1, most=100)]),
    ("1. c4 g6 (1... b6 2. h4", (["7g7f", "3c3d"], {2: [(["8c8d", "2g2f"], {})]}), None),      # a file cut off
])
def test_a_fault_in_a_variation_loses_only_the_variation(moves: str, found: object,
                                                         faults: list[refused] | None) -> None:
    record, = parse_pgn(HEAD + moves, strict=False)
    assert found in (None, tree(record))
    if faults is not None:
        with faults[0]:
            parse_pgn(HEAD + moves)
        for fault, expected in zip(record.faults, faults, strict=True):
            expected.check(fault)


def test_a_variation_behind_the_result_belongs_to_the_game() -> None:
    games = parse_pgn(HEAD + "1. c4 g6 * (1... b6 2. h4) 1. h4 *")
    assert [tree(game) for game in games] == [
        (["7g7f", "3c3d"], {2: [(["8c8d", "2g2f"], {})]}), (["2g2f"], {})]
    assert len(read_records(NESTED + NESTED)) == 2


# -- Writing -----------------------------------------------------------------------------------------------------------

def test_what_was_read_is_written_as_it_was() -> None:
    record, = parse_pgn(NESTED)
    record.names, record.headers["START_TIME"] = ('A "quoted" \\ name', "春野"), "2026/11/20 10:00"
    text = format_pgn(record)
    assert ("1. c4 {start} 1... g6 ({instead} 1... b6 2. h4 (2. e4 {deep} 2... b5) 2... c6 {behind}) (1... b6) 2. h4"
            in " ".join(text.split()))
    assert "(2. Bxh8+ Sxh8 1-0)" not in text        # how a variation ends has no place
    again, = parse_pgn(text)
    assert tree(again) == tree(record)
    assert (again.names, again.comments, again.winner) == (record.names, record.comments, record.winner)
    assert again.headers == {"EVENT": "e", "START_TIME": "2026/11/20"}
    assert max(map(len, text.splitlines())) <= 80


def test_the_text_of_a_move_fits_no_other_move(varied_sfens: list[str]) -> None:
    for sfen in Random(8).sample(varied_sfens, 60):
        position = Position(sfen)
        texts = {move: usi_to_pgn(position, move) for move in position.legal_moves()}
        assert len(set(texts.values())) == len(texts)
        assert {move: pgn_to_usi(position, text) for move, text in texts.items()} == {move: move for move in texts}


def test_squares_agree_with_cshogi_whose_long_moves_are_read(varied_sfens: list[str]) -> None:
    for sfen in Random(9).sample(varied_sfens, 20):
        position, board = Position(sfen), cshogi.Board(sfen)
        for move in position.legal_moves():
            theirs = cshogi.PGN.move_to_san(board.move_from_usi(move))
            assert re.findall(r"[a-i][1-9]", theirs)[-1] == re.findall(r"[a-i][1-9]", usi_to_pgn(position, move))[-1]
            if not theirs.startswith("+K"):         # a promoted knight of theirs
                assert pgn_to_usi(position, theirs) == move


def test_a_set_up_and_several_games() -> None:
    first = GameRecord("4k4/9/4P4/9/9/9/9/9/4K4 w Gr2b 1", ["5a6a", "G*5b"], terminal="SENNICHITE")
    text = format_pgn(first, GameRecord(moves=["7g7f"]))
    assert '[FEN "4k4/9/4P4/9/9/9/9/9/4K4[Grbb] b 0 1"]' in text
    assert "1... Kd9 2. G@e8 1/2-1/2" in text
    games = parse_pgn(text)
    assert [(game.initial_sfen, game.moves) for game in games] == [
        (first.initial_sfen, first.moves), (GameRecord().initial_sfen, ["7g7f"])]


@each(("comment", "terminal"), [
    ("White forfeits on time", "TIME_UP"), ("White ran out of time", "TIME_UP"), ("White resigns", "TORYO"),
    ("Xboard: Forfeit due to illegal move", "ILLEGAL_MOVE"),
    # Remarks on the last move.
    ("there was a mate in 3", "TORYO"), ("White is mated soon", "TORYO"), ("no time left to think", "TORYO"),
    ("Sx2b would be illegal", "TORYO")])
def test_a_loss_is_what_the_last_comment_says_of_it(comment: str, terminal: str) -> None:
    (record,) = parse_pgn(f'[Variant "shogi"]\n\n1. c4 {{{comment}}} 1-0\n')
    assert (record.moves, record.winner, record.terminal) == (["7g7f"], 0, terminal)
    (mated,) = parse_pgn('[Variant "shogi"]\n[FEN "4k4/9/4P4/9/9/9/9/9/4K4[G] w 0 1"]\n\n1. G@e8 {checkmate} 1-0\n')
    assert mated.terminal == "TSUMI"


@each(("comment", "terminal"), [("Resigns", "TORYO"), ("--White resigned--", "TORYO"), ("Checkmated", "TSUMI"),
                                ("winning", None), ("drawish", None), ("Material is even", None)])
def test_the_end_of_a_psn_is_a_whole_word(comment: str, terminal: str | None) -> None:
    (record,) = parse_pgn(f'[Sente "A"]\n\n1.P7g-7f {{{comment}}}\n')
    assert record.terminal == terminal
    assert record.comments == ({} if terminal else {1: comment})


@each(("comment", "terminal"), [("Draw by repetition", "SENNICHITE"), ("I avoided a repetition", "HIKIWAKE")])
def test_a_draw_is_what_the_last_comment_says_of_it(comment: str, terminal: str) -> None:
    (record,) = parse_pgn(f'[Variant "shogi"]\n\n1. c4 {{{comment}}} 1/2-1/2\n')
    assert record.terminal == terminal


# -- PSN ---------------------------------------------------------------------------------------------------------------

def psn_move(position: Position, usi: str, rng: Random) -> str:
    """A legal move as programs write it in PSN, in a random one of the allowed spellings."""
    board = position.placement.board
    target, square = usi[2:4], rng.choice([usi[2:4], square_digits(usi[2:4])])
    kind = LETTERS.index(usi[0]) if usi[1] == "*" else position.piece_at(usi[:2]) % WHITE_PIECE
    rivals = [move for move in position.legal_moves() if move[1] != "*" and move[2:4] == target and move[:4] != usi[:4]
              and position.piece_at(move[:2]) % WHITE_PIECE == kind]
    letter = LETTERS[kind] if kind <= 8 else "+" + LETTERS[kind - 8]
    if usi[1] == "*":
        return rng.choice([f"{letter}*{square}", f"{letter}'{square}", *([] if rivals else [letter + square])])
    origin = usi[:2] if rivals or rng.random() < 0.3 else ""
    promotion = "+" if usi.endswith("+") else rng.choice(["", "=" if position.is_legal(usi + "+") else ""])
    if not board[square_index(target)]:
        return f"{letter}{origin}{rng.choice(['-', ''])}{square}{promotion}"
    short = [f"x{letter}{origin}{promotion}", f"{letter}{origin}x{promotion}"]
    is_recapture = bool(position.moves) and position.moves[-1][2:4] == target
    return rng.choice([f"{letter}{origin}x{square}{promotion}", *(2 * short if is_recapture else [])])


@each("seed", range(30))
def test_psn_of_every_writer_is_read_back(seed: int) -> None:
    rng, position, words = Random(seed), Position(), []
    for ply in range(120):
        captures = [move for move in position.legal_moves() if move[1] != "*" and position.piece_at(move[2:4])]
        moves = captures if captures and rng.random() < 0.6 else position.legal_moves()
        if not moves:
            break
        move = rng.choice(sorted(moves))
        numbers = [f"{ply + 1}.", f"{ply + 1}. "] if seed % 3 == 0 else [f"{ply // 2 + 1}."] if seed % 3 == 1 else [""]
        words.append((rng.choice(numbers) if seed % 3 != 1 or ply % 2 == 0 else "") + psn_move(position, move, rng))
        position.push(move)
    text = f'[Sente "A"]\n[Gote "B"]\n\n{" ".join(words)} ' + rng.choice(["Resigns", "{Resigns}", "{Sennichite}", ""])
    (record,) = read_records(text)
    assert record.moves == position.moves, text


@each(("name", "handicap"), [
    ("2 piece", "二枚落ち"), ("Two piece", "二枚落ち"), ("Rook, bishop", "二枚落ち"), ("6p", "六枚落ち"),
    ("rook and lance", "飛香落ち"), ("Right lance", "右香落ち"), ("8 pieces", "八枚落ち"),
    ("10-piece handicap", "十枚落ち"), ("None", "平手"), ("", "平手"),
])
def test_handicaps_of_psn(name: str, handicap: str) -> None:
    (record,) = parse_pgn(f'[Sente "A"]\n[Handicap "{name}"]\n\n1... *')
    assert record.initial_sfen == HANDICAPS[handicap]


def test_an_unknown_handicap_is_no_even_game() -> None:
    with refused(text="queen", names=...):
        parse_pgn('[Sente "A"]\n[Handicap "queen"]\n\n1. P-7f')


def test_times_stand_behind_a_move_or_its_number() -> None:
    (record,) = parse_pgn('[Sente "A"]\n\n1.P7g-7f (0:03 / 00:00:03)\n2.(1:02)P3c-3d\n3.Resigns (00:05 / 00:00:08)')
    assert (record.moves, record.times, record.terminal) == (["7g7f", "3c3d"], {1: 3, 2: 62, 3: 5}, "TORYO")
    (record,) = parse_pgn(HEAD + "1. c4 (1. h4) g6 *")
    assert list(record.variations) == [1]


@each(("text", "fault"), [
    ("xP", refused(about="takes", text="xP")), ("G-5h", refused(text="G-5h", moves=["4i5h", "6i5h"], sfen=...)),
    ("Px5e", refused(sfen=..., text="Px5e")), ("x", refused(about="Bxh", text="x")),
    ("76", refused(about="Bxh", text="76")),
])
def test_moves_that_western_notation_does_not_have(text: str, fault: refused) -> None:
    with fault:
        pgn_to_usi(Position(), text)
