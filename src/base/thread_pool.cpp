#include "base/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <exception>
#include <future>
#include <mutex>
#include <thread_pool/thread_pool.hpp>
#include <vector>

namespace polygraphy {
namespace {

constinit std::atomic<int> wanted_threads{0};
constinit thread_local bool inside_parallel_for = false;

int cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int count = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return std::max(count, 1);
}

// All helpers, which leaves one core for the caller. Made on first use and never destroyed: joining
// threads while the process exits gains nothing.
thread_pool::ThreadPool& helpers() {
  const int count = parallelism() - 1;
  static std::mutex mutex;
  static thread_pool::ThreadPool* pool = nullptr;
  const std::lock_guard lock(mutex);
  if (pool == nullptr || pool->num_threads() < static_cast<size_t>(count)) {
    // An outgrown pool is idle, because parallelism changes only between calls.
    delete pool;
    pool = nullptr;
    pool = new thread_pool::ThreadPool(static_cast<size_t>(count));
  }
  return *pool;
}

struct Work {
  Work(int64_t all, int64_t piece, const std::function<void(int64_t, int64_t)>& function)
      : count(all), grain(piece), fn(function) {}

  int64_t count;
  int64_t grain;
  const std::function<void(int64_t, int64_t)>& fn;
  std::atomic<int64_t> next_piece{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  int64_t failed_piece = -1;
  std::exception_ptr failure;

  void take_pieces() {
    inside_parallel_for = true;
    const int64_t pieces = (count - 1) / grain + 1;
    while (!stop) {
      const int64_t piece = next_piece.fetch_add(1);
      if (piece >= pieces) break;
      const int64_t begin = piece * grain;
      try {
        fn(begin, std::min(grain, count - begin) + begin);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (failure == nullptr || piece < failed_piece) {
          failure = std::current_exception();
          failed_piece = piece;
        }
        stop = true;
      }
    }
    inside_parallel_for = false;
  }
};

}  // namespace

int parallelism() {
  const int wanted = wanted_threads;
  return wanted > 0 ? wanted : cores();
}

void set_parallelism(int threads) {
  wanted_threads = threads;
}

void parallel_for(int64_t count, int64_t grain,
                  const std::function<void(int64_t begin, int64_t end)>& fn) {
  assert(grain > 0);
  if (count <= 0) return;
  const int64_t pieces = (count - 1) / grain + 1;
  const int threads =
      inside_parallel_for ? 1 : static_cast<int>(std::min<int64_t>(parallelism(), pieces));
  if (threads == 1) {
    for (int64_t begin = 0; begin < count; begin += grain) {
      fn(begin, begin + std::min(grain, count - begin));
    }
    return;
  }

  Work work(count, grain, fn);
  thread_pool::ThreadPool& pool = helpers();
  std::vector<std::future<void>> done(static_cast<size_t>(threads - 1));
  for (std::future<void>& helper : done) {
    helper = pool.Submit([&work] { work.take_pieces(); });
  }
  work.take_pieces();
  for (std::future<void>& helper : done) helper.get();
  if (work.failure != nullptr) std::rethrow_exception(work.failure);
}

}  // namespace polygraphy
