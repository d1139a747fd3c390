"""Long runs: the file that one is kept in and continued from, and how far it is."""
