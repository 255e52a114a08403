#include "polygraphy/comparison/dump_lint/tensor_traits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>

#include "base/arrays/dtype.h"

namespace polygraphy {
namespace {

constexpr int64_t kFewest = 16, kSample = 64;

// The place of number `i` of `count` at equal distances among `size`.
int64_t spread(int64_t i, int64_t count, int64_t size) {
  // Without a product that may overflow.
  return size / count * i + size % count * i / count;
}

template <typename Predicate>
bool all_of(const Array& array, Predicate predicate) {
  for (int64_t i = 0; i < array.size(); ++i) {
    if (!predicate(array.get_double(i))) return false;
  }
  return true;
}

struct Axis {
  size_t place;
  int64_t size;
};
using Axes = std::vector<Axis>;

// Those that are not 1.
Axes axes_of(const Shape& shape) {
  Axes axes;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) axes.push_back({i, shape[i]});
  }
  return axes;
}

bool is_zero(double value) {
  return value == 0;
}

bool is_nan(double value) {
  return std::isnan(value);
}

// Quick where all bits are 0, which most zeros are.
bool all_zero(const Array& array) {
  const Array whole = array.contiguous_aligned();
  const std::byte* data = whole.data();
  const auto size = static_cast<size_t>(whole.nbytes());
  if (data[0] == std::byte{0} && std::memcmp(data, data + 1, size - 1) == 0) return true;
  return all_of(whole, is_zero);
}

}  // namespace

bool TensorTraits::constant() const {
  return std::adjacent_find(sample.begin(), sample.end(), std::not_equal_to<>()) == sample.end();
}

TensorTraits traits_of(std::string name, const Array& array) {
  TensorTraits traits{.name = std::move(name),
                      .dtype = array.dtype(),
                      .shape = array.shape(),
                      .size = array.size(),
                      .floats = kind_of(array.dtype()) == Kind::kFloat && array.size() >= kFewest};
  if (!traits.floats) return traits;
  const int64_t count = std::min(kSample, traits.size);
  for (int64_t i = 0; i < count; ++i)
    traits.sample.push_back(array.get_double(spread(i, count, traits.size)));
  traits.zeros =
      std::all_of(traits.sample.begin(), traits.sample.end(), is_zero) && all_zero(array);
  traits.nans =
      std::all_of(traits.sample.begin(), traits.sample.end(), is_nan) && all_of(array, is_nan);
  return traits;
}

std::optional<size_t> longer_axis(const TensorTraits& tensor, const TensorTraits& partner) {
  const Axes mine = axes_of(tensor.shape), others = axes_of(partner.shape);
  for (size_t i = 0; i < mine.size(); ++i) {
    Axes same = mine;
    // The partner's may be 1, which is left out.
    if (mine.size() == others.size()) {
      if (others[i].size >= mine[i].size) continue;
      same[i].size = others[i].size;
    } else {
      same.erase(same.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (same.size() == others.size() &&
        std::equal(same.begin(), same.end(), others.begin(),
                   [](const Axis& a, const Axis& b) { return a.size == b.size; }))
      return mine[i].place;
  }
  return std::nullopt;
}

bool alike_behind(const Array& array, size_t axis) {
  int64_t parts = 1;
  for (size_t i = 0; i <= axis; ++i) parts *= array.shape()[i];
  const int64_t size = parts > 0 ? array.size() / parts : 0;
  double largest = 0;
  for (int64_t i = 0; i < size; ++i) largest = std::max(largest, std::abs(array.get_double(i)));
  const int64_t looked_at = std::min(kSample, parts);
  for (int64_t k = 1; k < looked_at; ++k) {
    const int64_t begin = spread(k, looked_at, parts) * size;
    for (int64_t i = 0; i < size; ++i) {
      const double difference = array.get_double(begin + i) - array.get_double(i);
      if (!(std::abs(difference) <= 0.01 * largest)) return false;
    }
  }
  return size > 0;
}

}  // namespace polygraphy
