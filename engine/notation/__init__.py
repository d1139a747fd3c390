"""Game records in CSA, KIF, KI2, JKF and PGN, with their moves and their ends, all in Python."""
