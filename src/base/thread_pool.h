// parallel_for over the cores of the processor.
#pragma once

#include <cstdint>
#include <functional>

namespace polygraphy {

// Calls fn(begin, end) for pieces that cover [0, count) without overlap; the caller's thread takes
// part. Pieces end at multiples of `grain` (> 0) or at `count`, for any number of threads;
// which thread gets which piece, and when, is not fixed. One piece, one core, or a call from inside
// fn runs in the caller's thread alone, and starts no thread. The first exception by position is
// rethrown after all pieces have ended; pieces not yet begun when something was thrown may be left
// out.
void parallel_for(int64_t count, int64_t grain,
                  const std::function<void(int64_t begin, int64_t end)>& fn);

// Threads that parallel_for uses, the caller's included: the cores that this process may run on,
// unless set. Not to be changed while a parallel_for runs.
int parallelism();
void set_parallelism(int threads);  // 0: back to the number of cores

}  // namespace polygraphy
