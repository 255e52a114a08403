// Shape and Size of tensors with known dimensions.

#include <algorithm>

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Shape", "Size"};

bool apply_rule(Node& node, FoldContext& context) {
  const Tensor* input = input_at(node, 0);
  if (input == nullptr) return false;
  std::optional<DimList> shape = input->shape();
  if (const PayloadPtr values = context.value(*input)) {
    shape = DimList(values->shape().begin(), values->shape().end());
  }
  if (!shape) return false;
  const auto rank = static_cast<int64_t>(shape->size());
  int64_t start = 0;
  int64_t end = rank;
  if (node.op() == "Shape") {
    const auto clamped = [&](int64_t at) {
      return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
    };
    start = clamped(int_attribute(node, "start", 0));
    end = std::max(start, clamped(int_attribute(node, "end", rank)));
  }
  std::vector<int64_t> dims;
  for (int64_t i = start; i < end; ++i) {
    const Dim& dim = (*shape)[static_cast<size_t>(i)];
    if (!dim.is_static()) return false;
    dims.push_back(dim.value());
  }
  if (node.op() == "Size") {
    return context.produce(
        {owned_payload(Array::of<int64_t>({}, {polygraphy::element_count(dims)}))});
  }
  return context.produce({owned_payload(Array::of<int64_t>({end - start}, dims))});
}

}  // namespace

extern constinit const FoldRule fold_rule_shape = {
    .name = "shape",
    .summary = "Shape and Size of tensors with known dimensions",
    .ops = kOps,
    .of_shapes = true,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
