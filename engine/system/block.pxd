"""Large blocks of memory; block.h describes the functions."""
cdef extern from "system/block.h" nogil:
    void* huge_block(size_t size)                       # NULL if there is no memory
    void free_block(void* block)
    void* empty_block(size_t size)                      # zeros; NULL if there is no memory
    void free_empty_block(void* block, size_t size)
    void share_one_arena()
    void give_back_memory()
