"""Statistics of games: Elo, SPRT, ratings, regression."""
