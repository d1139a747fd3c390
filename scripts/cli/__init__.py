"""Shared by the commands: their form, and the files and programs that self-play depends on."""
