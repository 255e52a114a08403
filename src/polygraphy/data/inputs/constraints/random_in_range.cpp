#include "polygraphy/data/inputs/constraints/random_in_range.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/arrays/convert.h"

namespace polygraphy {
namespace {

constexpr int64_t kMostShuffled = int64_t{1} << 24;

ValueBounds limits_of(DataType type) {
  if (type == DataType::kBool) return {0, 1};
  if (!is_integral(type)) return {};
  const int bits = std::min(bit_width(type), 53);  // the bits of a double
  if (kind_of(type) == Kind::kSigned)
    return {-std::ldexp(1, bits - 1), std::ldexp(1, bits - 1) - 1};
  return {0, std::ldexp(1, bits) - 1};
}

// Two finite ends.
ValueBounds chosen(const ValueBounds& allowed, bool whole, std::optional<ValueBounds> wanted) {
  if (wanted && !intersection(allowed, *wanted).empty()) return intersection(allowed, *wanted);
  if (std::isfinite(allowed.low) && std::isfinite(allowed.high)) return allowed;
  if (!whole && !intersection(allowed, {0, 1}).empty()) return intersection(allowed, {0, 1});
  const double width = whole ? 9 : 1;
  if (std::isfinite(allowed.low)) return {allowed.low, allowed.low + width};
  if (std::isfinite(allowed.high)) return {allowed.high - width, allowed.high};
  return {0, 1};
}

class RangeDrawer {
 public:
  RangeDrawer(NumpyRandom& random, DataType type, const Shape& shape, const ValueRange& range,
              std::optional<ValueBounds> wanted)
      : random_(random),
        type_(type),
        shape_(shape),
        range_(range),
        wanted_(wanted),
        whole_(range.whole || is_integral(type) || type == DataType::kBool) {}

  Array run() {
    const int64_t count = element_count(shape_);
    if (type_ == DataType::kString) return texts(count);
    Array values = Array::zeros(DataType::kFloat64, shape_);
    const std::span<double> out(reinterpret_cast<double*>(values.mutable_data()),
                                static_cast<size_t>(count));
    if (!range_.integers.empty()) {
      random_.fill_uniform(out);
      for (double& value : out) value = static_cast<double>(pick(range_.integers, value));
    } else if (!shuffled(out)) {
      fill(out);
    }
    if (type_ == DataType::kUndefined) return values;
    return convert(values, type_);
  }

 private:
  template <typename T>
  static const T& pick(const std::vector<T>& items, double part) {
    return items[std::min(static_cast<size_t>(part * static_cast<double>(items.size())),
                          items.size() - 1)];
  }

  Array texts(int64_t count) {
    std::vector<double> parts(static_cast<size_t>(count));
    random_.fill_uniform(parts);
    std::vector<std::string> texts;
    for (const double part : parts) {
      texts.push_back(range_.strings.empty() ? std::string() : pick(range_.strings, part));
    }
    return Array::from_strings(shape_, std::move(texts));
  }

  ValueBounds bounds_at(int64_t place) const {
    ValueBounds bounds = range_.bounds;
    if (place < static_cast<int64_t>(range_.per_column.size())) {
      bounds = intersection(bounds, range_.per_column[static_cast<size_t>(place)]);
    }
    const ValueBounds held = intersection(bounds, limits_of(type_));
    bounds = chosen(held.empty() ? limits_of(type_) : held, whole_, wanted_);
    if (whole_) {
      const ValueBounds rounded{std::ceil(bounds.low), std::floor(bounds.high)};
      bounds = rounded.empty() ? ValueBounds{rounded.high, rounded.high} : rounded;
    }
    return bounds;
  }

  // Distinct whole numbers out of one range, if it is large enough.
  bool shuffled(std::span<double> out) {
    if (!range_.distinct || range_.per_column.size() > 1 || out.empty()) return false;
    const ValueBounds bounds = bounds_at(0);
    const double numbers = bounds.high - bounds.low + 1;
    if (numbers < static_cast<double>(out.size()) || numbers > kMostShuffled) return false;
    std::vector<double> all(static_cast<size_t>(numbers));
    std::iota(all.begin(), all.end(), bounds.low);
    std::vector<double> parts(out.size());
    random_.fill_uniform(parts);
    for (size_t i = 0; i < out.size(); ++i) {
      const auto left = static_cast<double>(all.size() - i);
      const size_t other = std::min(i + static_cast<size_t>(parts[i] * left), all.size() - 1);
      std::swap(all[i], all[other]);
      out[i] = all[i];
    }
    return true;
  }

  void fill(std::span<double> out) {
    const int64_t row = shape_.empty() ? 1 : std::max<int64_t>(shape_.back(), 1);
    std::vector<ValueBounds> bounds;
    const auto places = std::max<size_t>(range_.per_column.size(), 1);
    for (size_t i = 0; i < places; ++i) bounds.push_back(bounds_at(static_cast<int64_t>(i)));
    random_.fill_uniform(out);
    for (size_t i = 0; i < out.size(); ++i) {
      const int64_t place = static_cast<int64_t>(i) % row;
      const ValueBounds& b = bounds[std::min(static_cast<size_t>(place), bounds.size() - 1)];
      if (whole_) {
        out[i] = std::min(b.low + std::floor(out[i] * (b.high - b.low + 1)), b.high);
      } else {
        out[i] = b.low + out[i] * (b.high - b.low);
      }
      if (range_.mask && place == 0 && b.high >= 1) out[i] = 1;
    }
  }

  NumpyRandom& random_;
  DataType type_;
  const Shape& shape_;
  const ValueRange& range_;
  std::optional<ValueBounds> wanted_;
  bool whole_;
};

}  // namespace

Array random_in_range(NumpyRandom& random, DataType type, const Shape& shape,
                      const ValueRange& range, std::optional<ValueBounds> wanted) {
  return RangeDrawer(random, type, shape, range, wanted).run();
}

}  // namespace polygraphy
