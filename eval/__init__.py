"""The worth of a position."""
import engine  # noqa: F401 - it checks the processor before anything compiled for it is loaded
