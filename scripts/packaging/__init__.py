"""Makes and tries what users install."""
