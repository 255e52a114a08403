// Cast and CastLike between types on which every runtime agrees.

#include <cmath>

#include "base/arrays/convert.h"
#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/ir/payloads/splat_payload.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Cast", "CastLike"};

bool is_plain(DataType type) {
  switch (polygraphy::kind_of(type)) {
    case polygraphy::Kind::kBool:
      return true;
    case polygraphy::Kind::kSigned:
    case polygraphy::Kind::kUnsigned:
      return polygraphy::bit_width(type) >= 8;
    default:
      return type == DataType::kFloat32 || type == DataType::kFloat64;
  }
}

// The integer for a float out of range depends on the runtime.
bool fits(const Array& values, DataType type) {
  if (!polygraphy::is_floating(values.dtype()) || !polygraphy::is_integral(type)) return true;
  const bool is_signed = polygraphy::kind_of(type) == polygraphy::Kind::kSigned;
  const int bits = polygraphy::bit_width(type);
  const double above = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  for (int64_t i = 0; i < values.size(); ++i) {
    const double value = std::trunc(values.get_double(i));
    if (!(value < above && value >= (is_signed ? -above : 0.0))) return false;
  }
  return true;
}

bool apply_rule(Node& node, FoldContext& context) {
  const Tensor* input = input_at(node, 0);
  if (input == nullptr) return false;
  const PayloadPtr payload = context.value(*input);
  if (!payload) return false;

  DataType type = DataType::kUndefined;
  if (node.op() == "Cast") {
    type = static_cast<DataType>(int_attribute(node, "to", 0));
  } else if (const Tensor* like = input_at(node, 1)) {
    type = like->dtype();
  }
  if (type == payload->dtype() && polygraphy::is_known(type)) return context.produce({payload});
  if (!is_plain(type) || !is_plain(payload->dtype())) return false;

  const bool is_repeated = repeats_one_value(*payload);
  if (!is_repeated && payload->size() > kSmallBytes / 8) return false;
  const Array values = is_repeated ? repeated_value(*payload, input->name())
                                   : payload->load(input->name()).contiguous_aligned();
  if (!fits(values, type)) return false;
  const Array result = polygraphy::convert(values, type);
  return context.produce(
      {is_repeated ? repeated(result, payload->shape()) : owned_payload(result)});
}

}  // namespace

extern constinit const FoldRule fold_rule_cast = {
    .name = "cast",
    .summary = "small constants in another element type",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
