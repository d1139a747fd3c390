"""Checks that the packages that Python finds are Gakushi's own and undamaged: some have common names. They run before
any of the packages is imported."""
import csv
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.errors import UserError

PACKAGES = ("engine", "tt", "eval", "search", "usi")
ROOT = Path(__file__).resolve().parents[2]
# The errors of an import of another's package of the same name, or of a damaged one of ours.
IMPORT_ERRORS = (AttributeError, ImportError, NameError, SyntaxError)


def faults() -> "Iterator[UserError]":
    """The faults of the installation, with remedies; plain text if `engine` is another's package."""
    yield from hidden()
    yield from _replaced()


def hidden() -> "Iterator[UserError]":
    """The faults of packages that Python finds elsewhere."""
    UserError = _error_type()
    for name in PACKAGES:
        if (origin := _origin(name)) and origin.resolve().parents[1] != ROOT:
            if owner := _owner(origin):
                yield UserError("{path} of the distribution {owner!r} hides Gakushi's package {name!r}; uninstall that "
                                "or install Gakushi in an environment of its own", path=origin, owner=owner, name=name)
            else:
                yield UserError("{path} hides Gakushi's package {name!r}; rename that file, or keep its folder off "
                                "sys.path", path=origin, name=name)


def _replaced() -> "Iterator[UserError]":
    """The faults of Python files that are not as pip installed them; none in a checkout."""
    from importlib import metadata

    UserError = _error_type()
    try:
        own = metadata.distribution("gakushi")
    except metadata.PackageNotFoundError:
        return
    # `distribution.files` would leave out missing files, so RECORD is read.
    for name, digest, *_size in csv.reader((own.read_text("RECORD") or "").splitlines()):
        path = Path(str(own.locate_file(name)))
        if path.suffix != ".py" or digest in ("", _digest(path)):
            continue
        if owner := _owner(path):
            yield UserError("{path} has been replaced by the distribution {owner!r}; uninstall that, and install "
                            "Gakushi again", path=path, owner=owner)
        else:
            yield UserError("{path} is not as it was installed; install Gakushi again", path=path)


def _origin(name: str) -> Path | None:
    """The file of a package; None if Python finds none."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    with suppress(ImportError, ValueError):
        spec = spec or find_spec(name)
    return Path(spec.origin) if spec and spec.origin else None


def _error_type() -> Any:
    """The class UserError, or `str.format` if it cannot be imported: then the faults are plain text."""
    origin = _origin("engine")
    if origin and origin.resolve().parents[1] == ROOT:
        try:
            from engine.errors import UserError
        except IMPORT_ERRORS:
            pass
        else:
            return UserError
    return str.format


def _digest(path: Path) -> str | None:
    """The digest of a file, written as pip writes it; None if there is no such file."""
    try:
        return "sha256=" + urlsafe_b64encode(sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
    except OSError:
        return None


def _owner(path: Path) -> str | None:
    """The name of another distribution that has installed this file."""
    from importlib import metadata

    for other in metadata.distributions():
        for file in other.files or ():
            if file.name == path.name and other.name != "gakushi" and Path(str(other.locate_file(file))) == path:
                return other.name
    return None
