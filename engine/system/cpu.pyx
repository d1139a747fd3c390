"""Checks whether this processor can run the other modules, before any of them is loaded.

The other modules are compiled for one processor level and would crash (SIGILL) on a lower one. Only this module is
compiled for any processor; setup.py tells it the extensions that the others need. A build may hold the others twice.
Then the faster ones are in a subfolder of each package, and `chosen` puts that first on the path if the processor can
run them. """
import os

cdef extern from *:
    """
    #include <string.h>

    #define FEATURE(name) name " "
    static const char *const needed = "" GAKUSHI_FEATURES;
    static const char *const faster_needed = "" GAKUSHI_FASTER_FEATURES;
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
        GAKUSHI_KNOWN       /* one `if` each, since the argument has to be a literal */
    #undef FEATURE
        (void)feature;
        return 0;
    }

    /* Up to Zen 2, AMD has PEXT in microcode, so code that uses it is slower there. */
    static int slow_pext(void)
    {
    #if defined(__x86_64__)
        return __builtin_cpu_is("amdfam15h") || __builtin_cpu_is("amdfam17h");
    #else
        return 0;
    #endif
    }
    """
    const char* needed
    const char* faster_needed
    const char* known
    const char* compiler
    bint supported(const char* feature)
    bint slow_pext()
    const char* GAKUSHI_FASTER
    const char* GAKUSHI_FASTER_FOLDER
    const char* GAKUSHI_VERSION
    const char* GAKUSHI_BUILT_FOR
    const char* GAKUSHI_FLAGS

cdef extern from "build.h":
    const bint GAKUSHI_DEBUG

DEBUG: bool = GAKUSHI_DEBUG
VERSION = GAKUSHI_VERSION.decode()      # of the package; importlib.metadata would be slow
COMPILER = compiler.decode()
FLAGS = GAKUSHI_FLAGS.decode()
SUPPORTED = tuple(name for name in known.decode().split() if supported(name.encode()))  # by this processor


def better(features, bint pext_is_slow) -> bool:
    """Whether modules compiled for these extensions run on this processor, and run faster."""
    return set(features) <= set(SUPPORTED) and not ("bmi2" in features and pext_is_slow)


FASTER = bool(GAKUSHI_FASTER) and better(faster_needed.decode().split(), slow_pext())
# How the modules in use were compiled, and the extensions that they need.
BUILT_FOR = (GAKUSHI_FASTER if FASTER else GAKUSHI_BUILT_FOR).decode()
FEATURES = tuple((faster_needed if FASTER else needed).decode().split())


def chosen(path) -> list[str]:
    """The folders to search for a package's modules, from its own folders `path`."""
    own = [os.path.join(folder, GAKUSHI_FASTER_FOLDER.decode()) for folder in path] if FASTER else []
    return [*own, *path]


def require(features=FEATURES) -> None:
    """Raise ImportError, with the missing names, if the processor lacks any of these extensions.

    Names are the compiler's ("avx2"). Unknown names count as missing.
    """
    missing = [feature for feature in features if not supported(feature.encode())]
    if missing:
        raise ImportError(
            f"this build of Gakushi ({BUILT_FOR}) is for processors with {', '.join(FEATURES)}, and this one lacks "
            f"{', '.join(missing)}: install it from its sources on this machine, or take a build for a lower level, "
            "such as GAKUSHI_MARCH=x86-64-v2 makes"
        )
