#include "polygraphy/models/noise/approximation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace polygraphy {
namespace {

struct Function {
  std::string_view op;
  double of_one, of_input;  // in steps of float32 at 1
  bool positive = false;
};

// The largest errors of ONNX Runtime 1.31 and OpenVINO 2026.4 between 1e-8 and 100, of either sign:
// 0.7 steps for Sigmoid (its polynomial ends at -18), 3 for Erf, 0.8 for Selu; 0.8 of the input for
// Softplus, 0.7 for Swish, 0.5 for Mish, 1.5 for Gelu. Engines may take subnormal results of Exp
// for 0. Tanh and others have the error of rounding everywhere.
constexpr Function kFunctions[] = {
    {"Celu", 1, 0},           {"Elu", 1, 0},  {"Erf", 2, 0},  {"Exp", 0x1p-103, 0, true},
    {"Gelu", 0, 2},           {"Mish", 0, 1}, {"Selu", 1, 0}, {"Sigmoid", 1, 0, true},
    {"Softplus", 0, 1, true}, {"Swish", 0, 1}};

}  // namespace

Approximation approximation_of(const graphsurgeon::Node& node) {
  if (!node.domain().empty() && node.domain() != "ai.onnx") return {};
  const auto* const found =
      std::find_if(std::begin(kFunctions), std::end(kFunctions),
                   [&](const Function& function) { return function.op == node.op(); });
  if (found == std::end(kFunctions)) return {};
  const double step = std::ldexp(1.0, -23);
  return {found->of_one * step, found->of_input * step, found->positive};
}

}  // namespace polygraphy
