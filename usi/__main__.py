"""`python -m usi` is the console command `engine`."""
from usi.cli import main

main()
