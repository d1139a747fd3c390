"""Tools that make and try the packages that users install."""
