"""Random games with variations, and the moves of all lines."""
from random import Random

from engine import Position
from engine.records.record import GameRecord


def random_tree(record: GameRecord, position: Position, rng: Random, depth: int) -> None:
    """Play random moves, with variations nested up to `depth`. At each ply all lines begin with different moves."""
    for ply in range(1, rng.randint(3, 9)):
        moves = position.legal_moves()
        if len(moves) < 4:
            return
        chosen = rng.sample(moves, 3)
        if depth and rng.random() < 0.4:
            for move in chosen[1:1 + rng.randint(1, 2)]:
                variation = GameRecord(position.sfen, [move], comments={1: " a comment  "}, times={1: 7})
                after = position.copy()
                after.push(move)
                if rng.random() < 0.7:
                    tail = GameRecord(after.sfen)
                    random_tree(tail, after, rng, depth - 1)
                    variation.moves += tail.moves
                    variation.variations = {ply + 1: lines for ply, lines in tail.variations.items()}
                record.variations.setdefault(ply, []).append(variation)
        position.push(chosen[0])
        record.moves.append(chosen[0])


def tree(record: GameRecord) -> object:
    return record.moves, {ply: [tree(each) for each in lines] for ply, lines in record.variations.items()}
