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
#include "graphsurgeon/passes/constant_nodes.h"
#include "graphsurgeon/passes/toposort.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/models/candidates/inline_calls.h"
#include "polygraphy/models/candidates/node_names.h"
#include "polygraphy/models/candidates/prune_unused.h"
#include "polygraphy/models/candidates/used_tensors.h"
#include "polygraphy/models/parts/output_sizes.h"

namespace polygraphy {
namespace {

namespace wire = graphsurgeon::wire;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeIndex;
using graphsurgeon::Tensor;

constexpr std::string_view kScopes = "pkg.torch.onnx.name_scopes";

// The last module in a list of Python's texts, "['', 'layers.3', 'layers.3.mlp', 'linear_4']"; its
// last element is the node itself.
std::string innermost(std::string_view list) {
  std::string module, current, last;
  bool open = false;
  char quote = 0;
  for (const char c : list) {
    if (!open && (c == '\'' || c == '"')) {
      open = true;
      quote = c;
      current.clear();
    } else if (open && c == quote) {
      open = false;
      if (!last.empty()) module = last;
      last = current;
    } else if (open) {
      current += c;
    }
  }
  return module;
}

// "layers.3.mlp.down_proj", from the metadata that torch.onnx.export writes into the node
// (pkg.torch.onnx.name_scopes); empty: no metadata.
std::string exporter_module(const graphsurgeon::Node& node) {
  if (node.unknown_fields().empty()) return {};
  try {
    wire::Reader fields(node.unknown_fields());
    while (fields.next()) {
      if (fields.key() != wire::bytes_key(wire::node::kMetadataProps)) continue;
      wire::Reader entry(fields.bytes());
      std::string_view key, value;
      while (entry.next()) {
        if (entry.key() == wire::bytes_key(wire::entry::kKey)) key = entry.bytes();
        if (entry.key() == wire::bytes_key(wire::entry::kValue)) value = entry.bytes();
      }
      if (key == kScopes) return innermost(value);
    }
  } catch (const FormatError&) {
    // Damaged metadata says nothing.
  }
  return {};
}

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
                    .module = exporter_module(*node),
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
