"""`engine book …`: opening books made, shown and merged."""
