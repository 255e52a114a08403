#include "polygraphy/models/quantized/wrong_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polygraphy/models/quantized/dequantized_weight.h"

namespace polygraphy {
namespace {

// Each was set by 500,000 healthy groups of 16 to 256 numbers, of 4 and 8 bits, that round-to-
// nearest, floor, clipping, HQQ, GPTQ and AWQ have made of seven kinds of weights: none is accused.
// wrong_steps_test.cpp has a smaller one of its kind.
constexpr double kFewest = 12;         // numbers of a group, without those that may be clipped
constexpr double kLeastSum = 30;       // of their squares, in steps: else the scale is not known
constexpr double kRounding = 0.5;      // the allowed remainder, in steps (root of the mean square),
constexpr double kOfOthers = 0.5;      // and of the remainder of the other explanations
constexpr double kLeastFactor = 1.42;  // by which a scale is wrong,
constexpr double kSpread = 6;          // and its logarithm, as a multiple of three of four groups'
                                       // logarithms
constexpr double kOfWholeStep = 0.2;   // a zero point is wrong by whole steps, within this

// Numbers a of a group, in steps from its zero point, and numbers u of the original, likewise.
struct Group {
  double count = 0, a = 0, u = 0, aa = 0, au = 0, uu = 0;
  float scale = 0, zero = 0;

  double factor() const { return au / aa; }
  double shift() const { return (u - a) / count; }
  // Mean squares of the remainder as it is, with another scale, with another zero point.
  double left() const { return (uu - 2 * au + aa) / count; }
  double left_by_factor() const { return std::max(0.0, uu - factor() * au) / count; }
  double left_by_shift() const { return std::max(0.0, left() - shift() * shift()); }
  double spread() const {
    return factor() > 0 ? std::fabs(std::log(factor())) : std::numeric_limits<double>::infinity();
  }
};

bool explains(double left, double one, double other) {
  return left <= kRounding * kRounding && left <= kOfOthers * kOfOthers * std::min(one, other);
}

bool has_wrong_zero_point(const Group& group) {
  const double shift = std::fabs(group.shift());
  return std::round(shift) >= 1 && std::fabs(shift - std::round(shift)) <= kOfWholeStep &&
         explains(group.left_by_shift(), group.left(), group.left_by_factor());
}

// `usual`: the spread of most groups.
bool has_wrong_scale(const Group& group, double usual) {
  if (group.aa < kLeastSum || !(group.factor() > 0)) return false;
  const double square = group.factor() * group.factor();  // of the right step, in wrong ones
  return group.spread() >= std::max(std::log(kLeastFactor), kSpread * usual) &&
         explains(group.left_by_factor() / square, group.left() / square,
                  group.left_by_shift() / square);
}

// By block: the spread that three of four channels do not exceed.
std::vector<double> usual_spreads(const std::vector<Group>& groups, const QuantizedGroups& layout) {
  std::vector<std::vector<double>> spreads(static_cast<size_t>(layout.blocks));
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].count < kFewest || groups[i].aa == 0) continue;
    spreads[static_cast<size_t>(layout.block(static_cast<int64_t>(i)))].push_back(
        groups[i].spread());
  }
  std::vector<double> usual;
  for (std::vector<double>& of_block : spreads) {
    const size_t place = of_block.size() * 3 / 4;
    if (!of_block.empty()) {
      std::ranges::nth_element(of_block, of_block.begin() + static_cast<std::ptrdiff_t>(place));
    }
    usual.push_back(of_block.empty() ? 0 : of_block[place]);
  }
  return usual;
}

}  // namespace

std::vector<WrongSteps> wrong_steps(const graphsurgeon::Node& node, const Array& original) {
  float least = std::numeric_limits<float>::infinity(), greatest = -least;
  const auto layout = visit_quantized_numbers(node, [&](const QuantizedNumber& one) {
    least = std::min(least, one.number);
    greatest = std::max(greatest, one.number);
  });
  if (!layout) return {};
  std::vector<Group> groups(static_cast<size_t>(layout->count));
  const auto weights = original.as<float>();
  visit_quantized_numbers(node, [&](const QuantizedNumber& one) {
    // They may be clipped.
    if (one.number == least || one.number == greatest || one.scale == 0) return;
    Group& group = groups[static_cast<size_t>(one.group)];
    group.scale = one.scale;
    group.zero = one.zero;
    const double a = one.number - one.zero;
    const double u = double{weights[static_cast<size_t>(one.element)]} / one.scale;
    group.count += 1;
    group.a += a;
    group.u += u;
    group.aa += a * a;
    group.au += a * u;
    group.uu += u * u;
  });
  const std::vector<double> usual = usual_spreads(groups, *layout);
  std::vector<WrongSteps> wrong;
  for (size_t i = 0; i < groups.size(); ++i) {
    const Group& group = groups[i];
    if (group.count < kFewest) continue;
    const auto at = static_cast<int64_t>(i);
    const int64_t block = layout->block(at);
    WrongSteps found{.channel = layout->channel(at), .block = layout->blocks > 1 ? block : -1};
    if (has_wrong_zero_point(group)) {
      found.of_zero_point = true;
      found.in_model = group.zero;
      found.by_weight = group.zero - std::round(group.shift());
    } else if (has_wrong_scale(group, usual[static_cast<size_t>(block)])) {
      found.in_model = group.scale;
      found.by_weight = group.scale * group.factor();
    } else {
      continue;
    }
    wrong.push_back(found);
  }
  return wrong;
}

}  // namespace polygraphy
