// Slice of small constants and of splats.

#include <optional>
#include <utility>
#include <vector>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/sizes/slice_range.h"

namespace graphsurgeon {

namespace {

// From the attributes (before version 10) or from inputs. nullopt: they are not decided, or make no
// sense for `rank` dimensions.
std::optional<std::vector<SliceParameters>> slice_inputs(const Node& node, size_t rank,
                                                         FoldContext& context) {
  bool missing = false;
  const auto starts = int_parameter(node, "starts", 1, context, missing);
  const auto ends = int_parameter(node, "ends", 2, context, missing);
  if (!starts || !ends) return std::nullopt;
  auto axes = int_parameter(node, "axes", 3, context, missing);
  if (!axes && !missing) return std::nullopt;
  // No version has an attribute for steps; the original obeys it.
  auto steps = int_parameter(node, "steps", 4, context, missing);
  if (!steps && !missing) return std::nullopt;
  return slice_parameters(rank, *starts, *ends, std::move(axes), std::move(steps));
}

constexpr std::string_view kOps[] = {"Slice"};

bool apply_rule(Node& node, FoldContext& context) {
  const Tensor* input = input_at(node, 0);
  const PayloadPtr data = input ? context.value(*input) : nullptr;
  if (!data || !is_movable(data->dtype())) return false;
  const auto parameters = slice_inputs(node, data->shape().size(), context);
  if (!parameters) return false;
  Shape shape = data->shape();
  std::vector<int64_t> first(shape.size(), 0);
  std::vector<int64_t> steps(shape.size(), 1);
  for (const SliceParameters& p : *parameters) {
    const SliceRange range = slice_range(p, shape[p.axis]);
    shape[p.axis] = range.count;
    first[p.axis] = range.first;
    steps[p.axis] = range.step;
  }
  if (repeats_one_value(*data) && data->size() > 0) {
    return context.produce({repeated(repeated_value(*data, input->name()), shape)});
  }
  if (data->nbytes() > kSmallBytes) return false;
  const Array values = data->load(input->name()).contiguous_aligned();
  if (polygraphy::element_count(shape) == 0) {
    return context.produce({owned_payload(Array::zeros(data->dtype(), shape))});
  }
  std::vector<int64_t> strides(shape.size());
  int64_t stride = polygraphy::bit_width(data->dtype()) / 8;
  int64_t offset = 0;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride * steps[d];
    offset += stride * first[d];
    stride *= data->shape()[d];
  }
  const Array view = Array::strided(data->dtype(), shape, strides, values.data() + offset,
                                    std::make_shared<Array>(values));
  return context.produce({owned_payload(view.contiguous_aligned())});
}

}  // namespace

extern constinit const FoldRule fold_rule_slice = {
    .name = "slice",
    .summary = "parts of small constants",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
