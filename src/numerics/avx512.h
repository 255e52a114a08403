// AVX-512 for single functions: intrinsics, and the attribute of functions that use them.
#pragma once

#if defined(__x86_64__)
// g++ 12 takes `__m512 y = y`, its header's way of leaving a value undefined, for a mistake
// wherever such a function is inlined: the warning has to be off where it was defined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#define PG_AVX512 __attribute__((target("avx512f,popcnt")))
#endif
