"""From the name of an evaluation to an evaluator; expanded tables are shared by all engines of a user."""
import hashlib
import os
from pathlib import Path

from engine.errors import UserError
from eval.evaluator import Evaluator
from eval.files import NETWORK, features_of, parse_weights, read_bytes
from eval.files import TABLES as FILE_OF_TABLES
from eval.network import EvalNetwork
from eval.tables import VERSION, EvalTables, usable_kernels
from eval.tables.cache import cache_folder, path_of, shared
from eval.tables.expansion import expand

MATERIAL = "material"       # the name that asks for material alone
TABLES = "tables"           # … for the packaged tables
DEFAULT = "default.weights"
PACKAGED = Path(__file__).parent / "data" / DEFAULT
PACKAGED_TABLES = PACKAGED.with_name("tables.weights")

Expanded = tuple[memoryview, memoryview, memoryview, int]     # kk, kkp, kpp, tempo


def weights_file(name: str | os.PathLike[str] | None) -> Path | None:
    """The file that a user's name for an evaluation stands for: nothing for the packaged one, TABLES for the
    packaged tables, MATERIAL for none."""
    if name == MATERIAL:
        return None
    if name == TABLES:
        return PACKAGED_TABLES
    return Path(name) if name else PACKAGED


def weights_checksum(name: str | os.PathLike[str] | None) -> str:
    """What tells an evaluation from others, whatever the name of its file. OSError if that cannot be read."""
    path = weights_file(name)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path else MATERIAL


def load_evaluator(name: str | os.PathLike[str] | None = None) -> Evaluator:
    """What such a name stands for; of a file, the header says which kind. Tables are expanded at most once for all
    engines of a user.

    OSError if the file cannot be read; UserError if it is broken (see eval.files), or its weights make no evaluation
    of their kind; MemoryError. The message of the first two has the path."""
    path = weights_file(name)
    if path is None:
        return Evaluator()
    data = _bytes_of(path)
    return Evaluator(_network(data, path) if features_of(data, path) == NETWORK else _tables(data, path))


def read_expanded(path: Path) -> Expanded:
    """The arrays of a weights file's tables, for EvalTables.from_arrays: kk, kkp, kpp, tempo. Raises likewise."""
    return _expanded(_bytes_of(path), path)


def _network(data: bytes, path: Path) -> EvalNetwork:
    weights = parse_weights(data, path)
    try:
        return EvalNetwork.from_arrays(weights.arrays)
    except UserError as fault:
        raise UserError(f"{str(path)!r}: {fault}; use weights trained for this engine") from None


def _tables(data: bytes, path: Path) -> EvalTables:
    return shared(cache_folder(), _key(data), lambda: EvalTables.from_arrays(*_expanded(data, path)), EvalTables.save,
                  EvalTables.map)


def cached_file(name: str | os.PathLike[str] | None, folder: Path) -> Path | None:
    """Where the expanded tables of an evaluation lie, if they could be kept in that folder; None for what has no
    tables. OSError and UserError as `load_evaluator`."""
    path = weights_file(name)
    if path is None:
        return None
    data = _bytes_of(path)
    return path_of(folder, _key(data)) if features_of(data, path) == FILE_OF_TABLES else None


def _key(weights: bytes) -> str:
    """What expanded tables depend on."""
    return f"{hashlib.sha256(weights).hexdigest()[:32]}-{usable_kernels()[0]}-{VERSION}"


def _bytes_of(path: Path) -> bytes:
    if path.exists() and not path.is_file():        # a pipe would never end
        raise UserError(f"{str(path)!r}: a folder, or no ordinary file; give a weights file")
    return read_bytes(path)


def _expanded(data: bytes, path: Path) -> Expanded:
    weights = parse_weights(data, path)
    if weights.features != FILE_OF_TABLES:
        raise UserError(f"{str(path)!r}: a network's weights, which make no tables; give a file of tables")
    try:
        return *expand(weights.arrays), weights.tempo
    except UserError as fault:
        raise UserError(f"{str(path)!r}: {fault}; use weights trained for this engine") from None
