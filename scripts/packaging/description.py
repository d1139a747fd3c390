"""README.md as PyPI shows it, where relative links lead nowhere. setup.py runs this file, so it imports no other."""
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?!https?://|#)(?P<path>[^)]+)\)")
PICTURES = (".png", ".gif", ".svg")


def long_description() -> str:
    """The README's text, its links and images leading to the repository at this version's tag."""
    repository, version = PROJECT["urls"]["Repository"], PROJECT["version"]

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link["path"].endswith(PICTURES) else "blob"
        return f"{link['image']}[{link['text']}]({repository}/{kind}/v{version}/{link['path']})"

    return LINK.sub(absolute, (ROOT / "README.md").read_text(encoding="utf-8"))
