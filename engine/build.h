/* The kind of build, as constants that Cython can read. */
#ifndef GAKUSHI_BUILD_H
#define GAKUSHI_BUILD_H

#ifndef GAKUSHI_DEBUG
#define GAKUSHI_DEBUG 0
#endif

#endif
