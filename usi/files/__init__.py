"""Files and pipes: reading, writing whole, locking, resuming, broken pipes."""
