#include "graphsurgeon/onnx/inference/shapes/slices.h"

#include <array>
#include <limits>

#include "graphsurgeon/sizes/slice_range.h"

namespace graphsurgeon {

namespace {

const Dim kZero{int64_t{0}};

// Exporters write the largest integer of 32 or 64 bits for "to the end", the smallest for "to the
// beginning".
constexpr int64_t kEnd = std::numeric_limits<int32_t>::max();

// A position that may be counted from the end, within the size; unknown where that depends.
Dim place(const Dim& at, const Dim& size, SizeAlgebra& sizes) {
  if (at.has_value() && at.value() >= kEnd) return size;
  if (at.has_value() && at.value() <= -kEnd) return kZero;
  if (sizes.is_at_least(at, kZero)) return sizes.minimum(at, size);
  // n + a, or 0 where that is negative, is n - min(n, -a).
  if (sizes.is_at_least(-1, at)) {
    return sizes.difference(size, sizes.minimum(size, sizes.difference(kZero, at)));
  }
  return {};
}

Dim sliced(const Dim& size, const Dim& start, const Dim& end, int64_t step, SizeAlgebra& sizes) {
  if (step > 0) {
    const Dim first = place(start, size, sizes), last = place(end, size, sizes);
    Dim span = sizes.difference(last, first);
    if (!sizes.is_at_least(last, first)) span = sizes.maximum(span, kZero);
    return sizes.floor_quotient(sizes.sum(span, step - 1), step);
  }
  // Backwards only as a whole.
  const bool is_whole = start.has_value() && (start.value() == -1 || start.value() >= kEnd) &&
                        end.has_value() && end.value() <= -kEnd && step > -kEnd;
  return is_whole ? sizes.floor_quotient(sizes.sum(size, -step - 1), -step) : Dim();
}

void slice(ShapeNode& node) {
  const auto given = node.input(0);
  if (!given) return;
  const auto starts = node.parameter("starts", 1), ends = node.parameter("ends", 2);
  auto axes = node.numbers("axes", 3), steps = node.numbers("steps", 4);
  if (!axes && !node.has_input(3) && starts) {
    axes.emplace();
    for (size_t i = 0; i < starts->size(); ++i) axes->push_back(static_cast<int64_t>(i));
  }
  DimList dims = *given;
  if (!axes) return node.fill(0, DimList(dims.size()));
  const bool has_steps = node.has_input(4);
  for (size_t i = 0; i < axes->size(); ++i) {
    const auto axis = axis_of((*axes)[i], dims.size());
    if (!axis) return;
    const bool is_known = starts && ends && i < starts->size() && i < ends->size() &&
                          (!has_steps || (steps && i < steps->size() && (*steps)[i] != 0));
    dims[*axis] = is_known ? sliced((*given)[*axis], (*starts)[i], (*ends)[i],
                                    has_steps ? (*steps)[i] : 1, node.sizes())
                           : Dim();
  }
  node.fill(0, dims);
}

// The size of a part if the node does not say. Since version 18 the last one may be smaller.
Dim even_part(ShapeNode& node, const Dim& whole, bool is_last) {
  const auto count = static_cast<int64_t>(node.outputs());
  SizeAlgebra& sizes = node.sizes();
  if (node.integer("num_outputs", 0) == 0) return sizes.floor_quotient(whole, count);
  const Dim part = sizes.floor_quotient(sizes.sum(whole, count - 1), count);
  return is_last ? sizes.difference(whole, sizes.product(part, count - 1)) : part;
}

// The parts have the given sizes, even if the size of the whole is open.
void split(ShapeNode& node) {
  const auto given = node.input(0);
  if (!given) return;
  const auto axis = axis_of(node.integer("axis", 0), given->size());
  const auto parts = node.parameter("split", 1);
  if (!axis || (parts && parts->size() != node.outputs())) return;
  for (size_t i = 0; i < node.outputs(); ++i) {
    DimList dims = *given;
    dims[*axis] = parts               ? (*parts)[i]
                  : node.has_input(1) ? Dim()
                                      : even_part(node, (*given)[*axis], i + 1 == node.outputs());
    node.fill(i, dims);
  }
}

void pad(ShapeNode& node) {
  const auto given = node.input(0);
  if (!given) return;
  DimList dims = *given;
  auto pads = node.parameter("pads", 1);
  if (!pads) pads = node.parameter("paddings", 1);  // version 1
  std::vector<int64_t> axes;
  for (size_t i = 0; i < dims.size(); ++i) axes.push_back(static_cast<int64_t>(i));
  if (node.has_input(3)) {
    const auto chosen = node.numbers("axes", 3);
    if (!chosen) return node.fill(0, DimList(dims.size()));
    axes = *chosen;
  }
  if (!pads || pads->size() != 2 * axes.size()) return node.fill(0, DimList(dims.size()));
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = axis_of(axes[i], dims.size());
    if (!axis) return;
    const Dim added = node.sizes().sum((*pads)[i], (*pads)[axes.size() + i]);
    dims[*axis] = node.sizes().sum(dims[*axis], added);
  }
  node.fill(0, dims);
}

// All dimensions but one equal the input's, however many are open.
void top_k(ShapeNode& node) {
  const auto given = node.input(0);
  const auto axis = given ? axis_of(node.integer("axis", -1), given->size()) : std::nullopt;
  if (!axis) return;
  DimList dims = *given;
  const auto count = node.elements(1);
  dims[*axis] = count && count->size() == 1 ? (*count)[0] : Dim();
  for (size_t i = 0; i < node.outputs(); ++i) node.fill(i, dims);
}

constexpr std::array<ShapeRow, 4> kRows = {
    {{"Pad", pad}, {"Slice", slice}, {"Split", split}, {"TopK", top_k}}};

}  // namespace

ShapeFunction slice_function(std::string_view op) {
  return function_of(kRows, op);
}

}  // namespace graphsurgeon
