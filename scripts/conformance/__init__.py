"""A USI engine held against the protocol: a process whose lines are read, and the model that says what it may say."""
