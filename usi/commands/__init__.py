"""The command line: a module or a small package for each command, imported when it is asked for."""
