#include "numerics/worst_elements.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/arrays/flat_index.h"
#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "numerics/block_reader.h"
#include "numerics/difference.h"

namespace polygraphy {
namespace {

struct Place {
  double rank;  // the difference; infinite for NaN, so that it comes first
  double difference;
  int64_t at;
};

bool worse(const Place& a, const Place& b) {
  if (a.rank != b.rank) return a.rank > b.rank;
  if (std::isnan(a.difference) != std::isnan(b.difference)) return std::isnan(a.difference);
  return a.at < b.at;
}

// The worst so far; the least bad of them on top.
class Worst {
 public:
  explicit Worst(size_t count) : count_(count) {}

  // Called with places in rising order, so that of equal ones the first stay.
  void add(double difference, int64_t at) {
    const double rank =
        std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    if (rank == 0 || count_ == 0) return;
    const Place place{rank, difference, at};
    if (heap_.size() == count_) {
      if (!worse(place, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), worse);
      heap_.pop_back();
    }
    heap_.push_back(place);
    std::push_heap(heap_.begin(), heap_.end(), worse);
  }

  std::vector<Place> sorted() {
    std::sort(heap_.begin(), heap_.end(), worse);
    return std::move(heap_);
  }

 private:
  size_t count_;
  std::vector<Place> heap_;
};

void add_strings(const Array& a, const Array& b, Worst& worst) {
  for (size_t i = 0; i < a.strings().size(); ++i) {
    if (a.strings()[i] != b.strings()[i]) worst.add(1, static_cast<int64_t>(i));
  }
}

void add_numbers(const Array& a, const Array& b, Worst& worst) {
  Difference difference(a, b, {}, true);
  BlockSource& absolute = difference.absolute();
  std::vector<uint64_t> buffer(BlockSource::kBlockElements);
  for (int64_t start = 0; start < absolute.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, absolute.size() - start);
    const auto* block = read_as<double>(absolute, start, count, buffer);
    for (int64_t i = 0; i < count; ++i) worst.add(block[i], start + i);
  }
}

}  // namespace

std::string element_text(const Array& array, int64_t flat_index) {
  switch (kind_of(array.dtype())) {
    case Kind::kString:
      return py_str_repr(array.strings()[static_cast<size_t>(flat_index)]);
    case Kind::kBool:
      return array.get_int64(flat_index) ? "True" : "False";
    case Kind::kSigned:
      return std::to_string(array.get_int64(flat_index));
    case Kind::kUnsigned:
      return std::to_string(static_cast<uint64_t>(array.get_int64(flat_index)));
    case Kind::kFloat:
      if (array.dtype() == DataType::kFloat64) return py_float_repr(array.get_double(flat_index));
      return py_float32_repr(static_cast<float>(array.get_double(flat_index)));
    default: {
      const Array plain = array.contiguous_aligned();
      const int64_t bytes = bit_width(array.dtype()) / 8;
      return numpy_str(Array::view(array.dtype(), {}, plain.data() + flat_index * bytes, nullptr));
    }
  }
}

std::vector<ElementDifference> worst_elements(const Array& a, const Array& b, size_t count) {
  assert(a.shape() == b.shape());
  const bool texts = a.dtype() == DataType::kString;
  Worst worst(count);
  if (texts && b.dtype() == DataType::kString) {
    add_strings(a, b, worst);
  } else if (Difference::possible(a.dtype(), b.dtype())) {
    add_numbers(a, b, worst);
  }
  std::vector<ElementDifference> result;
  for (const Place& place : worst.sorted()) {
    result.push_back({unravel_index(place.at, a.shape()), element_text(a, place.at),
                      element_text(b, place.at), place.difference});
  }
  return result;
}

}  // namespace polygraphy
