"""The thinking: alpha-beta search and its clock."""
