"""The worth of a position."""
