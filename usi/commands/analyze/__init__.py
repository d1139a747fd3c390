"""`engine analyze`: what each move of a game was worth."""
