"""Version and platform: `engine --version`, and the facts that `engine doctor` judges."""
import hashlib
import platform
import re
from dataclasses import dataclass
from pathlib import Path

from engine.errors import UserError
from engine.system.cpu import BUILT_FOR, COMPILER, DEBUG, FEATURES, FLAGS, SUPPORTED, VERSION
from eval.files import NETWORK, TABLES, features_of, read_bytes
from eval.loading import MATERIAL, PACKAGED, PACKAGED_TABLES, file_and_scale
from eval.network import usable_kernels as network_kernels
from eval.tables import usable_kernels as tables_kernels
from usi.words.reasons import reason

CPUINFO = Path("/proc/cpuinfo")

# The extensions that each level of x86-64 adds to the one before, by the compilers' names: the psABI's levels, without
# those that compilers do not report. Source: https://gitlab.com/x86-psABIs/x86-64-ABI
LEVELS = {
    "x86-64-v2": frozenset({"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt"}),
    "x86-64-v3": frozenset({"avx", "avx2", "bmi", "bmi2", "fma"}),
    "x86-64-v4": frozenset({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
}
_BASE = "x86-64"
_FAMILY = re.compile(r"\bFamily ([0-9]+)\b.*, (\w+)$")    # in the processor's identifier on Windows


@dataclass(frozen=True)
class Processor:
    """The processor: its name from the system, and the extensions that the compiler's run-time test finds, which are
    empty except on x86-64. Vendor and family are known on x86-64 under Linux and Windows."""

    name: str
    vendor: str = ""
    family: int | None = None
    features: frozenset[str] = frozenset()      # by the compilers' names

    @property
    def level(self) -> str | None:
        return level(self.features) if self.features else None

    @property
    def has_slow_pext(self) -> bool:
        """Whether PEXT is slow: AMD Zen 2 and older."""
        return self.vendor == "AuthenticAMD" and self.family is not None and self.family <= 0x17


def level(features: frozenset[str]) -> str:
    """The highest level of x86-64 all of whose extensions are among `features`.

    >>> level(LEVELS["x86-64-v2"] | {"avx"})
    'x86-64-v2'
    """
    reached = _BASE
    for name, needed in LEVELS.items():
        if not needed <= features:
            break
        reached = name
    return reached


def processor(cpuinfo: Path = CPUINFO) -> Processor:
    """The processor of this machine."""
    features = frozenset(SUPPORTED)
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").split("\n\n")[0].splitlines()
    except OSError:
        name = platform.processor() or platform.machine()
        found = _FAMILY.search(name)
        return Processor(name, found[2] if found else "", int(found[1]) if found else None, features)
    fields = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    family = fields.get("cpu family", "")
    return Processor(
        fields.get("model name") or platform.machine(),
        fields.get("vendor_id", ""),
        int(family) if family.isdigit() else None,
        features,
    )


def built_for() -> str:
    """The -march of the build, and the level of x86-64 that it amounts to, or the kind of processor it is."""
    return f"{BUILT_FOR} ({level(frozenset(FEATURES)) if SUPPORTED else platform.machine()})"


def evaluation_in_use(evaluation: str | None = None) -> str:
    """The weights that a name stands for, as one line. Says so if they cannot be read."""
    path, fv_scale = file_and_scale(evaluation)
    if path is None:
        return f"none: {MATERIAL} alone"
    name = {PACKAGED: "packaged", PACKAGED_TABLES: "packaged tables"}.get(path, f"'{path}'")
    try:
        data = read_bytes(path)
        features = features_of(data, path)
        kind, kernels = {TABLES: ("tables", tables_kernels), NETWORK: ("a network", network_kernels)}.get(
            features, (f"a network of the form nn.bin, {features}, FV_SCALE {fv_scale}", network_kernels))
    except (OSError, UserError) as error:
        return f"{name}, which cannot be read: {reason(error)}"
    checksum = hashlib.sha256(data).hexdigest()[:16]
    return f"{name}: {kind}, sha256 {checksum}…, summed by {kernels()[0]}"


def as_lines() -> list[str]:
    """The lines of `engine --version`."""
    here = processor()
    return [
        f"Gakushi, version {VERSION}",
        f"build      {'debug' if DEBUG else 'release'} for {built_for()}",
        f"compiler   {COMPILER}",
        f"flags      {FLAGS}",
        f"processor  {here.name} ({here.level or 'level unknown'})",
        f"evaluation {evaluation_in_use()}",
        f"Python     {platform.python_version()}",
    ]
