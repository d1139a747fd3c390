"""Pages opened in a browser without a window, and what is on them after a program has clicked about."""
import html
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.processes import SECONDS

NEEDS_CHROMIUM = pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium")


def dom_after(page: Path, program: str, folder: Path, *options: str, width: int | None = None) -> str:
    """The page's HTML after it has been loaded and `program` has run in it. `folder` is for files of the browser's.

    `width`, in pixels, puts the page into a frame, for the browser's windows are not as narrow as a phone (500 at
    least). Then the HTML is that of the frame's body.
    """
    clicked = folder / f"{page.stem}-clicked.html"
    text = page.read_text(encoding="utf-8").replace("</body>", f"<script>{program}</script></body>")
    if width:
        text = (f'<iframe style="width: {width}px; height: 844px; border: 0" srcdoc="{html.escape(text)}"></iframe>'
                "<script>const frame = document.querySelector('iframe'); frame.onload = () => {"
                " document.documentElement.innerHTML = frame.contentDocument.documentElement.innerHTML; }</script>")
    clicked.write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--virtual-time-budget=5000", f"--user-data-dir={folder}/profile", *options, "--dump-dom", clicked.as_uri()],
        capture_output=True, text=True, encoding="utf-8", timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    return done.stdout
