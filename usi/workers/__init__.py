"""Tasks done by many processes, of this machine or of a Dask scheduler. A task is plain data, the work a function of a
module, and what it does is nobody's business here."""
