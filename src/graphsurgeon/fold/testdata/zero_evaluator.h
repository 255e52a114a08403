// An evaluator that gives zeros of the type and shape that the region declares, and fails on
// request.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/fold/evaluator.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace graphsurgeon {

class ZeroEvaluator final : public Evaluator {
 public:
  // Regions with this operator in them fail.
  explicit ZeroEvaluator(std::string fails_on = "-") : fails_on_(std::move(fails_on)) {}

  std::vector<Array> evaluate(const Model& region,
                              const std::vector<std::pair<std::string, Array>>& feeds) override {
    std::string text;
    for (const NodeRef& node : region.graph->nodes()) {
      text += (text.empty() ? "" : " ") + std::string(node->op());
    }
    regions.push_back(text);
    for (const auto& [name, values] : feeds) {
      feed_names.push_back(name);
      feed_bytes.push_back(values.data());
    }
    for (const NodeRef& node : region.graph->nodes()) {
      if (node->op() == fails_on_) {
        throw polygraphy::Error("no kernel for " + fails_on_ + " ('" + std::string(node->name()) +
                                "')");
      }
    }
    std::vector<Array> results;
    for (const TensorRef& output : region.graph->outputs()) {
      Shape shape;
      for (const Dim& dim : output->shape().value_or(DimList{})) {
        shape.push_back(dim.has_value() ? dim.value() : unknown_dim);
      }
      const bool is_typed = output->dtype() != DataType::kUndefined;
      results.push_back(Array::zeros(is_typed ? output->dtype() : DataType::kFloat32, shape));
    }
    return results;
  }

  std::vector<std::string> regions;  // operators of each, in order
  std::vector<std::string> feed_names;
  std::vector<const std::byte*> feed_bytes;
  int64_t unknown_dim = 1;  // stands for a dimension that is not known before

 private:
  std::string fails_on_;
};

}  // namespace graphsurgeon
