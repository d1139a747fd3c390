"""What games prove: Elo with its error, sequential tests, ratings, and tables of it all."""
