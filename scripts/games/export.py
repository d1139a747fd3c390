"""Games of a match as records in CSA and KIF, with the players' scores and lines as comments."""
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from engine.records.csa import format_csa
from engine.records.gameover import GameOver, Reason
from engine.records.japanese import SIDE_NAMES
from engine.records.kif import format_kif
from engine.records.record import OFFENCES, GameRecord
from engine.sfen import parse_position
from scripts.games.played import PlayedGame
from scripts.games.rules import End
from scripts.games.standings import Standings
from search.limits import is_superior
from usi.files.writing import write_file
from usi.words.wording import SUPERIOR

GAMES, KIF = "games.csa", "kif"     # a file and a folder

# CSA's words for ends that are not by the rules; engine.records.gameover has the words for ends by the rules. A crash
# or silence counts as time run out. For a game that the scores decide, CSA has no word: it is written as resigned if
# the loser is to move. If the winner is to move, it is written as an offence of the loser, the only word that says who
# won. A comment gives the real reason.
TERMINALS: dict[End, str] = {
    "resignation": "TORYO", "declaration": "KACHI", "drawish": "HIKIWAKE", "time-out": "TIME_UP",
    "silence": "TIME_UP", "crash": "TIME_UP", "illegal move": "ILLEGAL_MOVE", "false declaration": "ILLEGAL_MOVE",
}


def record_of(game: PlayedGame, names: tuple[str, str], event: str, csa: bool) -> GameRecord:
    """A game with the names of Black and White. Comments hold the score from Black's side: in CSA (`csa`) as
    floodgate writes it, in KIF as GUIs read it."""
    sfen, moves = parse_position(game.record)
    record = GameRecord(sfen, moves, names, {"EVENT": event} | ({"START_TIME": started(game)} if game.began else {}),
                        terminal=terminal(game))
    for number, (time_ms, score, depth, nodes) in enumerate(game.thoughts):
        ply = game.opening_plies + number + 1
        record.times[ply] = time_ms / 1000
        side = (game.first + number) % 2
        if score is not None:
            value = score if side == 0 else -score
            known = [("深さ", depth), ("ノード数", nodes), ("評価値", None if is_superior(score) else value)]
            kif = " ".join(f"{name} {figure}" for name, figure in known if figure is not None)
            if not csa:
                record.add_comment(ply, f"対局 {kif}" + f" {SIDE_NAMES[value < 0]}{SUPERIOR}" * is_superior(score))
            elif not is_superior(score):        # Floodgate has a place for a number alone
                record.add_comment(ply, f"* {value}")
    end = {0: "▲", 1: "△", None: "="}[game.winner]
    record.add_comment(len(moves) + 1, f"{end} {game.end}" + f": {game.detail}" * bool(game.detail))
    return record


def started(game: PlayedGame) -> str:
    return game.began[:19].replace("-", "/").replace("T", " ")


def terminal(game: PlayedGame) -> str:
    if game.end == "score":
        assert game.winner is not None
        turn = (game.first + game.plies) % 2
        return "TORYO" if game.winner != turn else OFFENCES[1 - game.winner]
    return TERMINALS.get(game.end) or GameOver(game.winner, cast(Reason, game.end)).terminal


def records(standings: Standings, csa: bool) -> Iterator[tuple[int, GameRecord]]:
    """All games with their numbers, from 1."""
    for number, game in sorted(standings.games.items()):
        black, white = (standings.names[player] for player in standings.players_of(number))
        yield number + 1, record_of(game, (black, white), f"game {number + 1}", csa)


def write_records(folder: Path, standings: Standings) -> None:
    """Write games.csa with all games, and kif/NUMBER.kifu with one each (in UTF-8)."""
    kif = folder / KIF
    kif.mkdir(parents=True, exist_ok=True)
    text = format_csa(*(record for _, record in records(standings, csa=True)))
    write_file(folder / GAMES, text.encode())
    for number, record in records(standings, csa=False):
        write_file(kif / f"{number:05}.kifu", format_kif(record).encode())
