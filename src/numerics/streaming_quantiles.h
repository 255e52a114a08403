// Order statistics of a stream without sorting it: a sample taken in the first pass brackets each
// wanted rank, a second pass counts what lies below and collects what lies inside. A bracket that
// misses (one in a million, or data made for it) is narrowed by histograms of the elements' bits in
// further passes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "numerics/simd_kernels.h"

namespace polygraphy {

// T: float, double, int64_t, uint64_t. No NaN may be fed. Every pass feeds all elements, front to
// back.
template <typename T>
class StreamingQuantiles {
 public:
  // `ranks`: ascending, 0 is the smallest element. `sample_size` 0: chosen by size.
  StreamingQuantiles(int64_t size, std::vector<int64_t> ranks, int64_t sample_size = 0);

  // Pass 1. `start` is the index of x[0].
  void sample(const T* x, int64_t start, int64_t count);
  // Before pass 2; small streams need no such pass: done() is true already.
  void plan();
  // Pass 2.
  void collect(const T* x, int64_t count);
  // After pass 2 or a further one.
  void resolve();
  bool done() const { return unresolved_ == 0; }
  // Further passes while not done(): feed narrow(), then call resolve().
  void narrow(const T* x, int64_t count);

  // Element of the i-th of `ranks`. Only when done().
  T value(size_t i) const { return targets_[i].value; }

 private:
  // Collects [start, end); counts those equal to low and high apart where these are heavy ties in
  // the sample.
  struct Bracket {
    T low{}, high{};
    size_t at_low = 0, start = 0,
           end = 0;         // indices of thresholds; at_low == start: low is collected
    size_t above_high = 0;  // == end: high is collected; kNone: high is the greatest value there is
    std::unique_ptr<T[]> inside;  // room for `room`, of which `used` hold something
    size_t used = 0, room = 0;
  };
  static constexpr size_t kNone = static_cast<size_t>(-1);
  struct Target {
    int64_t rank = 0;
    bool resolved = false;
    T value{};
    size_t bracket = 0;
    // Further passes: the element's key lies in [key_low, key_high], `below` elements have smaller
    // keys.
    uint64_t key_low = 0, key_high = 0;
    int64_t below = 0;
    int shift = 0;
    std::vector<int64_t> bins;
  };

  int64_t sample_position(int64_t index);  // requested in order, each once
  void lay_out_thresholds();
  void resolve_from_brackets();
  void make_room(Bracket& bracket, size_t room);
  void distribute(const T* x, size_t count);
  void settle(Target& target, T value);
  void search_keys(Target& target, uint64_t key_low, uint64_t key_high, int64_t below);

  int64_t size_;
  std::vector<Target> targets_;
  size_t unresolved_;
  std::vector<T> sample_;  // all elements of a small stream
  int64_t sample_size_;
  int64_t next_position_ = 0, stretch_end_ = 0;
  std::vector<Bracket> brackets_;
  Thresholds<T> thresholds_;
  std::vector<T> scratch_;
  int64_t collected_ = 0;
  bool overflow_ = false;  // more inside the brackets than the sample promised: only counted
  bool narrowing_ = false;
};

}  // namespace polygraphy
