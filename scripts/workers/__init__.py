"""Tasks done by many processes, on this machine (`local`) or by Dask's workers (`dask`): `pool` chooses.

A task is plain data and the work a function of a module; what is done does not matter here. All share `interface`.
"""
