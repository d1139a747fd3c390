"""The table of formats: each keeps the parts of a game that its row lists, and names all others as lost."""
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from engine.records.files import find_records
from engine.records.formats import FORMATS, PARTS, SUFFIXES, WRITTEN, Format, Part
from engine.records.game import Game
from engine.records.record import GameRecord
from engine.records.writing import formatted, written
from tests.each import each
from tests.faults import refused

TOOLS = Path(__file__).parents[3] / "docs" / "TOOLS.md"
BARE = GameRecord(moves=["7g7f", "3c3d", "2g2f"])
SPECIMENS: dict[Part, GameRecord] = {
    "variations": replace(BARE, variations={2: [GameRecord(BARE.position(1).sfen, ["8c8d", "2g2f"])]}),
    "comments": replace(BARE, comments={0: "角換わり", 2: "one line"}),
    "times": replace(BARE, times={1: 5, 2: 61, 3: 3600}),
    "names": replace(BARE, names=("春野", "A. B")),
    "nags": replace(BARE, nags={1: [1, 14], 2: [4]}),
    "headers": replace(BARE, headers={"END_TIME": "2026/01/02", "OPENING": "角換わり", "EVENT": "x"}),
    "results": replace(BARE, terminal="SENNICHITE"),
}
ALL_PARTS = replace(SPECIMENS["variations"], terminal="SENNICHITE", **{
    part: getattr(SPECIMENS[part], part) for part in PARTS[1:-1]})


@each("suffix", SUFFIXES)
@each("part", [*PARTS, None])
def test_a_format_keeps_the_parts_of_its_row_and_no_others(suffix: str, part: Part | None, tmp_path: Path) -> None:
    parts: Iterable[Part] = PARTS if part is None else (part,)
    game, path = Game(ALL_PARTS if part is None else SPECIMENS[part]), tmp_path / f"game{suffix}"
    lost = [each for each in parts if each not in SUFFIXES[suffix].holds]
    form = SUFFIXES[suffix].name
    if lost:
        for write in (lambda: game.write(path), lambda: game.text(form.lower())):
            with refused(format=form, things=...) as raised:
                write()
            assert str(raised.fields["things"]).startswith(lost[0])
        assert not path.exists()
    else:
        assert game.write(path) == []
        assert game.text(form.lower())
    assert game.write(path, strict=False) == lost
    found = find_records(path)
    assert (found.format, found.encoding) == (form, SUFFIXES[suffix].suffixes[suffix] if part is None else
                                              found.encoding)
    assert found.records[0].moves == BARE.moves
    for each_part in {*parts} - {*lost} - {"results"}:
        assert getattr(found.records[0], each_part) == getattr(game.record, each_part)
    path.unlink()


@each("form", WRITTEN)
def test_a_file_holds_several_games_where_the_row_says_so(form: Format) -> None:
    if form.several:
        text, _lost = formatted(form, [BARE, replace(BARE, moves=["2g2f"])])
        assert [record.moves for record in form.read(text, True)] == [BARE.moves, ["2g2f"]]
    else:
        with refused(format=form.name, count=2):
            formatted(form, [BARE, BARE])


@each(("suffix", "game", "lost"), [
    (".kif", replace(BARE, times={1: 0.5}), ["times"]),             # whole seconds
    (".csa", replace(BARE, times={1: 0.5}), []),
    (".csa", replace(BARE, headers={"a:b": "c"}), ["headers"]),
    (".csa", replace(BARE, terminal="WIN_BY_DEFAULT"), ["results"]),
    (".pgn", replace(BARE, comments={2: "two\n\nlines"}), ["comments"]),
    (".pgn", replace(BARE, variations={4: [GameRecord(BARE.position().sfen, ["8c8d"])]}), ["variations"]),
    (".kifu", replace(BARE, names=("two\nlines", "")), ["names"]),
    (".kifu", replace(BARE, headers={"まで": "1"}), ["headers"]),   # it would be read as something else
    (".usi", replace(BARE, terminal="TORYO"), []),
])
def test_what_of_a_part_does_not_fit_is_lost_too(suffix: str, game: GameRecord, lost: list[Part]) -> None:
    assert written(Path(f"game{suffix}"), [game], strict=False)[1] == lost


def test_each_text_is_recognised_by_its_own_row_alone_or_by_a_laxer_one() -> None:
    for form in WRITTEN:
        text, _lost = formatted(form, [ALL_PARTS], strict=False)
        assert [each for each in FORMATS if each.recognises(text)][-1] is form


def test_the_documents_have_the_table() -> None:
    rows = [[form.name, ", ".join(f"`{suffix}`" + " (Shift_JIS)" * (encoding == "Shift_JIS")
                                  for suffix, encoding in form.suffixes.items()),
             "several" if form.several else "one", *("yes" if part in form.holds else "no" for part in PARTS)]
            for form in WRITTEN]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    head = f"| {' | '.join(['Format', 'Files', 'Games', *(part.capitalize() for part in PARTS)])} |\n"
    assert f"{head}{'|---' * (len(PARTS) + 3)}|\n{table}" in TOOLS.read_text(encoding="utf-8"), table
