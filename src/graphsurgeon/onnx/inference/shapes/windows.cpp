#include "graphsurgeon/onnx/inference/shapes/windows.h"

#include <algorithm>
#include <array>

namespace graphsurgeon {

namespace {

// The attributes of an operator with windows, per spatial axis.
struct Windows {
  std::vector<int64_t> sizes;  // dilated
  std::vector<int64_t> strides, before, after;
  std::string_view auto_pad;

  int64_t pads(size_t axis) const { return before[axis] + after[axis]; }
  bool keeps_size() const { return auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER"; }
};

bool is_pool(std::string_view op) {
  return op.ends_with("Pool");
}

// Where the weights are among the inputs, and the input before.
size_t weights_of(std::string_view op) {
  return op == "QLinearConv" ? 3 : 1;
}

std::optional<Windows> windows_of(ShapeNode& node, size_t axes) {
  Windows windows;
  if (const auto given = node.integers("kernel_shape")) {
    windows.sizes = *given;
  } else if (!is_pool(node.op())) {
    const auto weights = node.input(weights_of(node.op()));
    if (!weights || weights->size() != axes + 2) return std::nullopt;
    for (size_t i = 2; i < weights->size(); ++i) {
      if (!(*weights)[i].is_static()) return std::nullopt;
      windows.sizes.push_back((*weights)[i].value());
    }
  }
  const auto ones = std::vector<int64_t>(axes, 1);
  const auto dilations = node.integers("dilations").value_or(ones);
  windows.strides = node.integers("strides").value_or(ones);
  auto pads = node.integers("pads").value_or(std::vector<int64_t>(2 * axes, 0));
  windows.auto_pad = node.text("auto_pad", "NOTSET");
  if (windows.auto_pad == "VALID") std::fill(pads.begin(), pads.end(), 0);
  if (windows.sizes.size() != axes || dilations.size() != axes || windows.strides.size() != axes ||
      pads.size() != 2 * axes) {
    return std::nullopt;
  }
  for (size_t i = 0; i < axes; ++i) {
    if (windows.strides[i] < 1) return std::nullopt;
    windows.sizes[i] = (windows.sizes[i] - 1) * dilations[i] + 1;
  }
  const auto middle = pads.begin() + static_cast<ptrdiff_t>(axes);
  windows.before.assign(pads.begin(), middle);
  windows.after.assign(middle, pads.end());
  return windows;
}

// The number of positions of a window; unknown where a window that begins in the padding counts or
// not depending on the size.
Dim positions(const Windows& windows, size_t axis, bool rounds_up, const Dim& size,
              SizeAlgebra& sizes) {
  const int64_t stride = windows.strides[axis];
  if (windows.keeps_size()) {
    return sizes.floor_quotient(sizes.sum(size, stride - 1), stride);
  }
  const Dim room = sizes.sum(size, windows.pads(axis) - windows.sizes[axis]);
  if (!rounds_up) return sizes.sum(sizes.floor_quotient(room, stride), 1);
  if (windows.after[axis] + stride > windows.sizes[axis]) return {};
  return sizes.sum(sizes.floor_quotient(sizes.sum(room, stride - 1), stride), 1);
}

void convolve(ShapeNode& node) {
  const auto given = node.input(0);
  if (!given || given->size() < 3) return;
  const auto windows = windows_of(node, given->size() - 2);
  if (!windows) return;
  DimList dims = *given;
  if (!is_pool(node.op())) {
    const auto weights = node.input(weights_of(node.op()));
    dims[1] = weights && !weights->empty() ? (*weights)[0] : Dim();
  }
  const bool rounds_up = node.integer("ceil_mode", 0) != 0;
  for (size_t i = 2; i < dims.size(); ++i) {
    dims[i] = positions(*windows, i - 2, rounds_up, dims[i], node.sizes());
  }
  for (size_t i = 0; i < node.outputs(); ++i) node.fill(i, dims);
}

void convolve_back(ShapeNode& node) {
  const auto given = node.input(0), weights = node.input(1);
  if (!given || given->size() < 3 || !weights || weights->size() != given->size()) return;
  const size_t axes = given->size() - 2;
  const auto windows = windows_of(node, axes);
  const auto added = node.integers("output_padding").value_or(std::vector<int64_t>(axes, 0));
  if (!windows || added.size() != axes || node.integers("output_shape")) return;
  DimList dims = *given;
  dims[1] = node.sizes().product((*weights)[1], node.integer("group", 1));
  for (size_t i = 0; i < axes; ++i) {
    const Dim spread = node.sizes().product(dims[i + 2], windows->strides[i]);
    const int64_t rest = windows->sizes[i] - windows->strides[i] - windows->pads(i) + added[i];
    dims[i + 2] = windows->keeps_size() ? spread : node.sizes().sum(spread, rest);
  }
  node.fill(0, dims);
}

constexpr std::array<ShapeRow, 7> kRows = {{{"AveragePool", convolve},
                                            {"Conv", convolve},
                                            {"ConvInteger", convolve},
                                            {"ConvTranspose", convolve_back},
                                            {"LpPool", convolve},
                                            {"MaxPool", convolve},
                                            {"QLinearConv", convolve}}};

}  // namespace

ShapeFunction window_function(std::string_view op) {
  return function_of(kRows, op);
}

}  // namespace graphsurgeon
