/* Large blocks of memory on huge pages, which save random reads of a table most address translations. */
#ifndef GAKUSHI_BLOCK_H
#define GAKUSHI_BLOCK_H

#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#define HUGE_PAGE ((size_t)1 << 21)

/* Allocate at least `size` bytes, aligned to a huge page; NULL if there is no memory. Free with free_block(). On Windows
 * huge pages need a privilege that hardly any user has, so the block is only aligned. */
static inline void *huge_block(size_t size)
{
    size_t rounded = (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
#if defined(_WIN32)
    return _aligned_malloc(rounded, HUGE_PAGE);
#else
    void *block = NULL;
    if (posix_memalign(&block, HUGE_PAGE, rounded) != 0)
        return NULL;
#if defined(MADV_HUGEPAGE)
    madvise(block, rounded, MADV_HUGEPAGE); /* before the first touch; a refusal only costs speed */
#endif
    return block;
#endif
}

static inline void free_block(void *block)
{
#if defined(_WIN32)
    _aligned_free(block);
#else
    free(block);
#endif
}

/* Allocate zeroed memory. On Linux it is not touched, so unused parts cost nothing. */
static inline void *empty_block(size_t size)
{
#if defined(__linux__)
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
#if defined(MADV_HUGEPAGE)
    madvise(block, size, MADV_HUGEPAGE);
#endif
    return block;
#else
    void *block = huge_block(size);
    if (block != NULL)
        memset(block, 0, size);
    return block;
#endif
}

static inline void free_empty_block(void *block, size_t size)
{
#if defined(__linux__)
    munmap(block, size);
#else
    (void)size;
    free_block(block);
#endif
}

/* Make all threads share one arena. Otherwise glibc reserves 64 MB of addresses for each thread that allocates, which
 * matters only to processes with limited address space. */
static inline void share_one_arena(void)
{
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 1);
#endif
}

/* Return freed memory to the system. glibc keeps even large blocks once one has been freed. */
static inline void give_back_memory(void)
{
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

#endif
