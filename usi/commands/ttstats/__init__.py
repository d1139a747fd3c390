"""`engine ttstats`: how well keys spread over the table."""
