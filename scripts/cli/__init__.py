"""Shared by the commands: their form, and options that mean the same in each."""
