"""Tuning of search parameters: SPSA, and factorial games that measure many changes at once."""
