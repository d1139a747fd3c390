"""Loading evaluators by name. Expanded tables are shared by all engines of a user."""
import hashlib
import os
import re
from pathlib import Path

from engine.errors import UserError
from eval.evaluator import Evaluator
from eval.files import NETWORK, features_of, parse_weights, read_bytes
from eval.files import TABLES as FILE_OF_TABLES
from eval.network import FV_SCALE, OURS, EvalNetwork
from eval.network.nnbin import FORMS
from eval.tables import VERSION, EvalTables, usable_kernels
from eval.tables.cache import cache_folder, path_of, shared
from eval.tables.expansion import expand

MATERIAL = "material"       # the name of material alone
TABLES = "tables"           # the name of the packaged tables
DEFAULT = "default.weights"     # the file that a folder of weights is searched for
COMMON_DEFAULT = "nn.bin"   # likewise, in a folder of another engine's
_SCALED = re.compile(r"(.+)@([1-9]\d{0,2})")
PACKAGED = Path(__file__).parent / "data" / DEFAULT
PACKAGED_TABLES = PACKAGED.with_name("tables.weights")

Expanded = tuple[memoryview, memoryview, memoryview, int]     # kk, kkp, kpp, tempo


def weights_file(name: str | os.PathLike[str] | None) -> Path | None:
    """The weights file for a name of an evaluation: empty or None for the packaged network, TABLES for the packaged
    tables, MATERIAL for no file (None), else a path, which may have an FV_SCALE behind it (see `scaled`)."""
    return file_and_scale(name)[0]


def scaled(name: str, fv_scale: int) -> str:
    """The name of an evaluation by a file, with the FV_SCALE for an nn.bin.

    >>> scaled("nn.bin", 20), scaled("nn.bin", FV_SCALE)
    ('nn.bin@20', 'nn.bin')
    """
    return name if fv_scale == FV_SCALE else f"{name}@{fv_scale}"


def file_and_scale(name: str | os.PathLike[str] | None) -> tuple[Path | None, int]:
    """The weights file for a name of an evaluation, as `weights_file` has it, and the FV_SCALE behind it."""
    if name == MATERIAL:
        return None, FV_SCALE
    if name == TABLES:
        return PACKAGED_TABLES, FV_SCALE
    path = Path(name) if name else PACKAGED
    found = _SCALED.fullmatch(path.name)
    if found and not path.exists():
        return path.with_name(found[1]), int(found[2])
    return path, FV_SCALE


def default_in(folder: Path) -> Path:
    """The weights file of a folder: COMMON_DEFAULT if there is one, else DEFAULT."""
    common = folder / COMMON_DEFAULT
    return common if common.exists() else folder / DEFAULT


def weights_checksum(name: str | os.PathLike[str] | None) -> str:
    """A checksum of an evaluation, which does not depend on the name of its file. Raises OSError if the file cannot be
    read."""
    path, fv_scale = file_and_scale(name)
    return scaled(hashlib.sha256(path.read_bytes()).hexdigest()[:16], fv_scale) if path else MATERIAL


def load_evaluator(name: str | os.PathLike[str] | None = None) -> Evaluator:
    """The evaluator for a name (see `weights_file`); a file's header gives its kind. Tables are expanded once for all
    engines of a user.

    Raises OSError if the file cannot be read, UserError if it is broken (see eval.files) or its weights do not fit its
    kind, and MemoryError. The messages of the first two give the path."""
    path, fv_scale = file_and_scale(name)
    if path is None:
        return Evaluator()
    data = _bytes_of(path)
    if features_of(data, path) == FILE_OF_TABLES:
        return Evaluator(_tables(data, path))
    return Evaluator(_network(data, path, fv_scale))


def read_expanded(path: Path) -> Expanded:
    """The expanded tables of a weights file, for EvalTables.from_arrays: kk, kkp, kpp, tempo. Raises as
    `load_evaluator` does."""
    return _expanded(_bytes_of(path), path)


def _network(data: bytes, path: Path, fv_scale: int) -> EvalNetwork:
    weights = parse_weights(data, path)
    form = OURS if weights.features == NETWORK else FORMS[weights.features].with_unit(fv_scale)
    try:
        return EvalNetwork.from_arrays(weights.arrays, form=form)
    except UserError as fault:
        raise UserError("{fault}; use weights trained for this engine", fault=fault).at(repr(str(path))) from None


def _tables(data: bytes, path: Path) -> EvalTables:
    return shared(cache_folder(), _key(data), lambda: EvalTables.from_arrays(*_expanded(data, path)), EvalTables.save,
                  EvalTables.map)


def cached_file(name: str | os.PathLike[str] | None, folder: Path) -> Path | None:
    """The file in `folder` for the expanded tables of an evaluation; None if it has no tables. Raises OSError and
    UserError as `load_evaluator` does."""
    path = weights_file(name)
    if path is None:
        return None
    data = _bytes_of(path)
    return path_of(folder, _key(data)) if features_of(data, path) == FILE_OF_TABLES else None


def _key(weights: bytes) -> str:
    """The cache key of expanded tables: everything that they depend on."""
    return f"{hashlib.sha256(weights).hexdigest()[:32]}-{usable_kernels()[0]}-{VERSION}"


def _bytes_of(path: Path) -> bytes:
    if path.exists() and not path.is_file():        # a pipe might never end
        raise UserError("a folder, or no ordinary file; give a weights file").at(repr(str(path)))
    return read_bytes(path)


def _expanded(data: bytes, path: Path) -> Expanded:
    weights = parse_weights(data, path)
    if weights.features != FILE_OF_TABLES:
        raise UserError("a network's weights, which make no tables; give a file of tables").at(repr(str(path)))
    try:
        return *expand(weights.arrays), weights.tempo
    except UserError as fault:
        raise UserError("{fault}; use weights trained for this engine", fault=fault).at(repr(str(path))) from None
