"""Other systems and processors, from Linux on x86-64: compilers for them, a Python of theirs, and what runs it here."""
