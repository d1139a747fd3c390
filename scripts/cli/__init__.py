"""Shared by the commands: their form, options that mean the same in each, priority and progress of a long run."""
