"""A game as all commands know it: rules, openings, the schedule, and the record of a game that was played."""
