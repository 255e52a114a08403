#include "graphsurgeon/io/shape_values.h"

#include <cstdint>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/tensor.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace graphsurgeon {
namespace {

constexpr int64_t kSmall = 1024;  // bytes; the default of SaveOptions::external_data_threshold

}  // namespace

ShapeValues::ShapeValues(const Model& model) {
  for (const Graph* graph : all_graphs(model)) {
    for (const NodeRef& node : graph->nodes()) {
      const OperatorFacts& facts = facts_of(*node);
      if (facts.sizes == 0) continue;
      for (size_t i = 0; i < node->inputs().size(); ++i) {
        const Tensor* input = node->inputs()[i];
        if (facts.decides_shape(i) && input && input->is_constant())
          read_.insert(input->payload().get());
      }
    }
  }
}

bool ShapeValues::contains(const Payload& payload) const {
  const DataType type = payload.dtype();
  const bool may_be_size =
      type == DataType::kInt64 || type == DataType::kInt32 || type == DataType::kBool;
  return (may_be_size && payload.nbytes() < kSmall) || read_.contains(&payload);
}

}  // namespace graphsurgeon
