#include "polygraphy/model_tools/lint/node_runs.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/progress.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/imports.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {
namespace {

using graphsurgeon::Captures;
using graphsurgeon::Graph;
using graphsurgeon::GraphAccess;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Store;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;

// The C interface of ONNX Runtime makes no empty sequences and optionals.
bool can_be_fed(const Value& value) {
  return !value.is_absent() && !(value.as_sequence() && value.as_sequence()->empty());
}

// The tensors that a node reads, each once: its inputs, and captures of its subgraphs.
std::vector<Tensor*> reads_of(const Node& node, const Captures& captures) {
  std::vector<Tensor*> reads;
  std::unordered_set<const Tensor*> seen;
  const auto add = [&](Tensor& tensor) {
    if (!tensor.is_empty() && seen.insert(&tensor).second) reads.push_back(&tensor);
  };
  for (const Tensor* input : node.inputs()) add(const_cast<Tensor&>(*input));
  captures.for_each(node, add);
  return reads;
}

bool is_unknown_op(std::string_view message) {
  return message.find("No opset import for domain") != std::string_view::npos ||
         message.find("is not a registered function/op") != std::string_view::npos;
}

class NodeRuns {
 public:
  NodeRuns(Model model, const ValueMap& feed, LintBackend& backend)
      : model_(std::move(model)), functions_(model_), backend_(backend) {
    static_cast<void>(graphsurgeon::infer_shapes(model_, {}, quiet_));
    for (Graph* graph : graphsurgeon::inner_graphs_first(*model_.graph)) captures_.add(*graph);
    for (const NodeRef& node : model_.graph->nodes()) {
      for (const Tensor* tensor : reads_of(*node, captures_)) {
        if (!tensor->is_constant()) ++readers_[tensor];
      }
    }
    for (const TensorRef& input : model_.graph->inputs()) {
      if (!input->is_constant()) keep(*input, feed);
    }
  }

  // Runs the node at this place; false: the values of its inputs are unknown.
  bool run(size_t position, const std::string& name, std::string& message) {
    const NodeRef& node = model_.graph->nodes()[position];
    if (node->name() != name) node->set_name(name);
    const std::vector<Tensor*> reads = reads_of(*node, captures_);
    bool known = true;
    for (const Tensor* tensor : reads) known &= tensor->is_constant() || values_.contains(tensor);
    if (known) message = run_alone(node, reads);
    for (const Tensor* tensor : reads) {
      if (!tensor->is_constant() && --readers_[tensor] == 0) values_.erase(tensor);
    }
    return known;
  }

  size_t crashes() const { return crashes_; }

 private:
  void keep(Tensor& tensor, const ValueMap& values) {
    const Value* value = values.find(tensor.name());
    if (value && can_be_fed(*value) && readers_.contains(&tensor)) values_[&tensor] = *value;
  }

  // From the contents of the tensors, whatever is declared for them.
  void describe(Tensor& tensor) {
    if (tensor.type_kind() != TypeKind::kTensor && tensor.type_kind() != TypeKind::kNone) return;
    const Array* value = values_.at(&tensor).as_tensor();
    if (!value) return;
    const TensorInfo info = info_of(*value);
    tensor.set_dtype(info.dtype);
    tensor.set_shape(info.shape);
  }

  Model one_node_model(const NodeRef& node, const std::vector<Tensor*>& reads) {
    Model part = model_;
    part.graph = Graph::create(*Store::create(), node->name());
    part.loaded_bytes = {};
    part.loaded_header = nullptr;
    // Constants are listed as initializers only, which is valid from version 4 on; a finding
    // reports a model without a version.
    if (part.ir_version < 4) part.ir_version = 4;
    if (functions_.empty() || !node->has_subgraphs()) {
      if (!functions_.called_by(*node)) part.functions.clear();
    }
    GraphAccess::nodes(*part.graph) = {node};
    for (Tensor* tensor : reads) {
      if (tensor->is_constant()) {
        GraphAccess::initializers(*part.graph).emplace_back(tensor);
      } else {
        describe(*tensor);
        GraphAccess::inputs(*part.graph).emplace_back(tensor);
      }
    }
    for (Tensor* output : node->outputs()) {
      if (!output->is_empty()) GraphAccess::outputs(*part.graph).emplace_back(output);
    }
    return part;
  }

  std::string run_alone(const NodeRef& node, const std::vector<Tensor*>& reads) {
    ValueMap feed;
    for (const Tensor* tensor : reads) {
      if (!tensor->is_constant()) feed.set(std::string(tensor->name()), values_.at(tensor));
    }
    try {
      const ValueMap outputs = backend_.run_node(one_node_model(node, reads), feed);
      for (Tensor* output : node->outputs()) {
        if (!output->is_empty()) keep(*output, outputs);
      }
    } catch (const LintBackend::Refusal& refusal) {
      return refusal.what();
    } catch (const LintBackend::Crash& crash) {
      ++crashes_;
      return crash.what();
    }
    return {};
  }

  Model model_;
  const graphsurgeon::FunctionIds functions_;
  LintBackend& backend_;
  Logger quiet_;
  Captures captures_;
  std::unordered_map<const Tensor*, size_t> readers_;
  std::unordered_map<const Tensor*, Value> values_;
  size_t crashes_ = 0;
};

}  // namespace

Finding refusal_of(const Node& node, const std::string& name, std::string message) {
  Finding finding;
  finding.level = is_unknown_op(message) ? LintLevel::kWarning : LintLevel::kException;
  finding.source = LintSource::kOnnxruntime;
  finding.message = std::move(message);
  finding.node = name;
  finding.op = node.op();
  finding.rule = "runs";
  return finding;
}

size_t run_nodes(const Model& model, const std::vector<std::string>& node_names,
                 const ValueMap& feed, LintBackend& backend, LintReport& report, Logger& log) {
  // The copy's tensors get their values' types and shapes.
  NodeRuns runs(graphsurgeon::copy(model), feed, backend);
  const auto& nodes = model.graph->nodes();
  ProgressPhase phase("running node", static_cast<int64_t>(nodes.size()));
  for (size_t i = 0; i < nodes.size(); ++i) {
    std::string message;
    const bool failed = runs.run(i, node_names[i], message);
    phase.step();
    if (!failed) continue;
    report.add(refusal_of(*nodes[i], node_names[i], std::move(message)), log);
  }
  static_cast<void>(backend.take_warnings());
  return runs.crashes();
}

}  // namespace polygraphy
