"""setup.py for another system: its compiler, Python's headers there, and the names that its modules have."""
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from pprint import pformat

from scripts.platforms.pythons import Python
from scripts.platforms.targets import ROOT, Target

MODULE = "_sysconfigdata_target"        # what Python's own build leaves behind of its settings, and sysconfig reads


def variables(target: Target, python: Python) -> dict[str, object]:
    """What sysconfig is to say there, as far as a build asks for it."""
    compiler = target.compiler
    return {
        "CC": compiler, "CXX": compiler, "CFLAGS": "", "CCSHARED": "" if target.name == "windows" else "-fPIC",
        "LDSHARED": f"{compiler} {target.linking}", "LDCXXSHARED": f"{compiler} {target.linking}",
        "AR": "ar", "ARFLAGS": "rcs", "EXT_SUFFIX": target.suffix.format(version=python.version),
        "SHLIB_SUFFIX": Path(target.suffix).suffix, "INCLUDEPY": str(python.include),
        "CONFINCLUDEPY": str(python.include), "Py_GIL_DISABLED": 0, "Py_DEBUG": 0, "Py_ENABLE_SHARED": 0,
    }


def run_setup(target: Target, python: Python, arguments: Sequence[str]) -> int:
    """Run setup.py for the target; its exit status."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        told = pformat(variables(target, python))
        (folder / f"{MODULE}.py").write_text(f"build_time_vars = {told}\n", encoding="utf-8")
        settings = ["[build_ext]", "include_dirs=" + os.pathsep.join(map(str, (*python.headers, python.include)))]
        if python.link_folder:
            settings += [f"library_dirs={python.link_folder}", f"libraries=python{python.version}"]
        (folder / "setup.cfg").write_text("\n".join(settings), encoding="utf-8")
        environment = os.environ | {
            "_PYTHON_HOST_PLATFORM": target.platform,
            "_PYTHON_SYSCONFIGDATA_NAME": MODULE,
            "PYTHONPATH": made,
            "DIST_EXTRA_CONFIG": str(folder / "setup.cfg"),
        }
        environment.pop("CC", None)         # which is for this system
        return subprocess.run([sys.executable, "setup.py", *arguments], cwd=ROOT, env=environment).returncode
