#include "polygraphy/diagnosis/consistency/output_difference.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/arrays/py_repr.h"
#include "numerics/non_finite.h"
#include "numerics/worst_elements.h"

namespace polygraphy {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct ElementError {
  double absolute = 0, relative = 0;
};

ElementError error_of(double expected, double observed) {
  if (std::isnan(expected) && std::isnan(observed)) return {};
  if (expected == observed) return {};
  const double absolute = std::abs(observed - expected);
  if (!std::isfinite(absolute)) return {kInfinite, kInfinite};
  return {absolute, expected == 0 ? kInfinite : absolute / std::abs(expected)};
}

// 64-bit integers are not rounded before they are compared.
ElementError error_of_integers(const Array& expected, const Array& observed, int64_t at) {
  const int64_t a = expected.get_int64(at), b = observed.get_int64(at);
  if (a == b) return {};
  double absolute = std::abs(observed.get_double(at) - expected.get_double(at));
  if (absolute == 0) absolute = 1;
  return {absolute, a == 0 ? kInfinite : absolute / std::abs(expected.get_double(at))};
}

ElementError error_at(const Array& expected, const Array& observed, int64_t at) {
  switch (kind_of(expected.dtype())) {
    case Kind::kSigned:
    case Kind::kUnsigned:
    case Kind::kBool:
      return error_of_integers(expected, observed, at);
    case Kind::kString: {
      const auto i = static_cast<size_t>(at);
      if (expected.strings()[i] == observed.strings()[i]) return {};
      return {kInfinite, kInfinite};
    }
    default:
      return error_of(expected.get_double(at), observed.get_double(at));
  }
}

// -0 and 0 are not the same bit by bit.
bool is_zero_of_other_sign(const Array& expected, const Array& observed, int64_t at) {
  return is_floating(expected.dtype()) && expected.get_double(at) == 0 &&
         expected.element_bits(at) != observed.element_bits(at);
}

// A complex number as two real ones in a last dimension.
Array real_parts(const Array& array) {
  const Array whole = array.contiguous_aligned();
  Shape shape = whole.shape();
  shape.push_back(2);
  const DataType type =
      whole.dtype() == DataType::kComplex64 ? DataType::kFloat32 : DataType::kFloat64;
  return Array::view(type, std::move(shape), whole.data(), std::make_shared<Array>(whole));
}

std::vector<int64_t> index_of(const Shape& shape, int64_t flat) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = flat % shape[i];
    flat /= shape[i];
  }
  return index;
}

std::string type_and_shape(const Array& array) {
  return std::string(name_of(array.dtype())) + " " + py_tuple_repr(array.shape());
}

// True if one is worse than the other: incomparable ones first, then by relative error, because
// outputs differ in magnitude.
bool is_worse(const OutputDifference& a, const OutputDifference& b) {
  if (a.exceeds() != b.exceeds()) return a.exceeds();
  if (a.incomparable.empty() != b.incomparable.empty()) return !a.incomparable.empty();
  return std::min(a.largest_absolute, a.largest_relative) >
         std::min(b.largest_absolute, b.largest_relative);
}

}  // namespace

std::optional<OutputDifference> difference_of(const std::string& output, const Array& expected,
                                              const Array& observed, OutputTolerance tolerance) {
  if (bitwise_equal(expected, observed)) return std::nullopt;
  OutputDifference difference{.output = output};
  if (expected.dtype() != observed.dtype() || expected.shape() != observed.shape()) {
    difference.incomparable = type_and_shape(observed) + " instead of " + type_and_shape(expected);
    return difference;
  }
  if (kind_of(expected.dtype()) == Kind::kComplex)
    return difference_of(output, real_parts(expected), real_parts(observed), tolerance);
  difference.elements = expected.size();
  bool differs = false;
  std::pair<bool, double> farthest = {false, -1};
  int64_t worst = 0;
  for (int64_t i = 0; i < expected.size(); ++i) {
    const ElementError error = error_at(expected, observed, i);
    if (error.absolute == 0 && !is_zero_of_other_sign(expected, observed, i)) continue;
    differs = true;
    const bool beyond =
        !(error.absolute <= tolerance.absolute) && !(error.relative <= tolerance.relative);
    difference.beyond += beyond;
    difference.largest_absolute = std::max(difference.largest_absolute, error.absolute);
    difference.largest_relative = std::max(difference.largest_relative, error.relative);
    // An element that is beyond the tolerance is shown rather than a larger one that is not.
    const std::pair<bool, double> far = {beyond, std::min(error.absolute, error.relative)};
    if (far > farthest) {
      farthest = far;
      worst = i;
    }
  }
  if (!differs) return std::nullopt;
  difference.index = index_of(expected.shape(), worst);
  difference.expected = element_text(expected, worst);
  difference.observed = element_text(observed, worst);
  return difference;
}

void WorstDifference::take(OutputDifference difference) {
  compared_ = true;
  if (!worst_ || is_worse(difference, *worst_)) worst_ = std::move(difference);
}

std::optional<OutputDifference> WorstDifference::difference(const std::string& output,
                                                            const Array& expected,
                                                            const Array& observed) {
  OutputTolerance tolerance = tolerance_ ? tolerance_(output) : OutputTolerance{};
  auto found = difference_of(output, expected, observed, tolerance);
  if (found && found->beyond > 0 && wider_) {
    const double wider = wider_(output);
    if (wider > tolerance.absolute) {
      tolerance.absolute = wider;
      found = difference_of(output, expected, observed, tolerance);
      if (!found->exceeds()) widened_ = std::max(widened_, wider);
    }
  }
  // Arrays without elements agree in nothing but their shapes.
  bool& seen = found || has_finite_number(expected) ? compared_
               : expected.size() == 0               ? empty_
                                                    : not_finite_;
  seen = true;
  return found;
}

void WorstDifference::compare(const std::string& output, const Array& expected,
                              const Array& observed) {
  if (auto found = difference(output, expected, observed)) take(std::move(*found));
}

void WorstDifference::compare_row(const BatchAxis& output, int64_t row, const Array& expected,
                                  const Array& observed) {
  auto found = difference(output.name, expected, observed);
  if (!found) return;
  std::vector<int64_t>& index = found->index;
  if (!index.empty()) {
    index.front() += row;
    std::rotate(index.begin(), index.begin() + 1,
                index.begin() + static_cast<ptrdiff_t>(output.axis) + 1);
  }
  take(std::move(*found));
}

void WorstDifference::compare(const ArrayMap& expected, const ArrayMap& observed) {
  for (const auto& [name, array] : expected) {
    if (const Array* other = observed.find(name)) {
      compare(name, array, *other);
    } else {
      take({.output = name, .incomparable = "nothing instead of " + type_and_shape(array)});
    }
  }
  for (const auto& [name, array] : observed) {
    if (!expected.find(name))
      take({.output = name, .incomparable = type_and_shape(array) + " instead of nothing"});
  }
}

void WorstDifference::compare(const std::vector<ArrayMap>& expected,
                              const std::vector<ArrayMap>& observed) {
  for (size_t i = 0; i < expected.size(); ++i) compare(expected[i], observed[i]);
}

ConsistencyVerdict WorstDifference::verdict() const {
  if (!compared_) return ConsistencyVerdict::kNotApplicable;
  if (!worst_) return ConsistencyVerdict::kIdentical;
  return worst_->exceeds() ? ConsistencyVerdict::kDiffers : ConsistencyVerdict::kWithinTolerance;
}

}  // namespace polygraphy
