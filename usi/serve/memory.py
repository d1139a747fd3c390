"""The folder in which the board in the browser keeps data between runs, as JSON files. Other modules choose
their names and contents: `playing` (games), `studies`, `lessons` (progress), `command` (the address)."""
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from engine.errors import UserError
from usi.files.locking import alone
from usi.files.writing import write_file


def data_folder() -> Path:
    """The folder for the user's data: `gakushi` in XDG_DATA_HOME or else in the system's folder (~/.local/share, on
    Windows %APPDATA%, on macOS ~/Library/Application Support)."""
    home = {"win32": os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming",
            "darwin": Path.home() / "Library" / "Application Support"}.get(
                sys.platform, Path.home() / ".local" / "share")
    return Path(os.environ.get("XDG_DATA_HOME") or home) / "gakushi"


class Memory:
    """Small JSON files in a folder that only this user can read. Each is written whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold an exclusive lock on the folder during the block. Raises UserError, with the address of the other
        server's page, if another process holds it; and OSError."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        with ExitStack() as stack:
            try:
                stack.enter_context(alone(self.folder / "serve"))
            except UserError:
                address = (self.read("address") or {}).get("address", "")
                raise UserError("engine serve is running already; open its page, {address}, or end it",
                                address=address) from None
            yield

    def read(self, name: str) -> dict[str, Any] | None:
        """The values stored under a name; None if there are none, or the file is damaged."""
        try:
            values = json.loads((self.folder / f"{name}.json").read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        return values if isinstance(values, dict) else None

    def write(self, name: str, values: dict[str, Any]) -> None:
        """Store values under a name. Raises OSError."""
        write_file(self.folder / f"{name}.json", json.dumps(values, ensure_ascii=False).encode())

    def names(self, folder: str) -> list[str]:
        """The names stored in a folder, the latest first."""
        found = [(path.stat().st_mtime_ns, f"{folder}/{path.stem}") for path in (self.folder / folder).glob("*.json")]
        return [name for _time, name in sorted(found, reverse=True)]
