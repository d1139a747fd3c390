"""What games prove: Elo, SPRT, ratings, regression. Mathematics alone."""
