#include "polygraphy/models/parts/exploded_model.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/passes/unused_functions.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/candidates/used_tensors.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

constexpr int64_t kLongestList = 64;
constexpr size_t kNoPart = static_cast<size_t>(-1);

enum class OutputNames : uint8_t { kFresh, kOfWhole };

class Explosion {
 public:
  Explosion(const Model& model, const std::vector<NodePart>& parts, OutputNames output_names,
            const std::function<const Array*(const std::string&)>& value)
      : parts_(parts), output_names_(output_names), value_(value) {
    result_.model = graphsurgeon::copy(model);
  }

  ExplodedModel run() {
    Graph& graph = *result_.model.graph;
    const UsedTensors used(result_.model);
    for (const TensorRef& output : graph.outputs()) read_outside_.insert(output.get());
    for (const auto& [name, tensor] : graph.tensor_map()) names_.emplace(name);
    find_makers(graph);
    find_readers(graph, used);
    const std::vector<NodeRef> all = graph.nodes();
    std::vector<TensorRef> outputs;
    for (size_t part = 0; part < parts_.size(); ++part) {
      for (const size_t position : parts_[part]) {
        const NodeRef& node = all[position];
        std::vector<Tensor*> reads;
        used.of(*node, [&](Tensor& tensor) {
          if (std::find(reads.begin(), reads.end(), &tensor) == reads.end())
            reads.push_back(&tensor);
        });
        for (Tensor* tensor : reads) {
          const auto maker = maker_.find(tensor);
          if (maker == maker_.end() || maker->second != part)
            replace(*node, *tensor, input_for(*tensor));
        }
        nodes_.push_back(node);
      }
    }
    // Names change when everything that is looked up by them has been.
    for (size_t part = 0; part < parts_.size(); ++part) {
      for (const size_t position : parts_[part]) add_outputs(*all[position], part, outputs);
    }
    finish(graph, std::move(outputs));
    return std::move(result_);
  }

 private:
  void find_makers(const Graph& graph) {
    for (size_t part = 0; part < parts_.size(); ++part) {
      for (const size_t position : parts_[part]) {
        for (const Tensor* output : graph.nodes()[position]->outputs()) {
          if (!output->is_empty()) maker_.emplace(output, part);
        }
      }
    }
  }

  // Tensors that other parts read.
  void find_readers(const Graph& graph, const UsedTensors& used) {
    std::vector<size_t> part_of(graph.nodes().size(), kNoPart);
    for (size_t part = 0; part < parts_.size(); ++part) {
      for (const size_t position : parts_[part]) part_of[position] = part;
    }
    for (size_t i = 0; i < graph.nodes().size(); ++i) {
      used.of(*graph.nodes()[i], [&](Tensor& tensor) {
        const auto maker = maker_.find(&tensor);
        if (maker == maker_.end()) return;
        (part_of[i] == maker->second ? read_inside_ : read_outside_).insert(&tensor);
      });
    }
  }

  TensorRef input_for(Tensor& tensor) {
    const auto [known, is_new] = inputs_.try_emplace(&tensor);
    if (!is_new) return known->second;
    Graph& graph = *result_.model.graph;
    const std::string name(tensor.name());
    const Array* value = value_(name);
    if (value && becomes_constant(*value)) {
      known->second = graph.constant(name, *value);
      constants_.push_back(known->second);
      return known->second;
    }
    TensorRef input = graphsurgeon::copy(tensor);
    if (value) {
      const TensorInfo info = info_of(*value);
      input->set_dtype(info.dtype);
      input->set_shape(info.shape);
    }
    known->second = input;
    listed_.push_back(input);
    result_.inputs.push_back(name);
    return input;
  }

  static void replace(Node& node, const Tensor& tensor, const TensorRef& by) {
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      if (node.inputs()[i] == &tensor) node.inputs().set(i, by);
    }
    if (!node.has_subgraphs()) return;
    for (const GraphRef& inner : node.subgraphs_recursive()) {
      for (const NodeRef& nested : inner->nodes()) {
        for (size_t i = 0; i < nested->inputs().size(); ++i) {
          if (nested->inputs()[i] == &tensor) nested->inputs().set(i, by);
        }
      }
      for (size_t i = 0; i < inner->outputs().size(); ++i) {
        if (inner->outputs()[i].get() == &tensor) inner->mutable_outputs()[i] = by;
      }
    }
  }

  void add_outputs(const Node& node, size_t part, std::vector<TensorRef>& outputs) {
    for (Tensor* output : node.outputs()) {
      if (output->is_empty()) continue;
      if (!read_outside_.contains(output) &&
          (read_inside_.contains(output) || others_are_read(node)))
        continue;
      const std::string tensor(output->name());
      if (output_names_ == OutputNames::kOfWhole) {
        outputs.emplace_back(output);
        continue;
      }
      std::string name = tensor + "/alone";
      while (names_.contains(name)) name += "'";
      names_.insert(name);
      if (const Array* value = value_(tensor)) {
        output->set_dtype(value->dtype());
        output->set_shape(std::nullopt);
      }
      output->set_name(name);
      result_.outputs.push_back({tensor, std::move(name), part});
      outputs.emplace_back(output);
    }
  }

  // Then an unused result does not matter.
  bool others_are_read(const Node& node) const {
    return std::any_of(node.outputs().begin(), node.outputs().end(), [&](const Tensor* output) {
      return read_outside_.contains(output) || read_inside_.contains(output);
    });
  }

  void finish(Graph& graph, std::vector<TensorRef> outputs) {
    graph.mutable_nodes() = std::move(nodes_);
    graph.mutable_inputs() = std::move(listed_);
    graph.mutable_outputs() = std::move(outputs);
    graph.mutable_value_infos().clear();
    std::unordered_set<const Tensor*> weights;
    for (const NodeRef& node : graph.nodes()) {
      for (const Tensor* input : node->inputs()) weights.insert(input);
      if (!node->has_subgraphs()) continue;
      for (const GraphRef& inner : node->subgraphs_recursive()) {
        for (const NodeRef& nested : inner->nodes()) {
          for (const Tensor* input : nested->inputs()) weights.insert(input);
        }
        for (const TensorRef& output : inner->outputs()) weights.insert(output.get());
      }
    }
    auto& initializers = graph.mutable_initializers();
    std::erase_if(initializers,
                  [&](const TensorRef& weight) { return !weights.contains(weight.get()); });
    initializers.insert(initializers.end(), constants_.begin(), constants_.end());
    // Constants are listed as initializers only, which is right from version 4 on.
    if (result_.model.ir_version < 4) result_.model.ir_version = 4;
    graphsurgeon::remove_unused_functions(result_.model);
  }

  const std::vector<NodePart>& parts_;
  const OutputNames output_names_;
  const std::function<const Array*(const std::string&)>& value_;
  ExplodedModel result_;
  std::unordered_map<const Tensor*, size_t> maker_;  // the part that makes it
  std::unordered_set<const Tensor*> read_outside_, read_inside_;
  std::unordered_map<const Tensor*, TensorRef> inputs_;
  std::unordered_set<std::string> names_;
  std::vector<TensorRef> listed_, constants_;
  std::vector<NodeRef> nodes_;
};

}  // namespace

bool becomes_constant(const Array& value) {
  const bool whole = value.dtype() == DataType::kInt64 || value.dtype() == DataType::kInt32 ||
                     value.dtype() == DataType::kBool;
  return whole && value.rank() <= 1 && value.size() <= kLongestList;
}

ExplodedModel explode(const Model& model, const std::vector<NodePart>& parts,
                      const std::function<const Array*(const std::string&)>& value) {
  return Explosion(model, parts, OutputNames::kFresh, value).run();
}

Model part_of(const Model& model, const NodePart& part,
              const std::function<const Array*(const std::string&)>& value) {
  return Explosion(model, {part}, OutputNames::kOfWhole, value).run().model;
}

}  // namespace polygraphy
