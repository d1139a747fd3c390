"""Files and pipes of the operating system: read, written whole, locked, continued, broken."""
