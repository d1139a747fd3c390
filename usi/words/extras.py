"""Advice on installing optional parts, and on getting a sound build. All advice that names pip is here, because a
bundle, the folder with Python inside that scripts/bundle.py makes, has no pip."""
import sys

from engine.errors import Phrase


def is_bundle() -> bool:
    """Whether Gakushi came as a folder with Python inside."""
    return bool(getattr(sys, "frozen", False))


def how_to_install(extra: str) -> Phrase | str:
    """The command that installs an optional part of Gakushi, as "web", and where to use it if this is a bundle.

    >>> how_to_install("web")
    'pip install "gakushi[web]"'
    """
    command = f'pip install "gakushi[{extra}]"'
    if is_bundle():
        return Phrase("this folder cannot be added to; install Python 3.11 or later, then run {command}, and use "
                      "that engine", command=command)
    return command


def how_to_reinstall() -> Phrase:
    """The way back to undamaged files."""
    return Phrase("unpack Gakushi's archive again" if is_bundle() else "install Gakushi again: pip install .")


def how_to_build_here() -> Phrase:
    """The way to a build for this machine."""
    return Phrase("get Gakushi's sources, Python 3.11 or later and a C compiler, and run make build" if is_bundle()
                  else "install from the sources on this machine: pip install .")


def how_to_build_for_release() -> Phrase:
    """The way from a debug build to a fast one."""
    return Phrase("unpack an archive of a release" if is_bundle() else "build without GAKUSHI_DEBUG: pip install .")
