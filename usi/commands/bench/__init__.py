"""`engine bench`: a fixed set of positions, searched."""
