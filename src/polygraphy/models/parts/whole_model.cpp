#include "polygraphy/models/parts/whole_model.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/os/scratch_folder.h"
#include "graphsurgeon/fold/byte_size.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/operators/exporter_notes.h"
#include "graphsurgeon/passes/constant_nodes.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/models/candidates/inline_calls.h"
#include "polygraphy/models/candidates/node_names.h"
#include "polygraphy/models/candidates/prune_unused.h"
#include "polygraphy/models/candidates/used_tensors.h"
#include "polygraphy/models/parts/output_sizes.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeIndex;
using graphsurgeon::Tensor;

void name_nodes(Graph& graph) {
  const std::vector<std::string> names = distinct_node_names(graph);
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] != graph.nodes()[i]->name()) graph.nodes()[i]->set_name(names[i]);
  }
}

}  // namespace

WholeModel::WholeModel(Model model, const std::string& parent, DataPlacement placement)
    : model_(std::move(model)),
      inlined_(!model_.functions.empty()),
      given_inputs_(metadata_of_variables(model_.graph->inputs())) {
  graphsurgeon::check_external_data(model_);  // messages about copies would name the copies
  inline_all_calls(model_);
  graphsurgeon::constant_nodes_to_initializers(model_);
  prune_unused(model_);
  if (!graphsurgeon::is_sorted(*model_.graph)) graphsurgeon::toposort(model_);
  Graph& graph = *model_.graph;
  name_nodes(graph);
  for (const auto& input : graph.inputs()) {
    if (!input->is_constant()) inputs_.emplace_back(input->name());
  }
  for (const auto& output : graph.outputs())
    (output->producer() ? outputs_ : unmade_outputs_).emplace_back(output->name());
  const NodeIndex index(graph);
  const UsedTensors used(model_);
  std::unordered_set<const Tensor*> read;
  for (const auto& output : graph.outputs()) read.insert(output.get());
  for (const auto& node : graph.nodes())
    used.of(*node, [&](const Tensor& tensor) { read.insert(&tensor); });
  for (const auto& node : graph.nodes()) {
    NodeFacts facts{.name = std::string(node->name()),
                    .op = std::string(node->op()),
                    .module = graphsurgeon::exporter_notes(*node).module,
                    .reads = {},
                    .makes = {},
                    .producers = {},
                    .has_bodies = node->has_subgraphs()};
    std::unordered_set<const Tensor*> seen;
    used.of(*node, [&](const Tensor& tensor) {
      if (!seen.insert(&tensor).second) return;
      facts.reads.emplace_back(tensor.name());
      const Node* producer = tensor.producer();
      if (const auto at = producer ? index.find(*producer) : std::nullopt)
        facts.producers.push_back(*at);
    });
    // Unused ones of several results often deviate from the standard: masks, statistics of
    // training.
    std::vector<const Tensor*> made;
    for (const Tensor* output : node->outputs()) {
      if (!output->is_empty()) made.push_back(output);
    }
    const auto unread = [&](const Tensor* output) { return !read.contains(output); };
    if (!std::all_of(made.begin(), made.end(), unread)) std::erase_if(made, unread);
    for (const Tensor* output : made) facts.makes.emplace_back(output->name());
    nodes_.push_back(std::move(facts));
  }
  folder_ = std::make_unique<CandidateFolder>(model_, parent.empty() ? temporary_folder() : parent,
                                              placement);
  folder_->write(model_, folder_->path("whole.onnx"));
}

std::vector<std::string> WholeModel::made_by(const std::vector<size_t>& positions) const {
  std::vector<std::string> names;
  for (const size_t position : positions)
    std::ranges::copy(nodes_[position].makes, std::back_inserter(names));
  return names;
}

std::vector<std::string> WholeModel::made() const {
  std::vector<size_t> all(nodes_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return made_by(all);
}

ModelSource WholeModel::with_outputs(std::vector<std::string> outputs) const {
  ModelSource source{.path = folder_->path("whole.onnx")};
  source.outputs = std::move(outputs);
  source.tidy = true;  // runtimes run nodes that no output depends on, too
  return source;
}

Model WholeModel::marked(const std::vector<std::string>& outputs) const {
  Model copy = graphsurgeon::copy(model_);
  const auto tensors = copy.graph->tensor_map();
  std::vector<graphsurgeon::TensorRef> marked;
  for (const std::string& name : outputs) marked.emplace_back(tensors.at(name));
  copy.graph->mutable_outputs() = std::move(marked);
  return copy;
}

ModelSource WholeModel::write(const Model& made) const {
  const std::string path = folder_->path("part.onnx");
  folder_->write(made, path);
  return {.path = path};
}

Model WholeModel::sized_for(const ValueMap& feed) const {
  Model sized = graphsurgeon::copy(model_);
  static_cast<void>(output_sizes(sized, tensors_of(feed)));
  return sized;
}

std::vector<uint64_t> WholeModel::bytes_of(const std::vector<std::string>& names,
                                           const ValueMap& feed, uint64_t unknown) const {
  const Model sized = sized_for(feed);
  const auto tensors = sized.graph->tensor_map();
  std::vector<uint64_t> bytes;
  for (const std::string& name : names) {
    const auto found = tensors.find(name);
    const int64_t size = found == tensors.end() ? -1 : graphsurgeon::tensor_bytes(*found->second);
    bytes.push_back(size < 0 ? unknown : static_cast<uint64_t>(size));
  }
  return bytes;
}

}  // namespace polygraphy
