"""Measurements behind figures in the documents, and files made once. Run them as files, like the commands."""
