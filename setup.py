"""Builds the compiled packages. Environment variables choose how:

GAKUSHI_MARCH    value of -march: native (default on x86-64), x86-64-v3, …; empty for the compiler's own default
GAKUSHI_FASTER   a second level, for better processors: everything is compiled for both, and one is chosen at the start
GAKUSHI_SLIDERS  "subtraction" avoids PEXT, for processors that have it in microcode (AMD Zen 1 and 2)
GAKUSHI_ABI3     1: use Python's stable interface, so that one build serves Python 3.11 and later
GAKUSHI_DEBUG    1: asserts on, `validate` at every node, undefined behaviour is reported on stderr
GAKUSHI_TSAN     1: ThreadSanitizer reports data races (make tsan)
GAKUSHI_PGO      generate: count in build/pgo/ how often each branch is taken; use: compile for these counts (gcc alone)
GAKUSHI_PROFILE  1: symbols and frame pointers for perf
GAKUSHI_COVERAGE 1: counts how often each line runs, for gcov
"""
import multiprocessing
import os
import platform
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import ClassVar

from Cython.Build import cythonize
from setuptools import Command, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

MODULES = [
    "engine.system.cpu",
    "engine.system.concurrency",
    "engine.zobrist",
    "engine.attacks",
    "engine.position",
    "engine.fastsfen",
    "engine.movegen",
    "engine.rules",
    "engine.movetext",
    "engine.validate",
    "engine.perft",
    "engine.board",
    "engine.packed",
    "engine.recordlines",
    "tt.table",
    "eval.byteplanes",
    "eval.features",
    "eval.material",
    "eval.tables.layout",
    "eval.tables.kpp",
    "eval.tables.factors",
    "eval.tables.expansion",
    "eval.network.inference",
    "eval.network.leb128",
    "eval.evaluator",
    "eval.learning.records",
    "eval.learning.feature_planes",
    "eval.learning.samples",
    "eval.learning.learner",
    "eval.learning.network_learner",
    "eval.learning.quantised_network",
    "eval.learning.folded_material",
    "search.tree.see",
    "search.mate.mate1",
    "search.staticorder",
    "search.tree.correction",
    "search.tree.picker",
    "search.tree.worker",
    "search.tree.rewards",
    "search.tree.qsearch",
    "search.tree.alphabeta",
    "search.tree.pv",
    "search.deepening",
    "search.counted",
    "search.pool",
    "search.root",
    "search.reports",
    "search.searcher",
    "search.mate.table",
    "search.mate.proofpieces",
    "search.mate.node",
    "search.mate.dfpn",
    "search.mate.line",
    "search.mate.solver",
]
PROBES = ["tests.probes", "tests.search_probes"]     # what the tests see of the others; a wheel has no tests

CORES = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1

ROOMS = ["engine", "tt", "eval", "search"]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "nonecheck": False,
}

# Extensions of x86-64 that a compiler may be allowed to use and __builtin_cpu_supports can be asked about. The macro
# that says so is the name in capitals between double underscores, a dot being an underscore.
FEATURES = (
    "sse3 ssse3 sse4.1 sse4.2 sse4a popcnt avx avx2 fma fma4 xop bmi bmi2 avx512f avx512cd avx512bw avx512dq avx512vl "
    "avx512ifma avx512vbmi avx512vbmi2 avx512vnni avx512bitalg avx512vpopcntdq"
).split()


def build_for_one_architecture() -> None:
    """Python of python.org for macOS has both kinds of Mac in one file, and would have us compile for both at once."""
    if sys.platform != "darwin" or "_PYTHON_HOST_PLATFORM" in os.environ:
        return
    architectures = os.environ.setdefault("ARCHFLAGS", f"-arch {platform.machine()}").split()[1::2]
    if len(architectures) != 1:
        raise SystemExit(f"ARCHFLAGS={os.environ['ARCHFLAGS']!r}: build for one architecture at a time")
    _, version, _ = sysconfig.get_platform().split("-")
    if architectures == ["arm64"]:
        version = "11.0"
    os.environ["_PYTHON_HOST_PLATFORM"] = f"macosx-{version}-{architectures[0]}"       # by this the wheel is named


build_for_one_architecture()
X86_64 = sysconfig.get_platform().endswith(("x86_64", "amd64"))     # what is built for, which may not be this machine
# What ARM's plain level lacks, dot products, is asked for as the engine runs: nothing need be built for one processor.
MARCH = os.environ.get("GAKUSHI_MARCH", "native" if X86_64 else "")
FASTER = os.environ.get("GAKUSHI_FASTER", "")
FASTER_FOLDER = FASTER.replace("-", "_")        # in each package, for the modules compiled for that
CHECK = "engine.system.cpu"     # the module that checks the processor, and has to run on any

NEEDS_MINGW = (
    "Gakushi needs gcc or clang, because MSVC has no 128-bit integers. Install MinGW-w64, for "
    "instance MSYS2's mingw-w64-ucrt-x86_64-gcc, and put the folder of its gcc.exe in PATH"
)
# The packages that have the compiler and Python's header, by the program that installs them.
PACKAGES = {
    "apt-get": "apt install gcc python3-dev",
    "dnf": "dnf install gcc python3-devel",
    "zypper": "zypper install gcc python3-devel",
    "pacman": "pacman -S gcc python",
    "apk": "apk add gcc musl-dev python3-dev",
    "xcode-select": "xcode-select --install",
}
# gcc moves vectors on Windows' stack as if they were aligned, which they are not, unless the assembler gets this flag:
# https://gcc.gnu.org/bugzilla/show_bug.cgi?id=54412
UNALIGNED_MOVES = "-Wa,-muse-unaligned-vector-move"
ABI3 = "0x030B0000"     # the first Python whose stable interface has buffers


def enabled(variable: str) -> bool:
    return os.environ.get(variable, "0") not in ("", "0")


def require_compiler() -> None:
    """End with one sentence that names the packages to install, if there is no compiler or no Python.h."""
    if os.name == "nt":
        if not shutil.which(os.environ.get("CC", "gcc").split()[0]):
            raise SystemExit(NEEDS_MINGW)
        return
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    header = Path(sysconfig.get_path("include"), "Python.h")
    missing = [compiler] if not shutil.which(compiler) else []
    missing += [header.name] if not header.exists() else []
    if missing:
        remedy = next((command for program, command in PACKAGES.items() if shutil.which(program)),
                      "gcc or clang, and the package of Python's C headers")
        raise SystemExit(f"Gakushi cannot be compiled without {' and '.join(missing)}; to install it: {remedy}")


def march_flags(compiler: list[str], march: str) -> list[str]:
    """-march as asked for. Only the default may give way: not every compiler knows `native`."""
    if not march:
        return []
    flag = f"-march={march}"
    if subprocess.run([*compiler, flag, "-E", "-x", "c", os.devnull], capture_output=True).returncode == 0:
        return [flag]
    if "GAKUSHI_MARCH" in os.environ or march == FASTER:
        variable = "GAKUSHI_FASTER" if march == FASTER else "GAKUSHI_MARCH"
        raise SystemExit(f"{compiler[0]} does not accept {flag}: set {variable} to a processor that it knows")
    return []


def macros_of(compiler: list[str], flags: list[str]) -> list[str]:
    """The words of the macros that it defines by itself: what it compiles for, and what it may use."""
    command = [*compiler, *flags, "-dM", "-E", "-x", "c", os.devnull]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def required_features(macros: list[str]) -> list[str]:
    """The processor extensions that the compiler may use."""
    return [name for name in FEATURES if f"__{name.upper().replace('.', '_')}__" in macros]


def named(macro: str, features: list[str]) -> str:
    """The compiler flag that passes a list of extensions to the module that checks them."""
    return f"-D{macro}=" + " ".join(f'FEATURE("{name}")' for name in features)


def require_unaligned_moves(compiler: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [*compiler, UNALIGNED_MOVES, "-c", "-x", "c", os.devnull, "-o", str(Path(folder, "empty.o"))]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{compiler[0]} does not accept {UNALIGNED_MOVES}, without which the engine would crash on "
                         "Windows. Install a gcc whose assembler is of binutils 2.38 or later, as MSYS2's "
                         f"mingw-w64-ucrt-x86_64-gcc has it. It said:\n{done.stderr}")


PROFILES = Path("build/pgo").resolve()
PGO = {     # the first of each is also for linking
    "": [],
    "generate": ["-fprofile-generate", f"-fprofile-dir={PROFILES}"],
    # Counts of a module that has changed since serve for the functions that have not.
    "use": ["-fprofile-use", f"-fprofile-dir={PROFILES}", "-Wno-missing-profile", "-Wno-coverage-mismatch"],
}


def pgo_flags(macros: list[str]) -> list[str]:
    """For optimisation by a profile."""
    chosen = os.environ.get("GAKUSHI_PGO", "")
    if chosen not in PGO:
        raise SystemExit(f"GAKUSHI_PGO={chosen!r}: it can only be `generate` or `use`, or unset")
    if chosen and "__clang__" in macros:
        raise SystemExit("GAKUSHI_PGO: clang has profiles of another kind; set CC=gcc")
    return PGO[chosen]


def shared_flags(compiler: list[str], macros: list[str]) -> tuple[list[str], list[str]]:
    """Flags for compiling and for linking that every module has in common, -march apart."""
    # Without that vectoriser: it gathers the two halves of a bitboard, just stored, into one load that has to wait.
    compiling = ["-O3", "-g0", "-fno-tree-slp-vectorize", "-DCYTHON_WITHOUT_ASSERTIONS"]
    linking = []
    if enabled("GAKUSHI_DEBUG"):
        compiling = ["-O1", "-g", "-DGAKUSHI_DEBUG=1", "-fsanitize=undefined", "-fno-wrapv"]
        linking = ["-fsanitize=undefined"]
    if enabled("GAKUSHI_TSAN"):
        compiling = ["-O1", "-g", "-fsanitize=thread", "-DCYTHON_WITHOUT_ASSERTIONS"]
        linking = ["-fsanitize=thread"]
    if enabled("GAKUSHI_COVERAGE"):
        compiling += ["-O1", "--coverage", "-fprofile-update=atomic"]
        linking += ["--coverage"]
    # Cython writes code that makes a dict of a packed Sample, which nothing calls, and variables that it does not use.
    compiling += ["-Wno-address-of-packed-member", "-Wno-unused-variable"]
    compiling += pgo_flags(macros)
    linking += pgo_flags(macros)[:1]
    if enabled("GAKUSHI_PROFILE"):
        compiling += ["-g", "-fno-omit-frame-pointer"]
    if "_WIN32" in macros:
        compiling.append("-DMS_WIN64=")             # which Python's header sets for MSVC alone
        linking.append("-static-libgcc")
        if "__clang__" not in macros:
            require_unaligned_moves(compiler)
            compiling.append(UNALIGNED_MOVES)
    if enabled("GAKUSHI_ABI3"):
        compiling.append(f"-DPy_LIMITED_API={ABI3}")
    sliders = os.environ.get("GAKUSHI_SLIDERS", "")
    if sliders not in ("", "subtraction"):
        raise SystemExit(f"GAKUSHI_SLIDERS={sliders!r}: it can only be `subtraction`, or unset")
    if sliders:
        compiling.append("-DGAKUSHI_NO_PEXT")
    return compiling, linking


def write_if_changed(path: Path, text: str) -> None:
    """So that what depends on the file is rebuilt only when it says something else."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def write_parameters() -> None:
    """search/parameters.pxd, the struct of the margins that search/parameters.py lists, and their names."""
    names = list(runpy.run_path("search/parameters.py")["DEFAULTS"])
    fields = "".join(f"    int {name}\n" for name in names)
    strings = "".join(f'    "{name} " \\\\\n' for name in names)
    write_if_changed(Path("search/parameters.pxd"),
                     '"""Written by setup.py from search/parameters.py, which says what each margin means."""\n'
                     f'cdef extern from *:\n    """\n    #define GAKUSHI_MARGINS \\\\\n{strings}\n    """\n'
                     '    const char* NAMES "GAKUSHI_MARGINS"     # of the fields, in order\n\n'
                     f"cdef struct Params:\n{fields}")


def extensions(names: list[str]) -> list[Extension]:
    """The modules with their sources in Cython, to be translated when they are built."""
    return [Extension(name, [name.replace(".", "/") + ".pyx"], include_dirs=ROOMS,
                      py_limited_api=enabled("GAKUSHI_ABI3")) for name in names]


def remove_leftovers(modules: list[Extension]) -> None:
    """Delete the modules in the source tree that earlier builds made from sources that are gone. Python would import
    them, even in place of a .py of the same name."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    names = {module.name for module in modules}
    for room in [*ROOMS, "tests"]:
        for path in Path(room).rglob(f"*{suffix}"):
            if str(path).removesuffix(suffix).replace(os.sep, ".") not in names:
                path.unlink()


def faster_extensions() -> list[Extension]:
    """The same for better processors, each in a folder of its package; the module that checks the processor is not
    needed twice."""
    modules = extensions([name for name in MODULES if name != CHECK])
    for module in modules:
        package, _, name = module.name.rpartition(".")
        module.name = f"{package}.{FASTER_FOLDER}.{name}"
    return modules


def translate(modules: list[Extension], **options: object) -> None:
    """Have Cython write C, which takes the place of the modules' sources."""
    write_parameters()
    if enabled("GAKUSHI_COVERAGE"):     # gcov counts lines of C, unless these say where they come from
        options = {"emit_linenums": True, "build_dir": "build/coverage", **options}
    # Where processes can be forked: a spawned one would run this file again.
    jobs = CORES if sys.platform == "linux" else 0
    if jobs:
        multiprocessing.set_start_method("fork", force=True)
    for module, translated in zip(modules, cythonize(modules, compiler_directives=DIRECTIVES, nthreads=jobs, **options),
                                  strict=True):
        module.sources, module.define_macros = translated.sources, translated.define_macros


def translate_again(module: Extension, plain: Extension) -> None:
    """Give a module for better processors the C of the plain one: a copy elsewhere, for what is compiled is named after
    its source."""
    (source,) = map(Path, plain.sources)
    copy = Path("build", FASTER_FOLDER, source)
    write_if_changed(copy, source.read_text(encoding="utf-8"))
    module.sources, module.define_macros = [str(copy)], plain.define_macros


class BuildPython(build_py):
    def run(self) -> None:
        write_parameters()      # a .pxd like the others, which are installed
        super().run()


class BuildModules(build_ext):
    def finalize_options(self) -> None:
        probes = [] if "bdist_wheel" in self.distribution.commands else PROBES
        self.distribution.ext_modules = [*extensions([*MODULES, *probes]), *(faster_extensions() if FASTER else [])]
        super().finalize_options()
        self.parallel = self.parallel or CORES      # here, for an editable build forgets what `setup` is given
        if os.name == "nt" and self.compiler is None:
            self.compiler = "mingw32"

    def run(self) -> None:
        if self.compiler == "msvc":
            raise SystemExit(NEEDS_MINGW)
        require_compiler()
        if self.inplace or self.editable_mode:
            self.build_lib = self.build_temp = "build/inplace"  # so that `pip install -e` and later builds share work
            remove_leftovers(self.extensions)
        super().run()

    def build_extensions(self) -> None:
        march = march_flags(self.compiler.compiler_so, MARCH)
        faster = march_flags(self.compiler.compiler_so, FASTER)
        macros = macros_of(self.compiler.compiler_so, march)
        compiling, linking = shared_flags(self.compiler.compiler_so, macros)
        features = required_features(macros)
        faster_features = required_features(macros_of(self.compiler.compiler_so, faster)) if faster else []
        if self.compiler.compiler_type == "mingw32":
            self.compiler.dll_libraries = []        # gcc has a C library of its own
        version = self.distribution.get_version()
        stamp = self.stamp(" ".join([*self.compiler.compiler_so, *compiling, *march, *features, *faster,
                                     *faster_features, *linking, version]))
        checking = [f'-DGAKUSHI_VERSION="{version}"',
                    f'-DGAKUSHI_BUILT_FOR="{" ".join(march) or "no -march"}"',
                    f'-DGAKUSHI_FLAGS="{" ".join(compiling)}"',
                    f'-DGAKUSHI_FASTER="{" ".join(faster)}"', f'-DGAKUSHI_FASTER_FOLDER="{FASTER_FOLDER}"',
                    named("GAKUSHI_FEATURES", features), named("GAKUSHI_FASTER_FEATURES", faster_features),
                    named("GAKUSHI_KNOWN", FEATURES if X86_64 else [])]
        interfaces = sorted(str(path) for room in ROOMS for suffix in ("pxd", "h")
                            for path in Path(room).rglob(f"*.{suffix}"))
        plain = {module.name: module for module in self.extensions if f".{FASTER_FOLDER}." not in module.name}
        translate(list(plain.values()), quiet=not self.distribution.verbose)
        for module in self.extensions:
            own = checking if module.name == CHECK else march
            if module.name not in plain:
                own = faster
                translate_again(module, plain[module.name.replace(f".{FASTER_FOLDER}.", ".")])
            module.extra_compile_args = compiling + own
            module.extra_link_args = linking
            module.depends = [*interfaces, stamp]
        super().build_extensions()

    def stamp(self, flags: str) -> str:
        """A file that is rewritten only when the flags change, so that this alone rebuilds the modules."""
        path = Path(self.build_temp, "flags.txt")
        write_if_changed(path, flags)
        return str(path)


class Annotate(Command):
    """Writes how every module is translated to C as HTML in build/annotate; Cython's remarks go to stderr."""

    user_options: ClassVar[list[tuple[str, str | None, str]]] = []

    def initialize_options(self) -> None:
        pass

    def finalize_options(self) -> None:
        pass

    def run(self) -> None:
        translate(extensions([*MODULES, *PROBES]), annotate=True, force=True, build_dir="build/annotate")


setup(
    long_description=runpy.run_path("scripts/packaging/description.py")["long_description"](),
    long_description_content_type="text/markdown",
    ext_modules=extensions(MODULES),
    cmdclass={"build_py": BuildPython, "build_ext": BuildModules, "annotate": Annotate},
    options={
        # The wheel's name says what it is for.
        "bdist_wheel": {"build_number": "0" + MARCH.replace("-", "_")} | (
            {"py_limited_api": "cp311"} if enabled("GAKUSHI_ABI3") else {}),
    },
)
