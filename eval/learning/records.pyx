"""Records of training data in their two common forms, hcpe and PackedSfenValue (codings: engine/packed.pxd)."""
import numpy as np

from engine.errors import Listed, UserError

from engine.packed cimport (APERY, PACKED_BYTES, YANEURAOU, Placed, apery_move, move_of_apery, pack, unpack)
from engine.types cimport u8

# The fields have the names of cshogi. Scores are centipawns for the side to move.
HCPE = np.dtype([("hcp", "u1", PACKED_BYTES), ("eval", "<i2"), ("bestMove16", "<u2"), ("gameResult", "i1"),
                 ("dummy", "u1")])
PSV = np.dtype([("sfen", "u1", PACKED_BYTES), ("score", "<i2"), ("move", "<u2"), ("gamePly", "<u2"),
                ("game_result", "i1"), ("padding", "u1")])
_NAMES = {HCPE: "HCPE", PSV: "PSV"}
_DRAW, _BLACK_WINS, _WHITE_WINS = 0, 1, 2       # gameResult of hcpe; PSV has 1, 0, -1 for the side to move


def require_records(records, *forms):
    """Raise TypeError unless `records` is a one-dimensional array of one of the dtypes `forms`: HCPE, PSV or both."""
    if not isinstance(records, np.ndarray) or records.ndim != 1:
        raise TypeError(f"give a one-dimensional array of records, not {type(records).__name__} of shape "
                        f"{np.shape(records)}")
    if records.dtype not in forms:
        raise TypeError(f"records are of dtype {' or '.join(_NAMES[form] for form in forms)}, not {records.dtype}")


def require_results(results, int least):
    """Raise UserError, with its index, for a game result (int8[n]) that is not `least` or one of the next two."""
    wrong = np.flatnonzero((results < least) | (results > least + 2))
    if len(wrong):
        raise UserError("record {number} holds the game result {result}; it has to be {results}", number=wrong[0],
                        result=results[wrong[0]], results=Listed(range(least, least + 3), " or "))


cdef recode(const u8[:, :] source, u8[:, :] target, int old, int new):
    cdef Placed placed
    cdef u8[PACKED_BYTES] bits
    cdef Py_ssize_t i, j
    for i in range(source.shape[0]):
        for j in range(PACKED_BYTES):
            bits[j] = source[i, j]
        if not unpack(&placed, bits, old):
            raise UserError("record {number} holds {hex}, which is no packed position", number=i,
                            hex=bytes(bits[:PACKED_BYTES]).hex())
        pack(bits, &placed, new)
        for j in range(PACKED_BYTES):
            target[i, j] = bits[j]


def converted(records):
    """Convert an array of HCPE to PSV, or the reverse. HCPE has no plies, so they become 0.

    Raises TypeError for anything but a one-dimensional array of these, UserError with its index for a record without a
    valid position or result.
    """
    require_records(records, HCPE, PSV)
    if records.dtype == HCPE:
        require_results(records["gameResult"], _DRAW)
        other = np.zeros(len(records), PSV)
        recode(records["hcp"], other["sfen"], APERY, YANEURAOU)
        other["score"] = records["eval"]
        other["move"] = [move_of_apery(move) for move in records["bestMove16"].tolist()]
        to_move = np.where(records["hcp"][:, 0] & 1, _WHITE_WINS, _BLACK_WINS)
        other["game_result"] = np.where(records["gameResult"] == _DRAW, 0,
                                        np.where(records["gameResult"] == to_move, 1, -1))
        return other
    require_results(records["game_result"], -1)
    other = np.zeros(len(records), HCPE)
    recode(records["sfen"], other["hcp"], YANEURAOU, APERY)
    other["eval"] = records["score"]
    other["bestMove16"] = [apery_move(move) for move in records["move"].tolist()]
    white_wins = (records["sfen"][:, 0] & 1) ^ (records["game_result"] < 0)
    other["gameResult"] = np.where(records["game_result"] == 0, _DRAW,
                                   np.where(white_wins, _WHITE_WINS, _BLACK_WINS))
    return other
