#include "polygraphy/model_tools/surgeon/verification/output_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/arrays/py_repr.h"

namespace polygraphy {
namespace {

// Some dozen units in the last place, and one for types that have few of them.
double relative_tolerance(DataType type) {
  switch (type) {
    case DataType::kFloat64:
    case DataType::kComplex128:
      return 1e-10;
    case DataType::kFloat32:
    case DataType::kComplex64:
      return 1e-5;
    case DataType::kFloat16:
      return 1e-2;
    case DataType::kBfloat16:
      return 5e-2;
    default:
      return 0.26;
  }
}

// Near 0, where sums have cancelled out.
constexpr double kFloor = 1e-2;

std::string one_element(const Array& array, int64_t index) {
  if (array.dtype() == DataType::kString) {
    return fmt::format("'{}'", array.strings()[static_cast<size_t>(index)]);
  }
  if (kind_of(array.dtype()) == Kind::kComplex) return "another complex number";
  if (is_floating(array.dtype())) return fmt::format("{}", array.get_double(index));
  return fmt::format("{}", array.get_int64(index));
}

// Counts differing elements; where floats differ in bits only, they do not count.
class Elements {
 public:
  Elements(const Array& reference, const Array& result)
      : reference_(reference.contiguous_aligned()), result_(result.contiguous_aligned()) {}

  void compare(OutputAgreement& agreement) {
    if (bitwise_equal(reference_, result_)) return;
    if (reference_.dtype() == DataType::kString) {
      const auto was = reference_.strings(), is = result_.strings();
      for (size_t i = 0; i < was.size(); ++i) {
        if (was[i] != is[i]) differs(static_cast<int64_t>(i));
      }
    } else if (kind_of(reference_.dtype()) == Kind::kComplex) {
      compare_complex();
    } else if (is_floating(reference_.dtype())) {
      compare_floats();
    } else {
      for (int64_t i = 0; i < reference_.size(); ++i) {
        if (reference_.element_bits(i) != result_.element_bits(i)) differs(i);
      }
    }
    agreement.bit_equal &= !rounded_ && count_ == 0;
    if (count_ == 0) return;
    agreement.equal = false;
    agreement.difference =
        fmt::format("element {} of {} is {}, was {}{}", first_, reference_.size(),
                    one_element(result_, first_), one_element(reference_, first_),
                    count_ > 1 ? fmt::format(" ({} elements differ)", count_) : "");
  }

 private:
  void differs(int64_t index) {
    if (count_++ == 0) first_ = index;
  }

  void compare_floats() {
    double greatest = 0;
    for (int64_t i = 0; i < reference_.size(); ++i) {
      const double value = std::abs(reference_.get_double(i));
      if (std::isfinite(value)) greatest = std::max(greatest, value);
    }
    const double relative = relative_tolerance(reference_.dtype());
    const double floor = relative * kFloor * greatest;
    for (int64_t i = 0; i < reference_.size(); ++i) {
      const double was = reference_.get_double(i), is = result_.get_double(i);
      // 0.0 equals -0.0 here: sums do not distinguish them.
      if (was == is || (std::isnan(was) && std::isnan(is))) continue;
      rounded_ = true;
      const bool finite = std::isfinite(was) && std::isfinite(is);
      if (!finite || std::abs(was - is) > relative * std::abs(was) + floor) differs(i);
    }
  }

  // No runtime of ours computes with them; bits will do.
  void compare_complex() {
    const size_t width = static_cast<size_t>(bit_width(reference_.dtype()) / 8);
    for (int64_t i = 0; i < reference_.size(); ++i) {
      const size_t at = static_cast<size_t>(i) * width;
      if (std::memcmp(reference_.data() + at, result_.data() + at, width) != 0) differs(i);
    }
  }

  Array reference_, result_;
  int64_t first_ = 0, count_ = 0;
  bool rounded_ = false;
};

std::string type_and_shape(const Array& array) {
  return fmt::format("{} {}", name_of(array.dtype()), py_tuple_repr(array.shape()));
}

}  // namespace

OutputAgreement agreement(const ArrayMap& reference, const ArrayMap& result) {
  OutputAgreement found;
  const auto fail = [&](const std::string& name, std::string text) {
    found.equal = found.bit_equal = false;
    found.output = name;
    found.difference = std::move(text);
    return found;
  };
  for (const auto& [name, was] : reference) {
    const Array* is = result.find(name);
    if (!is) return fail(name, "is missing");
    if (was.dtype() != is->dtype() || was.shape() != is->shape()) {
      return fail(name, fmt::format("is {}, was {}", type_and_shape(*is), type_and_shape(was)));
    }
    Elements(was, *is).compare(found);
    if (!found.equal) return fail(name, std::move(found.difference));
  }
  for (const auto& [name, is] : result) {
    if (!reference.contains(name)) return fail(name, "is new");
  }
  return found;
}

}  // namespace polygraphy
