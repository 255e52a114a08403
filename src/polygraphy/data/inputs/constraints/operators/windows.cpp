// Windows over the data, slices and mirrored parts must fit into it: kernels, frames, pads, the
// first few.
#include <algorithm>

#include "graphsurgeon/fold/node_operands.h"
#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

using graphsurgeon::ints_attribute;
using Sizes = std::vector<int64_t>;

constexpr std::string_view kOps[] = {"AveragePool", "Conv",    "ConvInteger",
                                     "LpPool",      "MaxPool", "Pad",
                                     "QLinearConv", "STFT",    "TopK"};

std::optional<Sizes> constant_sizes(ConstraintContext& node, size_t i) {
  const auto numbers = node.values(i);
  if (!numbers) return std::nullopt;
  return Sizes(numbers->begin(), numbers->end());
}

void constrain_pad(ConstraintContext& node) {
  const auto attribute = ints_attribute(node.node(), "pads");
  const auto pads = attribute ? attribute : constant_sizes(node, 1);
  if (!pads) return;
  Sizes axes(pads->size() / 2);
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int64_t>(i);
  if (node.has(3)) {
    const auto given = constant_sizes(node, 3);
    if (!given || given->size() != axes.size()) return;
    axes = *given;
  }
  const bool mirrored = node.text_attribute("mode", "constant") == "reflect";
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t before = (*pads)[i], after = (*pads)[axes.size() + i];
    // The element at the edge is not repeated; a cut leaves at least one element.
    const int64_t to_mirror = mirrored ? std::max(before, after) + 1 : 1;
    node.constrain_size(0, axes[i], std::max(to_mirror, 1 - before - after),
                        mirrored ? "reflected pads" : "pads");
  }
}

void constrain_kernel(ConstraintContext& node) {
  const std::string_view op = node.node().op();
  auto kernel = ints_attribute(node.node(), "kernel_shape");
  if (!kernel && op.find("Conv") != std::string_view::npos) {
    kernel = node.shape(op == "QLinearConv" ? 3 : 1);
    if (kernel && kernel->size() > 2) kernel->erase(kernel->begin(), kernel->begin() + 2);
  }
  if (!kernel || node.text_attribute("auto_pad", "NOTSET").starts_with("SAME")) return;
  const size_t count = kernel->size();
  const Sizes pads = ints_attribute(node.node(), "pads").value_or(Sizes());
  const Sizes dilations = ints_attribute(node.node(), "dilations").value_or(Sizes());
  for (size_t i = 0; i < count; ++i) {
    const int64_t padding = pads.size() == 2 * count ? pads[i] + pads[count + i] : 0;
    const int64_t dilation = dilations.size() == count ? dilations[i] : 1;
    node.constrain_size(0, static_cast<int64_t>(i) + 2, dilation * ((*kernel)[i] - 1) + 1 - padding,
                        "kernel");
  }
}

void add_constraints(ConstraintContext& node) {
  const std::string_view op = node.node().op();
  if (op == "Pad") {
    constrain_pad(node);
  } else if (op == "STFT") {
    const auto length = node.has(3) ? node.scalar(3) : node.dim(2, 0);
    if (length) node.constrain_size(0, 1, *length, "frame");
  } else if (op == "TopK") {
    const int64_t axis = node.attribute("axis", -1);
    if (const auto k = node.scalar(1)) node.constrain_size(0, axis, *k, "top elements");
  } else {
    constrain_kernel(node);
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_windows = {.ops = kOps,
                                                                   .add = add_constraints};

}  // namespace polygraphy
