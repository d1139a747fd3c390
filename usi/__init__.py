"""Everything that people and GUIs meet: the command `engine`, which speaks USI (session/) or runs a command (commands/,
serve/); opening books; a client for other engines; files, pages and words."""
