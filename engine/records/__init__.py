"""Game records and moves as people write them: KIF, KI2, CSA, JKF, PGN, USI, pictures of a board. All in Python;
nothing compiled imports it."""
