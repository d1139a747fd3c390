"""Statistics of games: Elo with its error, sequential tests, ratings, and tables."""
