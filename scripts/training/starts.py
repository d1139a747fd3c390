"""Starting positions for self-play: openings, random moves, handicaps, and positions of earlier games."""
from collections import deque
from random import Random

from engine import BLACK, WHITE, Position
from engine.errors import UserError
from engine.pieces import KING, PROMOTED, WHITE_PIECE
from engine.records.handicaps import HANDICAPS
from engine.sfen import Placement, format_sfen
from search import Limits, Searcher, Settings

# The usual handicaps: a lance, the bishop, the rook, rook and lance, two pieces, four, six, eight.
STARTS_AT_ODDS = [HANDICAPS[name] for name in (
    "香落ち", "角落ち", "飛車落ち", "飛香落ち", "二枚落ち", "四枚落ち", "六枚落ち", "八枚落ち")]
# Shares of the kinds of start.
MIX = {"opening": 58, "random": 22, "handicap": 5, "entering": 6, "endgame": 7, "odd": 2}
UNBALANCED = ("handicap", "odd")
PLAYED_ON = ("entering", "endgame")     # games from these are played to the end, because such ends are rare in the data

START_DEPTH = 3         # of the search that judges a start
BALANCE = 600           # centipawns: a start beyond that is rejected, unless its kind is UNBALANCED
# For odd starts, drawn for each side: the share of its pieces that stays, and the share of the others that the opponent
# gets in hand. The rest is out of play.
STAYING = (1, 0.95, 0.9, 0.8, 0.6, 0.4, 0.2, 0)
GOING_OVER = (0, 0, 0.5, 1)
ATTEMPTS = 100          # to draw a start of one kind
LATE_PLY = 60           # from here on, positions may start later games
KEPT_FOR_STARTS = 0.2   # the share of them that is kept
POOL = 2000             # the most that are kept; the oldest go first


class Starts:
    """A source of starting positions. Late ones come from earlier games."""

    def __init__(self, openings: list[str], mix: dict[str, int], searcher: Searcher, rng: Random) -> None:
        self.openings = openings
        self.mix = mix
        self.searcher = searcher
        self.rng = rng
        self.late: deque[str] = deque(maxlen=POOL)

    def note(self, position: Position, score: int) -> None:
        """Offer a played position as a start of later games."""
        if position.move_number >= LATE_PLY and abs(score) <= BALANCE and self.rng.random() < KEPT_FOR_STARTS:
            self.late.append(position.sfen)

    def draw(self) -> tuple[str, Position]:
        """A kind of start and a position that is not over and, unless its kind is UNBALANCED, not decided."""
        kind = self.rng.choices(list(self.mix), list(self.mix.values()))[0]
        if kind in PLAYED_ON and not self.late:
            kind = "random"
        while True:
            for _ in range(ATTEMPTS):
                position = self._attempt(kind)
                if position is not None and not position.is_mate() and (
                        kind in UNBALANCED or self._balanced(position)):
                    return kind, position
            kind = "random"         # if no position was found: a random start always succeeds

    def _balanced(self, position: Position) -> bool:
        result = self.searcher.search(position, Limits(depth=START_DEPTH), Settings())
        return result.bestmove is not None and abs(result.score) <= BALANCE

    def _attempt(self, kind: str) -> Position | None:
        match kind:
            case "opening":
                position = Position.from_usi(self.rng.choice(self.openings))
                for _ in range(self.rng.randint(0, max(0, len(position.moves) - 4))):
                    position.pop()
                return self._shaken(position, self.rng.randint(0, 3))
            case "random":
                return self._shaken(Position(), self.rng.randint(3, 10))
            case "handicap":
                return self._shaken(Position(self.rng.choice(STARTS_AT_ODDS)), self.rng.randint(0, 4))
            case "entering":
                return self._entered(Position(self.rng.choice(self.late)))
            case "odd":
                usual = self.rng.choice(("opening", "random", "endgame") if self.late else ("opening", "random"))
                begun = self._attempt(usual)
                return begun and self._plundered(begun)
        return self._shaken(Position(self.rng.choice(self.late)), self.rng.randint(1, 3))

    def _shaken(self, position: Position, plies: int) -> Position | None:
        """The position after some random moves, if they do not end the game."""
        for _ in range(plies):
            moves = position.legal_moves()
            if not moves:
                return None
            position.push(self.rng.choice(moves))
        return position

    def _entered(self, position: Position) -> Position | None:
        """The position with one king or both on a free square of the enemy's camp, if that is possible."""
        placement = position.placement
        board = placement.board
        for side in self.rng.choice(((BLACK,), (WHITE,), (BLACK, WHITE))):
            king = KING + WHITE_PIECE * side
            camp = range(3) if side == BLACK else range(6, 9)
            free = [square for square in range(81) if square % 9 in camp and not board[square]]
            if king not in board or not free:
                return None
            board[board.index(king)] = 0
            board[self.rng.choice(free)] = king
        try:
            return Position(format_sfen(placement))
        except UserError:          # the side that is not to move would be in check
            return None

    def _plundered(self, position: Position) -> Position | None:
        """The position with some pieces removed, or given to the other side's hand, if that is possible."""
        board, hands, turn, _ = position.placement
        fresh: tuple[list[int], list[int]] = ([0] * len(hands[0]), [0] * len(hands[1]))
        shares = [(self.rng.choice(STAYING), self.rng.choice(GOING_OVER)) for _ in (BLACK, WHITE)]

        def owner(side: int) -> int | None:
            staying, going_over = shares[side]
            if self.rng.random() < staying:
                return side
            return side ^ 1 if self.rng.random() < going_over else None

        for side in (BLACK, WHITE):
            for kind, held in enumerate(hands[side]):
                for _ in range(held):
                    if (whose := owner(side)) is not None:
                        fresh[whose][kind] += 1
        for square, piece in enumerate(board):
            side, kind = divmod(piece, WHITE_PIECE)
            if piece and kind != KING and (whose := owner(side)) != side:
                board[square] = 0
                if whose is not None:
                    fresh[whose][kind - PROMOTED if kind > KING else kind] += 1
        try:
            return Position(format_sfen(Placement(board, fresh, turn, 1)))
        except UserError:          # the side that is not to move would be in check
            return None
