// QuantizeLinear and DequantizeLinear that do not belong together.
#include <algorithm>

#include "base/error.h"
#include "graphsurgeon/ir/node_inputs.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

using graphsurgeon::PayloadPtr;

bool is_quantize(const Node& node) {
  return node.op() == "QuantizeLinear";
}
bool is_dequantize(const Node& node) {
  return node.op() == "DequantizeLinear";
}

// Of a scale or zero point that may be left out; true where nothing is known.
bool may_equal(const Node& a, const Node& b, size_t input) {
  const Tensor *left = graphsurgeon::input_at(a, input), *right = graphsurgeon::input_at(b, input);
  if (!left || !right || left == right) return true;
  if (!left->is_constant() || !right->is_constant()) return true;
  if (left->dtype() != right->dtype() || left->payload()->nbytes() != right->payload()->nbytes()) {
    return false;
  }
  const auto bytes = [](const Tensor& of) {
    return of.payload()->load(of.name()).contiguous_aligned();
  };
  const Array x = bytes(*left), y = bytes(*right);
  return std::equal(x.bytes().begin(), x.bytes().end(), y.bytes().begin(), y.bytes().end());
}

bool scale_is_positive(const Node& node) {
  const Tensor* scale = node.inputs().size() > 1 ? node.inputs()[1] : nullptr;
  if (!scale || !scale->is_constant()) return true;
  const Array values = scale->payload()->load(scale->name());
  for (int64_t i = 0; i < values.size(); ++i) {
    if (!(values.get_double(i) > 0)) return false;
  }
  return true;
}

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  for_each_node(subject, [&](const Graph&, const Node& node, const std::string& name) {
    if (!is_quantize(node) && !is_dequantize(node)) return;
    const auto complain = [&](std::string message) {
      Finding finding;
      finding.message = std::move(message);
      finding.node = name;
      finding.op = node.op();
      findings.push_back(std::move(finding));
    };
    try {
      if (!scale_is_positive(node)) complain("Its scale has elements that are not positive.");
      const Node* before =
          is_dequantize(node) && !node.inputs().empty() ? node.inputs()[0]->producer() : nullptr;
      if (!before || !is_quantize(*before)) return;
      const std::string other =
          " than the QuantizeLinear '" + std::string(before->name()) + "' before it.";
      if (!may_equal(*before, node, 1)) complain("It has another scale" + other);
      if (!may_equal(*before, node, 2)) complain("It has another zero point" + other);
    } catch (const Error&) {
      // Another rule reports unreadable values.
    }
  });
}

}  // namespace

extern constinit const LintRule lint_rule_quantize_pairs = {
    .name = "quantize-pairs",
    .summary =
        "DequantizeLinear after QuantizeLinear has the same scale and zero point; scales are "
        "positive",
    .order = 170,
    .check = check_model,
};

}  // namespace polygraphy
