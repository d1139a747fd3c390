"""What users install, made and tried; and builds for other systems, compiled and tried here."""
