"""`engine foldstats`: how large the tables of the evaluation are in each layout."""
