#include "polygraphy/comparison/task_metrics/average_precision.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace polygraphy {
namespace {

constexpr size_t kMostOfClass = 100;  // detections of an image
constexpr int kRecalls = 101;

double area(const Box& box) {
  return (box[2] - box[0]) * (box[3] - box[1]);
}

// Intersection over union.
double overlap(const Box& a, const Box& b) {
  const double width = std::min(a[2], b[2]) - std::max(a[0], b[0]);
  const double height = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const double both = width * height;
  return both / (area(a) + area(b) - both);
}

double least_overlap(size_t place) {
  return 0.5 + 0.05 * static_cast<double>(place);
}

}  // namespace

AveragePrecision::OfClass& AveragePrecision::of_class(int64_t label) {
  for (OfClass& one : classes_) {
    if (one.label == label) return one;
  }
  return classes_.emplace_back(OfClass{label});
}

void AveragePrecision::add(std::vector<Detection> detected, const std::vector<Detection>& there) {
  std::ranges::stable_sort(detected, std::greater(), &Detection::score);
  std::vector<int64_t> labels;
  for (const Detection& one : detected) labels.push_back(one.label);
  for (const Detection& one : there) labels.push_back(one.label);
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  for (const int64_t label : labels) {
    OfClass& one = of_class(label);
    std::vector<Box> boxes;
    for (const Detection& right : there) {
      if (right.label == label) boxes.push_back(right.box);
    }
    std::array<std::vector<bool>, kOverlaps> taken;
    for (auto& free : taken) free.assign(boxes.size(), false);
    size_t count = 0;
    for (const Detection& found : detected) {
      if (found.label != label || count == kMostOfClass) continue;
      ++count;
      Scored scored{found.score, images_, {}};
      for (size_t k = 0; k < kOverlaps; ++k) {
        double best = std::min(least_overlap(k), 1 - 1e-10);
        size_t match = boxes.size();
        for (size_t i = 0; i < boxes.size(); ++i) {
          const double here = overlap(found.box, boxes[i]);
          if (taken[k][i] || !(here >= best)) continue;  // a NaN overlaps nothing
          best = here;
          match = i;
        }
        scored.matched[k] = match < boxes.size();
        if (scored.matched[k]) taken[k][match] = true;
      }
      one.detected.push_back(scored);
    }
    if (!boxes.empty()) one.there.emplace_back(images_, static_cast<int64_t>(boxes.size()));
  }
  ++images_;
}

double AveragePrecision::of_class_at(const OfClass& one, std::span<const size_t> order,
                                     size_t overlap, std::span<const int64_t> times,
                                     double there) const {
  std::vector<double> recalls, precisions;
  double right = 0, wrong = 0;
  for (const size_t place : order) {
    const Scored& found = one.detected[place];
    for (int64_t n = 0; n < times[static_cast<size_t>(found.image)]; ++n) {
      (found.matched[overlap] ? right : wrong) += 1;
      recalls.push_back(right / there);
      precisions.push_back(right / (right + wrong + std::numeric_limits<double>::epsilon()));
    }
  }
  for (size_t i = precisions.size(); i > 1; --i)
    precisions[i - 2] = std::max(precisions[i - 2], precisions[i - 1]);
  double sum = 0;
  for (int i = 0; i < kRecalls; ++i) {
    const auto at = std::ranges::lower_bound(recalls, i / (kRecalls - 1.0));
    if (at != recalls.end()) sum += precisions[static_cast<size_t>(at - recalls.begin())];
  }
  return sum / kRecalls;
}

double AveragePrecision::mean(std::span<const int64_t> times) const {
  double sum = 0;
  int64_t classes = 0;
  for (const OfClass& one : classes_) {
    double there = 0;
    for (const auto& [image, number] : one.there)
      there += static_cast<double>(number * times[static_cast<size_t>(image)]);
    if (there == 0) continue;
    ++classes;
    std::vector<size_t> order(one.detected.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, std::greater(),
                             [&](size_t place) { return one.detected[place].score; });
    for (size_t k = 0; k < kOverlaps; ++k) sum += of_class_at(one, order, k, times, there);
  }
  if (classes == 0) return std::numeric_limits<double>::quiet_NaN();
  return sum / static_cast<double>(kOverlaps) / static_cast<double>(classes);
}

}  // namespace polygraphy
