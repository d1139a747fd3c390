"""Whether this processor can run the other modules, asked before any of them is loaded.

They are compiled for one kind of processor and would end the process (SIGILL) on a lesser one. This module alone is
compiled for any; setup.py hands it what the others were compiled for, and the list of extensions that this takes.
"""

cdef extern from *:
    """
    #include <string.h>

    #define FEATURE(name) name " "
    static const char *const needed = "" GAKUSHI_FEATURES;
    static const char *const known = "" GAKUSHI_KNOWN;
    #undef FEATURE

    #if defined(__clang__)
    static const char *const compiler = "clang " __clang_version__;
    #elif defined(__GNUC__)
    static const char *const compiler = "gcc " __VERSION__;
    #else
    static const char *const compiler = "an unknown compiler";
    #endif

    static int supported(const char *feature)
    {
    #define FEATURE(name) if (!strcmp(feature, name)) return __builtin_cpu_supports(name) != 0;
        GAKUSHI_KNOWN       /* written out, since the question can only be put with a literal */
    #undef FEATURE
        (void)feature;
        return 0;
    }
    """
    const char* needed
    const char* known
    const char* compiler
    bint supported(const char* feature)
    const char* GAKUSHI_VERSION
    const char* GAKUSHI_BUILT_FOR
    const char* GAKUSHI_FLAGS

cdef extern from "build.h":
    const bint GAKUSHI_DEBUG

DEBUG: bool = GAKUSHI_DEBUG
VERSION = GAKUSHI_VERSION.decode()      # of the package, which takes a while to look up where it is installed
BUILT_FOR = GAKUSHI_BUILT_FOR.decode()
COMPILER = compiler.decode()
FLAGS = GAKUSHI_FLAGS.decode()
FEATURES = tuple(needed.decode().split())       # that this build needs
SUPPORTED = tuple(name for name in known.decode().split() if supported(name.encode()))  # that this processor has


def require(features=FEATURES) -> None:
    """Raise ImportError, naming what is missing, if the processor lacks one of these extensions.

    Names are the compiler's ("avx2"); one that is in none of its levels counts as lacking.
    """
    missing = [feature for feature in features if not supported(feature.encode())]
    if missing:
        raise ImportError(
            f"this build of Gakushi ({BUILT_FOR}) is for processors with {', '.join(FEATURES)}, and this one lacks "
            f"{', '.join(missing)}: install it from its sources on this machine, or take a build for a lower level, "
            "as GAKUSHI_MARCH=x86-64-v2 makes it"
        )
