"""Margins of the search: how good some are, measured by games or by the root error, and the search for better ones."""
