"""The Zobrist keys, filled at import (see zobrist.pxd)."""


cdef void fill_keys() noexcept:
    cdef u64 state = 0x676b757368693230ULL
    cdef u64* words = <u64*>&keys
    cdef Py_ssize_t i
    for i in range(<Py_ssize_t>(sizeof(Keys) // sizeof(u64))):
        state += 0x9e3779b97f4a7c15ULL
        words[i] = splitmix(state)

fill_keys()
