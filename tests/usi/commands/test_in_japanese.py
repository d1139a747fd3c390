"""A Japanese reader sees no English word in the output and errors of any command."""
import re
from pathlib import Path

import pytest

from engine.records.kif import format_kif
from engine.records.record import GameRecord
from tests.each import each
from tests.usi.commands.running import invoke

QUICK = ("--nodes", "300", "--hash", "1", "--eval-file", "material")
# Names and what is typed or written in files: no words of a sentence.
KNOWN = set("""
    Gakushi DebugLogFile BookOnTheFly IgnoreBookPly FlippedBook BookMoves BookDepthLimit USI_Hash Threads Shift_JIS SFEN
    startpos sfen moves packaged material tables engine book show merge help kifu jkf sfens
    json OPTIONS POSITION RECORD RECORDS PROBLEM FILE BOOKS DEPTH COMMAND ARGS
    japanese white black random MINUTES SECONDS
    python NumPy matplotlib gakushi plot pip install fonts noto cjk ipafont checkout PYTHONPATH nthreads cluster
    RBGSNLP ASCII Enter JSON analyze perft play build convert diagram doctor completion eval mate bench shell
    SORTED FULL OTHER KEYWORD Variant shogi preset ulimit scheduler jobs save
""".split())
ONE = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"


pytestmark = pytest.mark.usefixtures("japanese")


def english(text: str) -> list[str]:
    """The words of four letters or more, without paths, options, quoted text, and names."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|--?[a-z][-a-z]*|\S*/\S*|\S+\.(?:db|kifu?|sfens|svg|png)\b", " ", text)
    return [word for word in re.findall(r"[A-Za-z_]{4,}", bare) if word not in KNOWN]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("game") / "game.kifu"
    record = GameRecord(moves=["7g7f", "3c3d", "8h3c+", "2b3c"], names=("甲", "乙"))
    path.write_text(format_kif(record), encoding="utf-8")
    return path


OUTPUTS = [
    (("analyze", *QUICK, "GAME"), 0, ""), (("analyze", *QUICK, "GAME", "GAME"), 0, ""),
    (("mate", "--hash", "4", "--all", ONE), 0, ""), (("mate", "--hash", "4", "4k4/9/9/9/9/9/9/9/4K4 b P 1"), 3, ""),
    (("eval",), 0, ""), (("eval", "--eval-file", "material"), 0, ""), (("perft", "1", "--divide"), 0, ""),
    (("bench", "--depth", "1", "--hash", "1", "--eval-file", "material"), 0, ""),
    (("book", "show", "packaged", "startpos"), 0, ""), (("book", "tree", "packaged", "--plies", "2"), 0, ""),
    (("book", "show", "packaged", "4k4/9/9/9/9/9/9/9/4K4 b P 1"), 1, ""),
    (("play", *QUICK, "--handicap", "二枚落ち", "--lines", "usi"), 0, "board\nhint\n7g7f\n9z9z\nhelp me\nquit\n"),
    (("analyze", "no.kif"), 1, ""), (("analyze", "--from", "9", "GAME"), 1, ""), (("analyze",), 2, ""),
    (("analyze", "--depht", "3", "GAME"), 2, ""), (("analyze", "--depth", "x", "GAME"), 2, ""),
    (("analyze", "--depth", "0", "GAME"), 2, ""), (("analyse", "GAME"), 2, ""), (("perft", "1", "2"), 2, ""),
    (("--bogus",), 2, ""), (("eval", "4k4/9 b - 1"), 1, ""), (("eval", "--eval-file", "no.bin"), 1, ""),
    (("analyze", "-"), 1, "nothing"), (("analyze", "--strict", "-"), 1, "7g7f 7g7f"),
    (("analyze", *QUICK, "-"), 0, "7g7f 7g7f"),
    (("play", "--handicap", "two"), 2, ""), (("play", "--ply", "3"), 2, ""),
    (("book", "build", "no", "--out", "x.db"), 2, ""),
    (("convert", "GAME", "x.abc"), 1, ""), (("diagram", "-o", "board.gif"), 1, ""),
    (("analyze", "--picture", "a.gif", "GAME"), 1, ""),
]


@each(("arguments", "status", "given"), OUTPUTS)
def test_no_english_word_is_left(arguments: tuple[str, ...], status: int, given: str, game: Path) -> None:
    words = [str(game) if word == "GAME" else word for word in arguments]
    assert english(invoke(*words, status=status, given=given).output) == []


@each(("arguments", "status", "given", "words"), [
    (("plya",), 2, "", "エラー: 'plya' というコマンドはありません。'play' でしょうか？"),
    (("analyze", "--depht", "3", "GAME"), 2, "",
     "'--depht' というオプションはありません。 '--depth', '--html' のどれかでしょうか？"),
    (("analyze", "--depth", "x", "GAME"), 2, "", "'--depth' の値が正しくありません: 'x' は数として読めません。"),
    (("analyze",), 2, "", "引数がありません: 'RECORD...'"),
    (("analyze", *QUICK, "FOLDER"), 0, "", "KIF（UTF-8）"),
    (("play", *QUICK, "--lines", "japanese", "--sfen", ONE), 0, "hint\nquit\n", "(1手詰、"),
    (("play", *QUICK, "--lines", "japanese", "--color", "black"), 0, "58金\nquit\n", "５八金右 か ５八金左 と入力"),
    (("play", *QUICK, "--handicap", "二枚落ち", "--color", "white"), 0, "55飛打\nquit\n", "上手の持駒に飛はありません"),
])
def test_words_for_people(arguments: tuple[str, ...], status: int, given: str, words: str, game: Path) -> None:
    places = {"GAME": game, "FOLDER": game.parent}
    output = invoke(*(places.get(word, word) for word in arguments), status=status, given=given).output
    assert words in output
