/* Large blocks of memory on huge pages, which spare a table read at random most of its address translations. */
#ifndef GAKUSHI_BLOCK_H
#define GAKUSHI_BLOCK_H

#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#define HUGE_PAGE ((size_t)1 << 21)

/* At least so many bytes, aligned to a huge page, to be freed by free(); NULL if there is no memory. */
static inline void *huge_block(size_t size)
{
    void *block = NULL;
    size_t rounded = (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    if (posix_memalign(&block, HUGE_PAGE, rounded) != 0)
        return NULL;
#if defined(MADV_HUGEPAGE)
    madvise(block, rounded, MADV_HUGEPAGE); /* before the first touch; a refusal only costs speed */
#endif
    return block;
}

/* Hand freed memory back to the system: glibc keeps even large blocks, once it has seen one freed. */
static inline void give_back_memory(void)
{
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

#endif
