"""Pools that run tasks in many processes, of this machine or of a Dask scheduler. A task is plain data, the work a
function of a module."""
