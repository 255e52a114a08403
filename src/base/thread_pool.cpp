#include "base/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

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

// One parallel_for: pieces that any number of threads take, one after the other.
class Work {
 public:
  Work(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& fn)
      : count_(count), grain_(grain), pieces_((count - 1) / grain + 1), fn_(fn) {}

  int64_t pieces() const { return pieces_; }

  void take_pieces() {
    inside_parallel_for = true;
    while (!stop_) {
      const int64_t piece = next_.fetch_add(1);
      if (piece >= pieces_) break;
      const int64_t begin = piece * grain_;
      try {
        fn_(begin, begin + std::min(grain_, count_ - begin));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (failure_ == nullptr || piece < failed_piece_) {
          failure_ = std::current_exception();
          failed_piece_ = piece;
        }
        stop_ = true;
      }
    }
    inside_parallel_for = false;
  }
  // After all helpers have left.
  void rethrow() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

  int helpers = 0;  // at work on it now; guarded by Helpers

 private:
  const int64_t count_, grain_, pieces_;
  const std::function<void(int64_t, int64_t)>& fn_;
  std::atomic<int64_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  int64_t failed_piece_ = 0;
  std::exception_ptr failure_;
};

// Threads that wait for work. Made on first use and never destroyed: joining them while the process
// exits gains nothing.
class Helpers {
 public:
  static Helpers& instance() {
    static Helpers* const helpers = new Helpers;
    return *helpers;
  }

  // Requests `count` helpers; idle threads take the requests in order.
  void call(Work& work, int count) {
    const std::lock_guard lock(mutex_);
    try {
      for (; threads_ < count; ++threads_) std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {
      // The system has no thread left: the caller takes the pieces, with the helpers that there
      // are.
    }
    calls_.insert(calls_.end(), static_cast<size_t>(count), &work);
    called_.notify_all();
  }
  // Withdraws the requests that no thread has taken and waits for the helpers at work.
  void dismiss(Work& work) {
    std::unique_lock lock(mutex_);
    std::erase(calls_, &work);
    left_.wait(lock, [&] { return work.helpers == 0; });
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      called_.wait(lock, [this] { return !calls_.empty(); });
      Work& work = *calls_.front();
      calls_.pop_front();
      ++work.helpers;
      lock.unlock();
      work.take_pieces();
      lock.lock();
      --work.helpers;
      left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable called_, left_;
  std::deque<Work*> calls_;
  int threads_ = 0;
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
  if (inside_parallel_for || count <= grain || parallelism() == 1) {
    for (int64_t begin = 0; begin < count; begin += grain) {
      fn(begin, begin + std::min(grain, count - begin));
    }
    return;
  }
  Work work(count, grain, fn);
  const int helpers = static_cast<int>(std::min<int64_t>(parallelism(), work.pieces())) - 1;
  Helpers::instance().call(work, helpers);
  work.take_pieces();
  Helpers::instance().dismiss(work);
  work.rethrow();
}

}  // namespace polygraphy
