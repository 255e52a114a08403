#include "numerics/mismatches.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/arrays/numpy_text.h"
#include "base/arrays/packing.h"

namespace polygraphy {
namespace {

const NumpyPrintOptions kDefaults;

bool exceeds(double value, double tolerance) {
  return value > tolerance || std::isnan(value);
}

double element(const void* block, ComputeType type, int64_t i) {
  switch (type) {
    case ComputeType::kFloat:
      return static_cast<const float*>(block)[i];
    case ComputeType::kDouble:
      return static_cast<const double*>(block)[i];
    case ComputeType::kInt64:
      return static_cast<double>(static_cast<const int64_t*>(block)[i]);
    case ComputeType::kUint64:
      return static_cast<double>(static_cast<const uint64_t*>(block)[i]);
  }
  return 0;
}

// Prints `array` whole, or, when its rows stand for a longer array's first and last ones, with
// "..." between them.
std::string text_of(const Array& array, bool shortened) {
  NumpyPrintOptions options = kDefaults;
  if (shortened) options.threshold = 0;
  return numpy_str(array, options);
}

}  // namespace

Mismatches::Mismatches(Difference& difference, Tolerances tolerances) {
  BlockSource& absolute = difference.absolute();
  BlockSource& relative = difference.relative();
  const ComputeType absolute_type = compute_type_of(absolute.dtype()),
                    relative_type = compute_type_of(relative.dtype());
  for (int64_t start = 0; start < absolute.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, absolute.size() - start);
    const void* absolutes = absolute.read(start, count);
    const void* relatives = relative.read(start, count);
    for (int64_t i = 0; i < count; ++i) {
      if (exceeds(element(absolutes, absolute_type, i), tolerances.absolute) &&
          exceeds(element(relatives, relative_type, i), tolerances.relative)) {
        add(start + i);
      }
    }
  }
}

void Mismatches::add(int64_t place) {
  if (count_ < kDefaults.threshold) {
    first_.push_back(place);
  }
  if (static_cast<int64_t>(last_.size()) < kDefaults.edge_items) {
    last_.push_back(place);
  } else {
    last_[static_cast<size_t>(count_ % kDefaults.edge_items)] = place;
  }
  ++count_;
}

std::vector<int64_t> Mismatches::shown(int64_t width, bool& shortened) const {
  shortened = count_ * width > kDefaults.threshold && count_ > 2 * kDefaults.edge_items;
  if (!shortened) return first_;
  // One more row than the edges hold, so that there is something to leave out.
  const auto edge = static_cast<std::ptrdiff_t>(kDefaults.edge_items);
  std::vector<int64_t> places(first_.begin(), first_.begin() + edge + 1);
  for (int64_t i = count_ - kDefaults.edge_items; i < count_; ++i) {
    places.push_back(last_[static_cast<size_t>(i % kDefaults.edge_items)]);
  }
  return places;
}

std::string Mismatches::values_text(const Array& array) const {
  bool shortened;
  const std::vector<int64_t> places = shown(1, shortened);
  const Shape shape{static_cast<int64_t>(places.size())};
  if (array.dtype() == DataType::kString) {
    std::vector<std::string> texts;
    for (const int64_t place : places) texts.push_back(array.strings()[static_cast<size_t>(place)]);
    return text_of(Array::from_strings(shape, std::move(texts)), shortened);
  }
  const Array all = is_packed(array.dtype()) ? unpack(array) : array.contiguous_aligned();
  Array picked = Array::uninitialized(all.dtype(), shape);
  const auto width = static_cast<size_t>(bit_width(all.dtype()) / 8);
  for (size_t i = 0; i < places.size(); ++i) {
    std::memcpy(picked.mutable_data() + i * width,
                all.data() + static_cast<size_t>(places[i]) * width, width);
  }
  return text_of(is_packed(array.dtype()) ? pack(picked, array.dtype()) : picked, shortened);
}

std::string Mismatches::indices_text(std::span<const int64_t> shape) const {
  const auto rank = static_cast<int64_t>(shape.size());
  bool shortened;
  const std::vector<int64_t> places = shown(rank, shortened);
  std::vector<int64_t> indices;
  for (int64_t place : places) {
    indices.resize(indices.size() + shape.size());
    for (size_t d = shape.size(), at = indices.size(); d-- > 0;) {
      indices[--at] = place % shape[d];
      place /= shape[d];
    }
  }
  return text_of(Array::of<int64_t>({static_cast<int64_t>(places.size()), rank}, indices),
                 shortened);
}

double excess_of(double difference, double tolerance) {
  if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
  return difference == 0 ? 0 : difference / tolerance;
}

double largest_excess(Difference& difference, Tolerances tolerances) {
  BlockSource& absolute = difference.absolute();
  BlockSource& relative = difference.relative();
  const ComputeType absolute_type = compute_type_of(absolute.dtype()),
                    relative_type = compute_type_of(relative.dtype());
  double largest = 0;
  for (int64_t start = 0; start < absolute.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, absolute.size() - start);
    const void* absolutes = absolute.read(start, count);
    const void* relatives = relative.read(start, count);
    for (int64_t i = 0; i < count; ++i) {
      largest = std::max(
          largest, std::min(excess_of(element(absolutes, absolute_type, i), tolerances.absolute),
                            excess_of(element(relatives, relative_type, i), tolerances.relative)));
    }
  }
  return largest;
}

}  // namespace polygraphy
