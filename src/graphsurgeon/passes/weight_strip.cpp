#include "graphsurgeon/passes/weight_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"
#include "graphsurgeon/onnx/schema.h"
#include "graphsurgeon/passes/sparsity.h"

namespace graphsurgeon {

namespace {

using polygraphy::Logger;

// An operator with inputs that may be weights.
struct Consumer {
  std::string_view op;
  size_t min_inputs, max_inputs;
  bool behind_others = false;  // also looked for behind Transpose and Q/DQ
  int64_t min_elements = 0;    // smaller tensors stay
};
constexpr Consumer kConsumers[] = {
    {"Conv", 2, 3, true, 1}, {"ConvTranspose", 2, 3, true, 1}, {"Gemm", 2, 3, true, 1},
    {"MatMul", 2, 2, true},  {"Gather", 2, 2, false, 1024},    {"Slice", 3, 5, false, 1024},
};

const Consumer* find_consumer(std::string_view op) {
  const auto* found = std::find_if(std::begin(kConsumers), std::end(kConsumers),
                                   [&](const Consumer& consumer) { return consumer.op == op; });
  return found == std::end(kConsumers) ? nullptr : found;
}

bool has_form(const Node& node, size_t min_inputs, size_t max_inputs) {
  return node.outputs().size() == 1 && node.inputs().size() >= min_inputs &&
         node.inputs().size() <= max_inputs;
}

class StrippableWalk {
 public:
  StrippableWalk(const Graph& graph, const std::set<std::string>& exclude, Logger& logger)
      : exclude_(exclude), unused_(exclude), logger_(logger) {
    for (const TensorRef& tensor : graph.initializers()) initializers_.insert(tensor.get());
    for (const TensorRef& tensor : graph.outputs()) outputs_.insert(tensor.get());
  }

  void visit(const Node& node) {
    const Consumer* consumer = find_consumer(node.op());
    if (consumer && has_form(node, consumer->min_inputs, consumer->max_inputs)) {
      // Only the data input of Slice is a weight, not its indices.
      mark(node, node.op() == "Slice" ? 1 : node.inputs().size(), consumer->min_elements);
    } else if (node.op() == "Transpose" && has_form(node, 1, 1)) {
      if (feeds_consumer(*node.outputs()[0])) mark(node, 1);
    } else if (node.op() == "QuantizeLinear" && has_form(node, 2, 3)) {
      const Node* next = only_user(*node.outputs()[0]);
      if (next && next->op() == "DequantizeLinear" && has_form(*next, 2, 3) &&
          next->inputs()[0] == node.outputs()[0] && feeds_consumer(*next->outputs()[0])) {
        mark(node, 1);
      }
    } else if (!find_schema(node.op(), std::numeric_limits<int>::max())) {
      mark_plugin(node);
    }
  }

  // Names to exclude that kept nothing from being stripped.
  const std::set<std::string>& unused() const { return unused_; }

  bool is_marked(const Tensor* tensor) const { return marked_.contains(tensor); }

 private:
  // The node that alone uses the tensor; null when there are others, or a graph output.
  const Node* only_user(const Tensor& tensor) const {
    if (tensor.consumers().empty() || outputs_.contains(&tensor)) return nullptr;
    const Node* user = tensor.consumers().front();
    const auto& users = tensor.consumers();
    const bool alone =
        std::all_of(users.begin(), users.end(), [&](const Node* node) { return node == user; });
    return alone ? user : nullptr;
  }

  bool feeds_consumer(const Tensor& tensor) const {
    const Node* user = only_user(tensor);
    const Consumer* consumer = user ? find_consumer(user->op()) : nullptr;
    return consumer && consumer->behind_others &&
           has_form(*user, consumer->min_inputs, consumer->max_inputs);
  }

  // A constant that is not among the graph's initializers belongs to an outer graph.
  bool can_be_stripped(const Tensor& tensor) const {
    return tensor.is_constant() && initializers_.contains(&tensor) &&
           tensor.payload()->kind() != Payload::Kind::kSparse &&
           tensor.dtype() != DataType::kUint8 && tensor.dtype() != DataType::kString;
  }

  bool is_excluded(const Tensor& tensor) {
    const auto found = exclude_.find(std::string(tensor.name()));
    if (found == exclude_.end()) return false;
    unused_.erase(*found);
    return true;
  }

  void mark(const Node& node, size_t inputs, int64_t min_elements = 0) {
    for (size_t i = 0; i < inputs; ++i) {
      const Tensor& tensor = *node.inputs()[i];
      if (can_be_stripped(tensor) && !is_excluded(tensor) &&
          tensor.payload()->size() >= min_elements) {
        marked_.insert(&tensor);
      }
    }
  }

  void mark_plugin(const Node& node) {
    for (const Tensor* tensor : node.inputs()) {
      if (!can_be_stripped(*tensor) || is_excluded(*tensor)) continue;
      logger_.verbose(
          polygraphy::log_modules::kWeightStrip,
          fmt::format("Stripping initializer {} to the {} op.", tensor->name(), node.op()));
      marked_.insert(tensor);
    }
  }

  const std::set<std::string>& exclude_;
  std::set<std::string> unused_;
  Logger& logger_;
  std::unordered_set<const Tensor*> initializers_, outputs_, marked_;
};

void warn_of_unused(const std::set<std::string>& unused, Logger& logger) {
  if (unused.empty()) return;
  std::string names;
  for (const std::string& name : unused) {
    if (!names.empty()) names += ", ";
    names += polygraphy::py_str_repr(name);
  }
  logger.warning(polygraphy::log_modules::kWeightStrip,
                 fmt::format("The following weights provided by the user to skip "
                             "stripping were not found in the model: {{{}}}.",
                             names));
}

}  // namespace

std::vector<TensorRef> find_strippable_weights(const Model& model,
                                               const std::set<std::string>& exclude,
                                               Logger& logger) {
  StrippableWalk walk(*model.graph, exclude, logger);
  for (const NodeRef& node : model.graph->nodes()) walk.visit(*node);
  std::vector<TensorRef> weights;
  for (const TensorRef& tensor : model.graph->initializers()) {
    if (walk.is_marked(tensor.get())) weights.push_back(tensor);
  }
  warn_of_unused(walk.unused(), logger);
  return weights;
}

size_t strip_weights(Model& model, const std::set<std::string>& exclude, Logger& logger) {
  logger.start(polygraphy::log_modules::kWeightStrip, "Beginning weight stripping...");
  logger.warning(polygraphy::log_modules::kWeightStrip,
                 "The model is expected to be constant folded to successfully capture all weights "
                 "eligible for stripping");
  logger.info(polygraphy::log_modules::kWeightStrip, "Querying Sparse Initializers in the model");
  std::unordered_set<const Tensor*> sparse;
  for (const TensorRef& tensor : check_sparsity(model, logger)) sparse.insert(tensor.get());

  const std::vector<TensorRef> weights = find_strippable_weights(model, exclude, logger);
  for (const TensorRef& weight : weights) {
    logger.verbose(polygraphy::log_modules::kWeightStrip,
                   fmt::format("Stripping initializer {}", weight->name()));
    const Payload& values = *weight->payload();
    weight->replace_values(stripped_payload(values.dtype(), values.shape()));
    weight->set_doc_string(std::string(kWeightlessMarker) + '/' +
                           (sparse.contains(weight.get()) ? kSparseMarker : ""));
  }
  if (!weights.empty()) {
    if (!model.doc_string.empty()) model.doc_string += '-';
    model.doc_string += kWeightlessMarker;
  }
  logger.finish(polygraphy::log_modules::kWeightStrip,
                fmt::format("Finished stripping {} weights", weights.size()));
  return weights.size();
}

}  // namespace graphsurgeon
