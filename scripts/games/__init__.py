"""What a game is to all of the scripts: its rules, its openings, who meets whom, and what is known when it is over."""
