"""What users install: made, and tried as they would."""
