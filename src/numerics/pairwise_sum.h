// NumPy's summation order, fed in blocks of any size: the reduction tree of np.add.reduce over a
// contiguous array (halves down to at most 128 elements), either over the whole array or, where
// NumPy casts on the way, over buffers of 8192 elements whose sums are added one after the other.
// Equal to NumPy's to the last bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace polygraphy {

// kSums sums run side by side over the same tree; `Leaf` computes them for up to 128 elements.
template <typename T, int kSums>
class PairwiseSum {
 public:
  using Leaf = void (*)(const T* x, int count, T* out, T parameter);
  static constexpr int64_t kNumpyBuffer = 8192;

  // `chunk` 0: one tree over all `size` elements. `eight`, if there is one: eight adjacent leaves
  // of equal size at once (simd_kernels.h).
  PairwiseSum(int64_t size, int64_t chunk, Leaf leaf, T parameter = 0, Leaf eight = nullptr)
      : leaf_(leaf),
        eight_(eight),
        parameter_(parameter),
        chunk_(chunk == 0 ? size : chunk),
        remaining_(size) {
    next_chunk();
  }

  void feed(const T* x, int64_t count) {
    while (count > 0) {
      if (carried_ == 0 && count >= part_size_) {
        x += part_size_;
        count -= part_size_;
        finish_part(x - part_size_);
        continue;
      }
      const int64_t take = std::min<int64_t>(count, part_size_ - carried_);
      std::memcpy(carry_.data() + carried_, x, static_cast<size_t>(take) * sizeof(T));
      carried_ += static_cast<int>(take);
      x += take;
      count -= take;
      if (carried_ == part_size_) {
        carried_ = 0;
        finish_part(carry_.data());
      }
    }
  }

  T total(int which) const { return total_[which]; }

 private:
  using Sums = std::array<T, kSums>;
  struct Frame {
    int64_t right;  // elements of the right half
    bool left_done;
    Sums left;
  };

  void next_chunk() {
    const int64_t size = std::min(chunk_, remaining_);
    remaining_ -= size;
    descend(size);
  }

  void descend(int64_t size) {
    in_eight_ = false;
    while (size > kLeaf) {
      // Halving this three times makes eight equal leaves.
      in_eight_ = eight_ != nullptr && size <= 8 * kLeaf && size > 4 * kLeaf && size % 64 == 0;
      if (in_eight_) break;
      int64_t left = size / 2;
      left -= left % 8;
      Frame& frame = stack_[depth_++];
      frame.right = size - left;
      frame.left_done = false;
      size = left;
    }
    part_size_ = static_cast<int>(size);
  }

  void finish_part(const T* x) {
    Sums sums;
    if (in_eight_) {
      eight_(x, part_size_ / 8, sums.data(), parameter_);
    } else {
      leaf_(x, part_size_, sums.data(), parameter_);
    }
    while (depth_ > 0) {
      Frame& top = stack_[depth_ - 1];
      if (!top.left_done) {
        top.left = sums;
        top.left_done = true;
        descend(top.right);
        return;
      }
      for (int i = 0; i < kSums; ++i) sums[i] = top.left[i] + sums[i];
      --depth_;
    }
    for (int i = 0; i < kSums; ++i) total_[i] += sums[i];
    next_chunk();
  }

  static constexpr int kLeaf = 128;

  Leaf leaf_, eight_;
  T parameter_;
  int64_t chunk_;
  int64_t remaining_;
  int part_size_ = 0, carried_ = 0;
  bool in_eight_ = false;  // the part is eight leaves
  Sums total_{};
  size_t depth_ = 0;
  std::array<Frame, 64> stack_;  // sizes halve: never deeper than their bits
  std::array<T, 8 * kLeaf> carry_;
};

}  // namespace polygraphy
