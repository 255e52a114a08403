// Concat of small constants, and of equal splats.

#include <cstring>

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Concat"};

bool apply_rule(Node& node, FoldContext& context) {
  const size_t count = node.inputs().size();
  const Attribute* axis_attribute = node.attribute("axis");
  if (count == 0 || axis_attribute == nullptr) return false;
  std::vector<Array> parts;
  for (size_t i = 0; i < count; ++i) {
    auto part = small_value(node, i, context);
    if (!part) return false;
    parts.push_back(std::move(*part));
  }
  Shape shape = parts[0].shape();
  const auto axis = axis_of(int_attribute(node, "axis", 0), shape.size());
  if (!axis) return false;
  shape[*axis] = 0;
  for (const Array& part : parts) {
    if (part.dtype() != parts[0].dtype() || part.shape().size() != shape.size()) return false;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (d != *axis && part.shape()[d] != shape[d]) return false;
    }
    shape[*axis] += part.shape()[*axis];
  }
  Array result = Array::uninitialized(parts[0].dtype(), shape);
  if (result.nbytes() > kSmallBytes) return false;

  const auto width = static_cast<size_t>(polygraphy::bit_width(result.dtype()) / 8);
  size_t blocks = 1;
  for (size_t d = 0; d < *axis; ++d) blocks *= static_cast<size_t>(shape[d]);
  std::byte* out = result.mutable_data();
  for (size_t block = 0; block < blocks; ++block) {
    for (const Array& part : parts) {
      const size_t bytes = static_cast<size_t>(part.size()) / blocks * width;
      if (bytes > 0) std::memcpy(out, part.data() + block * bytes, bytes);
      out += bytes;
    }
  }
  return context.produce({owned_payload(std::move(result))});
}

}  // namespace

extern constinit const FoldRule fold_rule_concat = {
    .name = "concat",
    .summary = "small constants joined",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
