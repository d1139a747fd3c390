"""The workshop: what develops the engine. Each command is a module here, run as `python -m scripts.NAME`."""
