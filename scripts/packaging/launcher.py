"""The program `engine` of a folder without Python: in it, processes that share work are this program, too."""
from multiprocessing import freeze_support

from usi.cli import main

if __name__ == "__main__":
    freeze_support()        # for one of those, this never returns
    main()
