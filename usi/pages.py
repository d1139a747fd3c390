"""Pages to look at in a browser: one file each, with all that it needs inside. Their look, the board and the moves on
it are in data/page.css and data/page.js."""
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files


def packaged(name: str) -> str:
    """The text of a file in usi/data."""
    return files("usi").joinpath(f"data/{name}").read_text(encoding="utf-8")


def fill_page(template: str, title: str, data: object, parts: Mapping[str, str] | None = None) -> str:
    """A page from its template, where %TITLE%, %STYLE%, %SHARED% (program) and %DATA% (JSON) stand for what is put
    there, and each key of `parts` for HTML."""
    encoded = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    values = {"TITLE": html.escape(title), "STYLE": packaged("page.css"), "SHARED": packaged("page.js"),
              "DATA": encoded.replace("<", "\\u003c"),      # nothing in it can end the script
              **(parts or {})}
    return re.sub("%([A-Z]+)%", lambda mark: values[mark[1]], template)
