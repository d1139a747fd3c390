"""`engine analyze`: what each move of a game was worth.

`command` goes through the games, `work` looks at the positions of one (and shows the progress), `verdicts` chooses
where to look again, `analysis` judges the moves, `report` makes the outputs, and `many` has what only several games
need.
"""
