#include "polygraphy/model_tools/surgeon/insert.h"

#include <span>
#include <string_view>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "graphsurgeon/passes/insert_node.h"
#include "graphsurgeon/passes/tensor_lookup.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::NodeToInsert;
using graphsurgeon::Tensor;
using graphsurgeon::TensorLookup;
using graphsurgeon::TensorRef;

NodeToInsert resolve(const InsertOptions& options, const Model& model) {
  graphsurgeon::Store& store = model.graph->store();
  NodeToInsert node{.op = options.op, .name = options.name, .inputs = {}, .outputs = {}};
  const TensorLookup tensors(*model.graph);
  for (const std::string& name : options.inputs) {
    node.inputs.push_back(name.empty() ? Tensor::empty(store) : TensorRef(&tensors.get(name)));
  }
  for (const std::string& name : options.outputs) node.outputs.emplace_back(&tensors.get(name));
  for (const auto& [name, value] : options.attributes) {
    node.attributes.push_back(graphsurgeon::make_attribute(store, name, value));
  }
  return node;
}

std::string names_of(const graphsurgeon::TensorList& tensors) {
  std::vector<std::string> names;
  for (const Tensor* tensor : tensors) names.emplace_back(tensor->name());
  return join(std::span<const std::string>(names), ", ");
}

}  // namespace

Model insert(const InsertOptions& options, Logger& log) {
  if (options.op.empty())
    throw Error("The new node has no operator", "Name an operator: Identity, or a custom one.");
  const auto model = load_original(options.files.model, log);
  const auto node = graphsurgeon::insert_node(*model, resolve(options, *model));
  log.verbose(log_modules::kSurgeonInsert, "Generated new node: " + std::string(node->name()) +
                                               " (" + std::string(node->op()) +
                                               ")\nInputs: " + names_of(node->inputs()) +
                                               "\nOutputs: " + names_of(node->outputs()));
  save_result(*model, options.files, log);
  return std::move(*model);
}

}  // namespace polygraphy
