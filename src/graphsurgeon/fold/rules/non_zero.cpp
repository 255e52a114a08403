// NonZero of small constants.

#include <algorithm>

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"NonZero"};

bool apply_rule(Node& node, FoldContext& context) {
  const auto values = small_value(node, 0, context);
  if (!values || polygraphy::kind_of(values->dtype()) == polygraphy::Kind::kComplex) return false;
  const size_t rank = values->shape().size();
  if (rank == 0) return false;  // the standard and the runtimes differ
  std::vector<std::vector<int64_t>> found(rank);
  std::vector<int64_t> at(rank, 0);
  for (int64_t i = 0; i < values->size(); ++i) {
    if (values->get_double(i) != 0.0) {
      for (size_t d = 0; d < rank; ++d) found[d].push_back(at[d]);
    }
    for (size_t d = rank; d-- > 0;) {
      if (++at[d] < values->shape()[d]) break;
      at[d] = 0;
    }
  }
  std::vector<int64_t> indices;
  for (const auto& row : found) indices.insert(indices.end(), row.begin(), row.end());
  const Shape shape{static_cast<int64_t>(rank), static_cast<int64_t>(found[0].size())};
  return context.produce({owned_payload(Array::of<int64_t>(shape, indices))});
}

}  // namespace

extern constinit const FoldRule fold_rule_non_zero = {
    .name = "non-zero",
    .summary = "positions of nonzero elements of small constants",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
