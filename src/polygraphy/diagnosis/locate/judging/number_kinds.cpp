#include "polygraphy/diagnosis/locate/judging/number_kinds.h"

#include <array>
#include <cmath>
#include <vector>

#include "polygraphy/diagnosis/locate/judging/numbers_of.h"

namespace polygraphy {
namespace {

constexpr unsigned kFinite = 1, kNan = 2, kInfinite = 4, kNegative = 8, kAll = 15;
constexpr unsigned kEach = 4;  // the shift of kinds that each evaluation gave

unsigned kind_of(double number) {
  if (std::isfinite(number)) return kFinite;
  if (std::isnan(number)) return kNan;
  return number > 0 ? kInfinite : kNegative;
}

// The number is so large that the format may make an infinity of it, or NaN: fused engines overflow
// before it, and subtract infinities.
bool is_beyond(double number, double largest) {
  return std::isnan(number) || std::fabs(number) >= largest;
}

bool opposite(double a, double b) {
  return !std::isnan(a) && !std::isnan(b) && std::signbit(a) != std::signbit(b);
}

}  // namespace

void add_kinds(NumberKinds& kinds, const Array& exact, const Array& observed, bool first) {
  const std::vector<double> x = numbers_of(exact), y = numbers_of(observed);
  const bool known = kinds.size() == exact.size();
  if (!known) kinds = Array::zeros(DataType::kUint8, {exact.size()});
  auto* of_elements = reinterpret_cast<uint8_t*>(kinds.mutable_data());
  for (size_t i = 0; i < x.size(); ++i) {
    const unsigned right = kind_of(x[i]), seen = kind_of(y[i]);
    const unsigned earlier = known ? of_elements[i] : right | (first ? kAll : right) << kEach;
    of_elements[i] = static_cast<uint8_t>((earlier | seen) & (kAll | seen << kEach));
  }
}

int64_t unexplained_kinds(const NumberKinds& kinds, const Array& reference, const Array& observed,
                          double largest) {
  const std::vector<double> x = numbers_of(reference), y = numbers_of(observed);
  const bool known = kinds.size() == reference.size();
  std::array<int64_t, kAll + 1> unexplained{}, varying{};
  for (size_t i = 0; i < x.size(); ++i) {
    const unsigned right = kind_of(x[i]), seen = kind_of(y[i]);
    const unsigned all = known ? kinds.as<uint8_t>()[i] : 0, each = all >> kEach;
    for (const unsigned kind : {kFinite, kNan, kInfinite, kNegative})
      varying[kind] += (all & kind) != 0 && each == 0;
    const bool overflows =
        is_beyond(x[i], largest) && is_beyond(y[i], largest) && !opposite(x[i], y[i]);
    // Engines compute different numbers of NaN: OpenVINO's exp(NaN) is infinite.
    if (right == seen || overflows || (all & kNan) != 0) continue;
    const unsigned strange = (right | seen) & ~all;
    if (strange != 0) ++unexplained[(strange & seen) != 0 ? seen : right];
  }
  int64_t count = 0;
  for (const unsigned kind : {kFinite, kNan, kInfinite, kNegative})
    count += unexplained[kind] > varying[kind] ? unexplained[kind] : 0;
  return count;
}

}  // namespace polygraphy
