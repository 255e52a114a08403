// Where slices begin and end, how much is padded or taken, and along which axes.
#include <algorithm>

#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {
    "Slice",     "Pad",        "Split",        "SplitToSequence", "TopK",
    "Unsqueeze", "Squeeze",    "Trilu",        "CumSum",          "CumProd",
    "ReduceSum", "ReduceMean", "ReduceMax",    "ReduceMin",       "ReduceProd",
    "ReduceL1",  "ReduceL2",   "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare",
    "DFT"};

void constrain_slice(ConstraintContext& node) {
  const auto length = node.dim(1, 0);
  if (!length) return;
  const auto axes = node.values(3);
  ValueRange starts, ends;
  starts.whole = ends.whole = true;
  for (int64_t i = 0; i < *length; ++i) {
    const int64_t axis = axes && i < static_cast<int64_t>(axes->size())
                             ? static_cast<int64_t>((*axes)[static_cast<size_t>(i)])
                             : i;
    const auto size = static_cast<double>(node.dim(0, axis).value_or(1));
    starts.per_column.push_back({0, 0});
    ends.per_column.push_back({std::min(1.0, size), size});
  }
  node.constrain(1, starts, "starts");
  node.constrain(2, ends, "ends");
  if (node.has(3)) {
    std::vector<int64_t> all;
    for (int64_t i = 0; i < *length; ++i) all.push_back(i);
    node.constrain_to_values(3, all, "axes");
  }
  node.constrain_to_range(4, 1, 1, "steps");
}

// Reflected and wrapped values must be there.
void constrain_pad(ConstraintContext& node) {
  const std::string mode = node.text_attribute("mode", "constant");
  const auto length = node.dim(1, 0);
  if (!length) return;
  const auto data = node.shape(0), output = node.output_shape(0);
  const auto axes = static_cast<size_t>(*length / 2);
  ValueRange range;
  range.whole = true;
  range.per_column.assign(static_cast<size_t>(*length),
                          {0, mode == "constant" || mode == "edge" ? 2.0 : 0.0});
  // The declared shape of the result determines the amount, all of it in front.
  if (data && output && data->size() == axes && output->size() == axes) {
    for (size_t i = 0; i < axes; ++i) {
      const auto more = static_cast<double>((*output)[i] - (*data)[i]);
      range.per_column[i] = {more, more};
      range.per_column[axes + i] = {0, 0};
    }
  }
  node.constrain(1, range, "pads");
  if (node.has(3)) {
    std::vector<int64_t> all;
    for (size_t i = 0; i < axes; ++i) all.push_back(static_cast<int64_t>(i));
    node.constrain_to_values(3, all, "axes");
  }
}

void constrain_split(ConstraintContext& node) {
  const auto parts = node.dim(1, 0);
  const auto size = node.dim(0, node.attribute("axis", 0));
  if (!size) return;
  if (node.rank(1) == 0) {
    node.constrain_to_range(1, 1, std::max<int64_t>(*size, 1), "size of a part");
  } else if (parts && *parts > 0) {
    std::vector<int64_t> sizes(static_cast<size_t>(*parts), *size / *parts);
    sizes.back() += *size % *parts;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const auto output = node.output_shape(i);
      const auto axis = static_cast<size_t>(std::max<int64_t>(node.attribute("axis", 0), 0));
      if (node.node().op() == "Split" && output && axis < output->size())
        sizes[i] = (*output)[axis];
    }
    node.constrain_to_values(1, sizes, "sizes of the parts");
  }
}

// As many axes as there are, from the first on; those that must be 1 are looked for.
void constrain_axes(ConstraintContext& node, bool of_ones) {
  const auto length = node.dim(1, 0);
  const auto data = node.shape(0);
  if (!length) return;
  std::vector<int64_t> axes;
  for (int64_t axis = 0; static_cast<int64_t>(axes.size()) < *length; ++axis) {
    if (of_ones && (!data || axis >= static_cast<int64_t>(data->size()))) return;
    if (!of_ones || (*data)[static_cast<size_t>(axis)] == 1) axes.push_back(axis);
  }
  node.constrain_to_values(1, axes, "axes");
}

void add_constraints(ConstraintContext& node) {
  const std::string_view op = node.node().op();
  if (op == "Slice") {
    constrain_slice(node);
  } else if (op == "Pad") {
    constrain_pad(node);
  } else if (op == "Split" || op == "SplitToSequence") {
    constrain_split(node);
  } else if (op == "TopK") {
    const int64_t axis = node.attribute("axis", -1);
    int64_t least = 1, most = node.dim(0, axis).value_or(1);
    if (const auto output = node.output_shape(0); output && !output->empty()) {
      const int64_t rank = static_cast<int64_t>(output->size());
      const int64_t place = axis < 0 ? axis + rank : axis;
      if (place >= 0 && place < rank) least = most = (*output)[static_cast<size_t>(place)];
    }
    node.constrain_to_range(1, least, most, "number of elements");
  } else if (op == "Trilu") {
    node.constrain_to_range(1, -1, 1, "diagonal");
  } else if (op == "CumSum" || op == "CumProd") {
    node.constrain_to_range(1, 0, std::max<int64_t>(node.rank(0).value_or(1) - 1, 0), "axis");
  } else if (op == "DFT") {
    if (const auto size = node.dim(0, 1)) node.constrain_to_range(1, *size, *size, "length");
    node.constrain_to_range(2, 1, 1, "axis");
  } else {
    constrain_axes(node, op == "Squeeze");
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_slices = {.ops = kOps,
                                                                  .add = add_constraints};

}  // namespace polygraphy
