// Where slices begin and end, how much is padded or taken, and along which axes.
#include <algorithm>

#include "polygraphy/inputs/constraints/demand.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {
    "Slice",     "Pad",        "Split",        "SplitToSequence", "TopK",
    "Unsqueeze", "Squeeze",    "Trilu",        "CumSum",          "CumProd",
    "ReduceSum", "ReduceMean", "ReduceMax",    "ReduceMin",       "ReduceProd",
    "ReduceL1",  "ReduceL2",   "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare",
    "DFT"};

void state_slice(DemandingNode& node) {
  const auto length = node.dim(1, 0);
  if (!length) return;
  const auto axes = node.values(3);
  ValueDomain starts, ends;
  starts.whole = ends.whole = true;
  for (int64_t i = 0; i < *length; ++i) {
    const int64_t axis = axes && i < static_cast<int64_t>(axes->size())
                             ? static_cast<int64_t>((*axes)[static_cast<size_t>(i)])
                             : i;
    const auto size = static_cast<double>(node.dim(0, axis).value_or(1));
    starts.places.push_back({0, 0});
    ends.places.push_back({std::min(1.0, size), size});
  }
  node.demand(1, starts, "starts");
  node.demand(2, ends, "ends");
  if (node.has(3)) {
    std::vector<int64_t> all;
    for (int64_t i = 0; i < *length; ++i) all.push_back(i);
    node.demand_values(3, all, "axes");
  }
  node.demand_range(4, 1, 1, "steps");
}

// Reflected and wrapped values must be there.
void state_pad(DemandingNode& node) {
  const std::string mode = node.text_attribute("mode", "constant");
  const auto length = node.dim(1, 0);
  if (!length) return;
  const auto data = node.shape(0), output = node.output_shape(0);
  const auto axes = static_cast<size_t>(*length / 2);
  ValueDomain domain;
  domain.whole = true;
  domain.places.assign(static_cast<size_t>(*length),
                       {0, mode == "constant" || mode == "edge" ? 2.0 : 0.0});
  // What is declared for the result says how much; all of it goes in front.
  if (data && output && data->size() == axes && output->size() == axes) {
    for (size_t i = 0; i < axes; ++i) {
      const auto more = static_cast<double>((*output)[i] - (*data)[i]);
      domain.places[i] = {more, more};
      domain.places[axes + i] = {0, 0};
    }
  }
  node.demand(1, domain, "pads");
  if (node.has(3)) {
    std::vector<int64_t> all;
    for (size_t i = 0; i < axes; ++i) all.push_back(static_cast<int64_t>(i));
    node.demand_values(3, all, "axes");
  }
}

void state_split(DemandingNode& node) {
  const auto parts = node.dim(1, 0);
  const auto size = node.dim(0, node.attribute("axis", 0));
  if (!size) return;
  if (node.rank(1) == 0) {
    node.demand_range(1, 1, std::max<int64_t>(*size, 1), "size of a part");
  } else if (parts && *parts > 0) {
    std::vector<int64_t> sizes(static_cast<size_t>(*parts), *size / *parts);
    sizes.back() += *size % *parts;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const auto output = node.output_shape(i);
      const auto axis = static_cast<size_t>(std::max<int64_t>(node.attribute("axis", 0), 0));
      if (node.node().op() == "Split" && output && axis < output->size())
        sizes[i] = (*output)[axis];
    }
    node.demand_values(1, sizes, "sizes of the parts");
  }
}

// As many axes as there are, from the first on; those that must be 1 are looked for.
void state_axes(DemandingNode& node, bool of_ones) {
  const auto length = node.dim(1, 0);
  const auto data = node.shape(0);
  if (!length) return;
  std::vector<int64_t> axes;
  for (int64_t axis = 0; static_cast<int64_t>(axes.size()) < *length; ++axis) {
    if (of_ones && (!data || axis >= static_cast<int64_t>(data->size()))) return;
    if (!of_ones || (*data)[static_cast<size_t>(axis)] == 1) axes.push_back(axis);
  }
  node.demand_values(1, axes, "axes");
}

void state(DemandingNode& node) {
  const std::string_view op = node.node().op();
  if (op == "Slice") {
    state_slice(node);
  } else if (op == "Pad") {
    state_pad(node);
  } else if (op == "Split" || op == "SplitToSequence") {
    state_split(node);
  } else if (op == "TopK") {
    const int64_t axis = node.attribute("axis", -1);
    int64_t least = 1, most = node.dim(0, axis).value_or(1);
    if (const auto output = node.output_shape(0); output && !output->empty()) {
      const int64_t rank = static_cast<int64_t>(output->size());
      const int64_t place = axis < 0 ? axis + rank : axis;
      if (place >= 0 && place < rank) least = most = (*output)[static_cast<size_t>(place)];
    }
    node.demand_range(1, least, most, "how many to take");
  } else if (op == "Trilu") {
    node.demand_range(1, -1, 1, "diagonal");
  } else if (op == "CumSum" || op == "CumProd") {
    node.demand_range(1, 0, std::max<int64_t>(node.rank(0).value_or(1) - 1, 0), "axis");
  } else if (op == "DFT") {
    if (const auto size = node.dim(0, 1)) node.demand_range(1, *size, *size, "length");
    node.demand_range(2, 1, 1, "axis");
  } else {
    state_axes(node, op == "Squeeze");
  }
}

}  // namespace

extern const Demand demand_slices;
constinit const Demand demand_slices = {.ops = kOps, .state = state};

}  // namespace polygraphy
