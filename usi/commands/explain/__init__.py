"""`engine eval`: what the evaluation sees in a position."""
