// Mean average precision of detections, by the rules of COCO: a box matches the free box of its
// class with the largest overlap; precision at 101 recalls, for 10 overlaps from 0.50 to 0.95.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace polygraphy {

// Corners: x1, y1, x2, y2.
using Box = std::array<double, 4>;

struct Detection {
  Box box;
  int64_t label = 0;
  double score = 0;
};

class AveragePrecision {
 public:
  // An image: what was detected, of which the best 100 of each class count, and what is there.
  void add(std::vector<Detection> detected, const std::vector<Detection>& there);
  // The mean over the classes that are there, if image i counts times[i] times; NaN without any.
  // O(detections of these).
  double mean(std::span<const int64_t> times) const;

 private:
  static constexpr size_t kOverlaps = 10;
  struct Scored {
    double score;
    int64_t image;
    std::array<bool, kOverlaps> matched;
  };
  struct OfClass {
    int64_t label;
    std::vector<Scored> detected = {};                    // in the order of images, then of scores
    std::vector<std::pair<int64_t, int64_t>> there = {};  // image, number
  };
  OfClass& of_class(int64_t label);
  double of_class_at(const OfClass& one, std::span<const size_t> order, size_t overlap,
                     std::span<const int64_t> times, double there) const;

  std::vector<OfClass> classes_;
  int64_t images_ = 0;
};

}  // namespace polygraphy
