"""What is made for users is tried before they get it: a wrong engine is told, and the right wheel is taken."""
import shutil
import sys
from pathlib import Path

import pytest

from scripts import bundle, wheels
from scripts.delivery import trial, workshop
from scripts.delivery.interpreters import pythons, run, version_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the engines here are shell scripts")


@pytest.fixture
def engine(tmp_path: Path) -> trial.Engine:
    """A program that prints what lies beside it, whatever it is told; without arguments it reads two lines then."""
    program = tmp_path / "engine"
    program.write_text(f"#!/bin/sh\n/bin/cat '{tmp_path}/answer'\n[ $# -gt 0 ] || {{ read a; read b; }}\n",
                       encoding="utf-8")
    program.chmod(0o755)
    return trial.Engine((program,))


def answer(engine: trial.Engine, text: str) -> None:
    Path(str(engine)).with_name("answer").write_text(text, encoding="utf-8")


def test_nodes_of_the_bench(engine: trial.Engine) -> None:
    nodes = trial.SIGNATURE.read_text(encoding="ascii").strip()
    answer(engine, f"Nodes searched: {nodes}\nNodes/second: 123456\n")
    assert trial.bench(engine) == f"bench {nodes} nodes, as it should, 123 knps"
    answer(engine, "Nodes searched: 12\nNodes/second: 123456\n")
    with pytest.raises(ValueError, match=f"searched 12 nodes, and it should {nodes}"):
        trial.bench(engine)
    answer(engine, "")
    with pytest.raises(ValueError, match="searched no nodes"):
        trial.bench(engine)


def test_start(engine: trial.Engine) -> None:
    answer(engine, "usiok\nreadyok\n")
    assert trial.start(engine).startswith("usiok after 0.")
    answer(engine, "usiok\n")
    with pytest.raises(OSError, match="does not say readyok"):
        trial.start(engine)


def test_nothing_of_ours_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    with trial.Engine(("/usr/bin/env",), {"WINEDEBUG": "-all"}).bare() as variables:
        printed = run("/usr/bin/env", environment=variables)
    assert "PYTHONPATH" not in printed
    assert "XDG_CACHE_HOME" in printed
    assert "WINEDEBUG=-all" in printed


def test_a_program_that_fails() -> None:
    with pytest.raises(OSError, match=r"(?s)of no use.*`.*` failed: exit status 3"):
        run(sys.executable, "-c", "print('of no use'); raise SystemExit(3)")


def test_pythons_of_this_machine(tmp_path: Path) -> None:
    assert sys.version_info[:2] in pythons()
    stand_in = tmp_path / "python"
    stand_in.write_text("#!/bin/sh\necho 'command not found' >&2\nexit 127\n", encoding="utf-8")
    stand_in.chmod(0o755)
    assert version_of(stand_in) is None


@pytest.mark.parametrize(("version", "names", "taken"), [
    ((3, 10), ["cp310-cp310", "cp311-abi3"], "cp310-cp310"),
    ((3, 11), ["cp310-cp310", "cp311-abi3"], "cp311-abi3"),
    ((3, 13), ["cp310-cp310", "cp311-abi3"], "cp311-abi3"),
    ((3, 10), ["cp311-abi3"], None),
    ((3, 13), ["cp311-abi3", "cp313-cp313"], None),     # which of them?
])
def test_which_wheel(tmp_path: Path, version: tuple[int, int], names: list[str], taken: str | None) -> None:
    for name in names:
        for system in ("manylinux2014_aarch64", "win_amd64"):
            (tmp_path / f"gakushi-1.0-0x86_64_v2-{name}-{system}.whl").touch()
    if taken:
        assert bundle.wheel_in(tmp_path, version, "amd64").name == f"gakushi-1.0-0x86_64_v2-{taken}-win_amd64.whl"
    else:
        with pytest.raises(OSError, match=r"has [02] wheels for this Python: run `make wheels`"):
            bundle.wheel_in(tmp_path, version, "amd64")


@pytest.mark.parametrize(("system", "program", "archive"), [
    (workshop.THIS, "engine", "gakushi.tar.xz"), (workshop.WINDOWS, "engine.exe", "gakushi.zip")])
def test_archive_of_a_folder(tmp_path: Path, system: workshop.System, program: str, archive: str) -> None:
    folder = tmp_path / "gakushi"
    folder.mkdir()
    (folder / system.program).write_bytes(b"engine")
    packed = system.packed(folder)
    assert packed == tmp_path / archive
    shutil.unpack_archive(packed, tmp_path / "there")
    assert (tmp_path / "there" / "gakushi" / program).read_bytes() == b"engine"


def test_what_compiled_modules_import(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "board.pyx").write_text(
        "import threading\nfrom math import inf\nfrom libc.math cimport sqrt\nimport numpy as np\n"
        "from engine.types cimport u16\nfrom concurrent.futures import Future\n", encoding="utf-8")
    assert bundle.imported_by_compiled(tmp_path) == {"threading", "math", "concurrent"}


def test_what_is_wanting_for_other_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    wheels.for_others(tmp_path, tmp_path)
    told = capsys.readouterr().out
    assert "not built for aarch64: aarch64-linux-gnu-gcc is missing: apt-get install gcc-aarch64-linux-gnu" in told
    assert "not built for windows: x86_64-w64-mingw32-gcc-posix is missing" in told
    assert list(tmp_path.iterdir()) == []
