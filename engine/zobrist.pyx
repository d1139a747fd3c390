cdef void fill_keys() noexcept:
    cdef u64 state = 0x676b757368693230ULL
    cdef u64 mixed
    cdef u64* words = <u64*>&keys
    cdef Py_ssize_t i
    for i in range(<Py_ssize_t>(sizeof(Keys) // sizeof(u64))):
        state += 0x9e3779b97f4a7c15ULL
        mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ULL
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL
        words[i] = mixed ^ (mixed >> 31)

fill_keys()
