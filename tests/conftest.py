"""Says at the head of every run which build is tested: the one in place, or the one that `make debug` made; finds
`scripts`, behind that build; keeps tables that tests create out of the user's cache; and, where GAKUSHI_SKIPS
names a file as in .ci/run, fails a run that skips a test which the file does not name."""
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tests
from engine.system.cpu import BUILT_FOR, DEBUG
from tests.processes import BUILD, ROOT
from tests.weights import tempo_only

if TYPE_CHECKING:
    from tests.browser import Browser

sys.path.append(str(ROOT))
tests.__path__ = [str(BUILD / "tests"), *tests.__path__]        # `tests.probes` comes from the build that is tested
if not PathFinder.find_spec("tests.probes", [str(BUILD / "tests")]):    # a wheel has none
    collect_ignore = [str(path) for path in ROOT.glob("tests/**/test_*.py")
                      if re.search(r"^from tests\.\w*probes import", path.read_text(encoding="utf-8"), re.MULTILINE)]


class KnownSkips:
    """Counts skipped tests, and holds them against a file: a line is the id of a test or of a file of tests, without
    parameters; `#` begins a comment."""

    def __init__(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8").splitlines()
        self.known = {line.partition("#")[0].strip() for line in lines}
        self.skipped: list[str] = []

    @property
    def new(self) -> list[str]:
        return sorted({test for test in self.skipped if not {test, test.partition("::")[0]} & self.known})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self.skipped.append(report.nodeid.partition("[")[0])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:      # a whole file
            self.skipped.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.new and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.write_line(f"{len(self.skipped)} skipped, {len(self.new)} of them new")
        for test in self.new:
            terminalreporter.write_line(f"SKIPPED, and not in {os.environ['GAKUSHI_SKIPS']}: {test}", red=True)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):      # all processes of the run share one cache
        folder = tempfile.TemporaryDirectory()
        config.add_cleanup(folder.cleanup)
        os.environ["XDG_CACHE_HOME"] = folder.name
    if (skips := os.environ.get("GAKUSHI_SKIPS")) and not hasattr(config, "workerinput"):   # workers report here
        config.pluginmanager.register(KnownSkips(ROOT / skips))
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:   # so a shell has it for tests in the background, and a child
        signal.signal(signal.SIGINT, signal.default_int_handler)    # would inherit it
    if hasattr(signal, "SIGHUP"):       # likewise after nohup
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_report_header(config: pytest.Config) -> str:
    return f"engine: {'debug' if DEBUG else 'release'} build for {BUILT_FOR} in {BUILD}"


@pytest.fixture(scope="session")
def cache() -> Path:
    """The cache of this run, for child processes too."""
    return Path(os.environ["XDG_CACHE_HOME"]) / "gakushi"


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Browser]":
    from tests.browser import chromium  # which Windows cannot import

    with chromium(tmp_path_factory.mktemp("chromium")) as found:
        yield found


@pytest.fixture(scope="module")
def short_fingerprints() -> Iterator[None]:
    """Compute fingerprints of players by short searches of a few positions."""
    from scripts.games import search_player
    from search import bench

    with pytest.MonkeyPatch.context() as patch:
        few = bench.positions()[:4]
        patch.setattr(bench, "positions", lambda: few)
        patch.setattr(search_player, "FINGERPRINT_NODES", 50)
        yield


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A weights file that adds 12 centipawns for the side to move to the material."""
    path = tmp_path_factory.mktemp("weights") / "default.weights"
    tempo_only(path, 12)
    return path


@pytest.fixture(scope="session")
def tsshogi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where node finds the package, which the set-up of `make test` installs."""
    installed = ROOT / ".venv" / "node" / "node_modules"
    if not (shutil.which("node") and (installed / "tsshogi").exists()):
        pytest.skip("needs node, and tsshogi, which `make test` installs if npm can")
    folder = tmp_path_factory.mktemp("node")
    (folder / "node_modules").symlink_to(installed)
    return folder
