"""Shared by the commands of scripts/: their form and exit codes (command), options that mean the same in each
(options), and a check of the files that they are given (paths)."""
