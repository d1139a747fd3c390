"""Shared by the commands of `engine` and by scripts: options, progress, exit codes, pictures."""
