"""Analyses that pages show, and what a reader does and sees on a page."""
from functools import cache
from pathlib import Path
from random import Random

from engine import Position
from engine.records.record import GameRecord
from tests.browser import Browser
from usi.commands.analyze.analysis import Analysis, Assessment, Candidate
from usi.commands.analyze.report import page

NASTY = "</script><script>alert(1)</script>&<b>"


def assessed(record: GameRecord, ply: int, score: int, *lines: tuple[str, ...],
             mate: tuple[str, ...] = ()) -> Assessment:
    position = record.position(ply)
    candidates = tuple(Candidate(score - 10 * number, line) for number, line in enumerate(lines))
    return Assessment(ply, position.sfen, position.turn, score, 5, 7, 1000, 10, candidates, mate)


@cache
def long_game() -> Analysis:
    """A game of 200 plies with times and variations. Each position has a line of 24 moves; every 15th move is a
    mistake, of the two sides in turn."""
    rng, position, moves = Random(4), Position(), list[str]()
    while len(moves) < 224:
        move = rng.choice(position.legal_moves())
        position.push(move)
        if position.is_mate() or position.in_check:
            position.pop()
        else:
            moves.append(move)
    variations = {ply: [GameRecord(GameRecord(moves=moves).position(ply - 1).sfen, [moves[ply - 1]])]
                  for ply in range(5, 200, 5)}
    record = GameRecord(moves=moves[:200], times={ply: 17.0 * ply for ply in range(1, 201)}, variations=variations)
    found = Analysis(record)
    for ply in range(201):
        line = moves[ply:ply + 24]
        if ply % 15 == 14:
            line = [next(move for move in record.position(ply).legal_moves() if move != moves[ply])]
        found = found.plus(assessed(record, ply, 300 - ply, tuple(line)))
    return found


def show(browser: Browser, analysis: Analysis, folder: Path, width: int = 1280, dark: bool = False,
         language: str = "en") -> None:
    path = folder / "page.html"
    path.write_text(page(analysis), encoding="utf-8")
    browser.open(path, width, 900, dark, language)


def ply(browser: Browser) -> str:
    return browser.text("#ply").split(" ")[0]


def click_squares(browser: Browser, *names: str) -> None:
    """Click squares one after another, by their places in the picture, seen by Black."""
    for name in names:
        file, rank = 9 - int(name[0]), "abcdefghi".index(name[1])
        browser.click("#board", (8 + 40 * (file + .5)) / 388, (60 + 44 * (rank + .5)) / 508)


def piece_on(browser: Browser, name: str) -> str | None:
    square = 9 * "abcdefghi".index(name[1]) + 9 - int(name[0])
    piece: str | None = browser.see(f"""document.querySelector('#board [data-square="{square}"]')?.dataset.piece""")
    return piece
