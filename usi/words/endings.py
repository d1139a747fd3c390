"""How games ended, in words."""
from engine.records.gameover import ending_of
from engine.records.record import DRAWS, GameRecord
from usi.words.language import _, side_name
from usi.words.wording import move_count

# By the ending's name (engine.records.record).
ENDINGS = {
    "TORYO": "resignation", "TIME_UP": "time", "ILLEGAL_MOVE": "an illegal move", "TSUMI": "mate",
    "+ILLEGAL_ACTION": "a rule broken", "-ILLEGAL_ACTION": "a rule broken", "LOSS_BY_DEFAULT": "a default",
    "WIN_BY_DEFAULT": "a default", "KACHI": "declaration", "PERPETUAL_CHECK": "perpetual check",
    "SENNICHITE": "fourfold repetition", "JISHOGI": "impasse", "HIKIWAKE": "agreement",
    "MAX_MOVES": "the limit of moves", "CHUDAN": "broken off", "FUZUMI": "no mate", "MATTA": "a move taken back",
    "ERROR": "an error",
}


def ending_text(record: GameRecord) -> str | None:
    """How a game ended, as a sentence; None if neither the record nor the rules say."""
    ending = ending_of(record)
    if not ending:
        return None
    (terminal, winner), moves = ending, move_count(len(record.moves))
    if terminal == "PERPETUAL_CHECK":
        assert winner is not None
        return _("{loser} lost after {moves} by perpetual check", loser=side_name(1 - winner), moves=moves)
    end = _(ENDINGS[terminal])
    if winner is not None:
        return _("{side} won after {moves}: {end}", side=side_name(winner), moves=moves, end=end)
    if terminal in DRAWS:
        return _("drawn after {moves}: {end}", moves=moves, end=end)
    return _("no result after {moves}: {end}", moves=moves, end=end)
