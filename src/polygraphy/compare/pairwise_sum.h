// NumPy's summation order, fed in blocks of any size: the reduction tree of np.add.reduce over a
// contiguous array (halves down to at most 128 elements), either over the whole array or, where
// NumPy casts on the way, over buffers of 8192 elements whose sums are added one after the other.
// Equal to NumPy's to the last bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace polygraphy {

// kSums sums run side by side over the same tree; `Leaf` computes them for up to 128 elements.
template <typename T, int kSums>
class PairwiseSum {
 public:
  using Leaf = void (*)(const T* x, int count, T* out, T parameter);
  static constexpr int64_t kNumpyBuffer = 8192;

  // `chunk` 0: one tree over all `size` elements.
  PairwiseSum(int64_t size, int64_t chunk, Leaf leaf, T parameter = 0)
      : leaf_(leaf), parameter_(parameter), chunk_(chunk == 0 ? size : chunk), remaining_(size) {
    next_chunk();
  }

  void feed(const T* x, int64_t count) {
    while (count > 0) {
      if (carried_ == 0 && count >= leaf_size_) {
        finish_leaf(x);
        x += last_leaf_;
        count -= last_leaf_;
        continue;
      }
      const int64_t take = std::min<int64_t>(count, leaf_size_ - carried_);
      std::memcpy(carry_.data() + carried_, x, static_cast<size_t>(take) * sizeof(T));
      carried_ += static_cast<int>(take);
      x += take;
      count -= take;
      if (carried_ == leaf_size_) {
        carried_ = 0;
        finish_leaf(carry_.data());
      }
    }
  }

  T total(int which) const { return total_[which]; }

 private:
  using Sums = std::array<T, kSums>;
  struct Frame {
    int64_t right;  // elements of the right half
    bool left_done = false;
    Sums left{};
  };

  void next_chunk() {
    const int64_t size = std::min(chunk_, remaining_);
    remaining_ -= size;
    descend(size);
  }

  void descend(int64_t size) {
    while (size > 128) {
      int64_t left = size / 2;
      left -= left % 8;
      stack_.push_back({size - left});
      size = left;
    }
    leaf_size_ = static_cast<int>(size);
  }

  void finish_leaf(const T* x) {
    Sums sums;
    leaf_(x, leaf_size_, sums.data(), parameter_);
    last_leaf_ = leaf_size_;
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      if (!top.left_done) {
        top.left = sums;
        top.left_done = true;
        const int64_t right = top.right;
        descend(right);
        return;
      }
      for (int i = 0; i < kSums; ++i) sums[i] = top.left[i] + sums[i];
      stack_.pop_back();
    }
    for (int i = 0; i < kSums; ++i) total_[i] += sums[i];
    next_chunk();
  }

  Leaf leaf_;
  T parameter_;
  int64_t chunk_;
  int64_t remaining_;
  int leaf_size_ = 0, last_leaf_ = 0, carried_ = 0;
  Sums total_{};
  std::vector<Frame> stack_;
  std::array<T, 128> carry_;
};

}  // namespace polygraphy
