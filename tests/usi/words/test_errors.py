"""Errors in Japanese. Each is raised by the file named with it."""
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import Position, UserError
from engine.errors import Listed, Phrase
from engine.packed import unpacked
from engine.records.csa import csa_to_usi
from engine.records.files import find_records
from engine.records.kif import kif_to_usi
from engine.records.record import GameRecord
from engine.records.writing import encoded
from eval.files import parse_weights
from scripts.games.openings import load
from scripts.games.search_player import SearchPlayer
from scripts.games.timecontrol import PlayerLimits
from scripts.stats.elo import Sprt
from search import analyse
from search.parameters import with_changes
from search.skill import Skill
from tests.each import each
from tt.table import TranspositionTable
from usi.book.lookup import InMemory
from usi.client.replies import parse_reply
from usi.commands.play.typed import read_move
from usi.files.journal import Journal, Kind
from usi.files.reading import read_text_file
from usi.session.options import Options
from usi.session.protocol import parse_setoption
from usi.words.language import translate
from usi.workers.pool import worker_pool

FILE = Path("file")


pytestmark = pytest.mark.usefixtures("japanese")


def written(text: str | bytes) -> Path:
    FILE.write_bytes(text.encode() if isinstance(text, str) else text)
    return FILE


def another_run() -> object:
    kind = Kind(Phrase("the games of a match"), Phrase("game"), lambda row: (1, row), lambda _key, row: row)
    FILE.unlink(missing_ok=True)
    Journal(FILE, kind, {"nodes": 7}).close()
    return Journal(FILE, kind, {"nodes": 8})


PAWNS = "4k4/9/p8/p8/9/9/9/9/4K4 b - 1"
CHECK = "4k4/4R4/9/9/9/9/9/9/4K4 b - 1"
ERRORS: list[tuple[str, Callable[[], object], str]] = [
    ("engine/errors.py", lambda: Position().perft(-1), "depth=-1: 0 以上にしてください"),
    ("engine/sfen.py", lambda: Position(PAWNS), f"'{PAWNS}': 後手が 9 筋で二歩になっています"),
    ("engine/sfen.py", lambda: Position("4k4/9/9/9/9/9/9/9/4K4 b 19P 1"),
     "'4k4/9/9/9/9/9/9/9/4K4 b 19P 1': 歩が全部で 19 枚ありますが、駒は 18 枚までです"),
    ("engine/fastsfen.pyx", lambda: Position(CHECK), f"'{CHECK}': 後手に王手がかかっているのに、先手の手番です"),
    ("engine/movetext.pyx", lambda: Position().push("5a5b+9"),
     "'5a5b+9' は指し手ではありません。7g7f、2b3c+、P*5e のように書いてください"),
    ("engine/board.pyx", lambda: Position(CHECK.replace(" b ", " w ")).push_null(),
     f"'{CHECK.replace(' b ', ' w ')}': 王手をかけられている側は手番を渡せません"),
    ("engine/packed.pyx", lambda: unpacked(b"\0", "hcp"), "00 は 1 バイトです。圧縮した局面は 32 バイトです"),
    ("engine/records/csa.py", lambda: csa_to_usi(Position(), "-3334FU"), "'-3334FU' は後手の手ですが、先手の手番です"),
    ("engine/records/kif.py", lambda: kif_to_usi(Position(), "７六銀(77)"),
     "'７六銀(77)' は銀の手ですが、77 にあるのは歩です"),
    ("engine/records/files.py", lambda: find_records("startpos moves 7g7f 7g7f"),
     f"USI として: 1 行目: 2 手目: '7g7f' は局面 '{Position.from_usi('startpos moves 7g7f').sfen}' では指せません"),
    ("engine/records/formats.py", lambda: encoded(Path("a.abc"), GameRecord()),
     "'a.abc' の拡張子が .kif、.kifu、.ki2、.ki2u、.csa、.jkf、.pgn、.usi か .sfen のどれでもなく、形式が分かりません"),
    ("tt/table.pyx", lambda: TranspositionTable(0), "0 MB の表には何も入りません。1 MB 以上にしてください"),
    ("eval/files.py", lambda: parse_weights(b"", "a.bin"),
     "'a.bin': 重みのファイルではなく、空です。コピーし直してください"),
    ("search/skill.py", lambda: Skill.of_level(-1), "level=-1: レベルは 0 から 20 までです"),
    ("search/parameters.py", lambda: with_changes({"a": 1, "b": 2}),
     "a、b という定数はありません。search/parameters.py を見てください"),
    ("search/analysis.py", lambda: analyse(Position()),
     "nodes、depth、movetime のどれもないと検討が終わりません。どれか 1 つを指定してください"),
    ("usi/book/db.py", lambda: InMemory(written("#YANEURAOU-DB2016 1.00\nsfen x\n")),
     "file:2: 'sfen x' は局面（'sfen 盤 b|w 持駒 手数'）でも、その下の指し手（'指し手 応手 評価値 深さ 局数'）でも、"
     "コメント（'#'）でもありません"),
    ("usi/book/lookup.py", lambda: InMemory(written("#YANEURAOU-DB2016 1.00\n")), "file には局面がありません"),
    ("usi/client/replies.py", lambda: parse_reply("bestmove"),
     "'bestmove' に指し手がありません。ない場合も `resign` や `nomate` のような語が必要です"),
    ("usi/files/journal.py", another_run,
     "file の対局の記録は nodes が違います。同じ設定で続けるか、別のファイルを指定してください"
     "（ファイルでは nodes 7）"),
    ("usi/files/reading.py", lambda: read_text_file(written(b"ab\0\0d")),
     "文書ではありません（2 バイト目から 0 が続きます）。棋譜を指定してください"),
    ("usi/session/options.py", lambda: Options().find("Thraeds"),
     "'Thraeds' というオプションはありません。'Threads' でしょうか？"),
    ("usi/session/protocol.py", lambda: parse_setoption("Hash 3"),
     "setoption には 'name 名前 value 値' が必要で、'Hash 3' ではありません"),
    ("usi/commands/play/typed.py", lambda: read_move(Position(), "58金"),
     "「58金」に当たる手が複数あります: ５八金右 か ５八金左 と入力してください"),
    ("usi/commands/play/typed.py", lambda: read_move(Position(), "55歩打"),
     "「55歩打」: 先手の持駒に歩はありません（持駒: なし）"),
    ("usi/workers/pool.py", lambda: worker_pool(str, 0), "ジョブの数 0 では実行できません。1 以上にしてください"),
    ("scripts/games/openings.py", lambda: load(written("# a\n"), 9),
     "file: コメントのほかに行がありません。開始局面は `startpos moves …` か SFEN の行、または棋譜です"),
    ("scripts/games/search_player.py", SearchPlayer,
     "制限なし: nodes、movetime、byoyomi のどれか 1 つを 1 以上で指定してください"),
    ("scripts/games/timecontrol.py", lambda: PlayerLimits(byoyomi=1, increment=1),
     "0.001 s byoyomi + 0.001 s increment: USI では秒読みと加算を同時に使えません"),
    ("scripts/stats/elo.py", lambda: Sprt(5, 0), "SPRT の 5 と 0: 小さい Elo を先にしてください"),
]


@each(("place", "fail", "told"), ERRORS)
def test_errors_in_japanese(place: str, fail: Callable[[], object], told: str, tmp_path: Path,
                            monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as raised:
        fail()
    assert raised.value.told(translate) == told
    assert any(Path(frame.filename).as_posix().endswith(place) for frame in traceback.extract_tb(raised.tb))


def test_they_are_of_many_files() -> None:
    assert len({place for place, _fail, _told in ERRORS}) >= 20


def test_lists() -> None:
    names = ["a", Phrase("Black"), 3]
    assert [str(Listed(names[:count], " or ")) for count in range(4)] == ["", "a", "a or Black", "a, Black or 3"]
    assert Listed(names, " or ").told(translate) == "a、先手 か 3"
    assert [str(Listed(names, "; ")), Listed(names, " and ").told(translate)] == ["a; Black; 3", "a、先手、3"]


def test_a_place_keeps_the_class_and_the_fault() -> None:
    class Own(UserError):
        pass

    fault = Own("{count} games", count=3)
    placed = fault.at(Phrase("line {number}", number=2)).at("game.kif")
    assert (type(placed), placed.fault, placed.fault.fields) == (Own, fault, {"count": 3})
    assert (str(placed), fault.fault) == ("game.kif: line 2: 3 games", fault)
    assert placed.told(translate) == "game.kif: 2 行目: 3 games"


def test_braces_of_what_has_no_fields_and_of_fields_stay() -> None:
    assert str(UserError("a } is missing")) == "a } is missing"
    assert str(UserError("{text} is wrong", text="{x}").at("{y}")) == "{y}: {x} is wrong"
