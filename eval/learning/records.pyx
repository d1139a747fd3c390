"""Records of training data in their two common forms, hcpe and PackedSfenValue (codings: engine/packed.pxd)."""
import numpy as np

from engine.errors import UserError

from engine.packed cimport (APERY, PACKED_BYTES, YANEURAOU, Placed, apery_move, move_of_apery, pack, unpack)
from engine.types cimport u8

# The fields have the names of cshogi. Scores are centipawns for the side to move.
HCPE = np.dtype([("hcp", "u1", PACKED_BYTES), ("eval", "<i2"), ("bestMove16", "<u2"), ("gameResult", "i1"),
                 ("dummy", "u1")])
PSV = np.dtype([("sfen", "u1", PACKED_BYTES), ("score", "<i2"), ("move", "<u2"), ("gamePly", "<u2"),
                ("game_result", "i1"), ("padding", "u1")])
_DRAW, _BLACK_WINS, _WHITE_WINS = 0, 1, 2       # gameResult of hcpe; PSV has 1, 0, -1 for the side to move


cdef recode(const u8[:, :] source, u8[:, :] target, int old, int new):
    cdef Placed placed
    cdef u8[PACKED_BYTES] bits
    cdef Py_ssize_t i, j
    for i in range(source.shape[0]):
        for j in range(PACKED_BYTES):
            bits[j] = source[i, j]
        if not unpack(&placed, bits, old):
            raise UserError(f"record {i} holds {bytes(bits[:PACKED_BYTES]).hex()}, which is no packed position")
        pack(bits, &placed, new)
        for j in range(PACKED_BYTES):
            target[i, j] = bits[j]


def converted(records):
    """Convert an array of HCPE to PSV, or the reverse. HCPE has no plies, so they become 0.

    Raises TypeError for another dtype, UserError with its index for a record with a malformed position.
    """
    if records.dtype == HCPE:
        other = np.zeros(len(records), PSV)
        recode(records["hcp"], other["sfen"], APERY, YANEURAOU)
        other["score"] = records["eval"]
        other["move"] = [move_of_apery(move) for move in records["bestMove16"].tolist()]
        to_move = np.where(records["hcp"][:, 0] & 1, _WHITE_WINS, _BLACK_WINS)
        other["game_result"] = np.where(records["gameResult"] == _DRAW, 0,
                                        np.where(records["gameResult"] == to_move, 1, -1))
        return other
    if records.dtype == PSV:
        other = np.zeros(len(records), HCPE)
        recode(records["sfen"], other["hcp"], YANEURAOU, APERY)
        other["eval"] = records["score"]
        other["bestMove16"] = [apery_move(move) for move in records["move"].tolist()]
        white_wins = (records["sfen"][:, 0] & 1) ^ (records["game_result"] < 0)
        other["gameResult"] = np.where(records["game_result"] == 0, _DRAW,
                                       np.where(white_wins, _WHITE_WINS, _BLACK_WINS))
        return other
    raise TypeError(f"records are of dtype HCPE or PSV, not {records.dtype}")
