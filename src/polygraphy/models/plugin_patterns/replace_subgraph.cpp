#include "polygraphy/models/plugin_patterns/replace_subgraph.h"

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/detach.h"
#include "graphsurgeon/passes/toposort.h"

namespace polygraphy {
namespace {

using graphsurgeon::Arg;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorLookup;
using graphsurgeon::TensorRef;

bool is_graph_input(const Graph& graph, const Tensor& tensor) {
  return std::any_of(graph.inputs().begin(), graph.inputs().end(),
                     [&](const TensorRef& input) { return input.get() == &tensor; });
}

std::vector<TensorRef> outputs_of(const Graph& graph, const TensorLookup& tensors,
                                  const PluginInstance& instance, const std::string& where) {
  if (instance.outputs.empty()) {
    throw Error(where + " has no outputs: its node would have no effect",
                "Name the tensors that the plugin produces in 'outputs'.");
  }
  std::vector<TensorRef> outputs;
  for (const std::string& name : instance.outputs) {
    TensorRef output(tensors.find(name));
    const std::string cannot =
        where + " cannot produce the tensor " + py_str_repr(name) + ": it is ";
    if (output->is_constant()) throw Error(cannot + "a constant of the model");
    if (is_graph_input(graph, *output)) throw Error(cannot + "an input of the model");
    if (std::find(instance.inputs.begin(), instance.inputs.end(), name) != instance.inputs.end()) {
      throw Error(cannot + "also an input of the plugin");
    }
    if (std::find(outputs.begin(), outputs.end(), output) != outputs.end()) {
      throw Error(where + " names the tensor " + py_str_repr(name) + " twice among its outputs");
    }
    outputs.push_back(std::move(output));
  }
  return outputs;
}

// Truth values are the integers 0 and 1, and integers among floats are floats.
Arg list_value(const YamlValue::List& items, const std::string& what) {
  std::vector<int64_t> integers;
  std::vector<double> floats;
  std::vector<std::string> texts;
  for (const YamlValue& item : items) {
    if (const auto* truth = std::get_if<bool>(&item.data)) integers.push_back(*truth ? 1 : 0);
    if (const auto* integer = std::get_if<int64_t>(&item.data)) integers.push_back(*integer);
    if (const auto* number = std::get_if<double>(&item.data)) {
      floats.push_back(*number);
    } else if (!item.text() && !integers.empty()) {
      floats.push_back(static_cast<double>(integers.back()));
    }
    if (item.text()) texts.push_back(*item.text());
  }
  if (items.empty()) {
    throw Error(what + " is an empty list of unknown type",
                "Leave the attribute out, or give it a value.");
  }
  if (integers.size() == items.size()) return integers;
  if (texts.size() == items.size()) return texts;
  if (texts.empty() && floats.size() == items.size()) return floats;
  throw Error(what + " is a list of mixed types, but must be a list of numbers or of texts");
}

Arg attribute_value(const YamlValue& value, const std::string& what) {
  if (const auto* truth = std::get_if<bool>(&value.data)) return *truth;
  if (const auto* integer = std::get_if<int64_t>(&value.data)) return *integer;
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  if (value.text()) return *value.text();
  if (value.list()) return list_value(*value.list(), what);
  throw Error(what + " is " + std::string(value.kind()) +
              ", but must be a number, a text or a list of them");
}

}  // namespace

void check_tensors(const PluginInstance& instance, const TensorLookup& tensors,
                   const std::string& where) {
  for (const auto* names : {&instance.inputs, &instance.outputs}) {
    for (const std::string& name : *names) {
      if (tensors.find(name)) continue;
      throw Error(
          kForeignPluginConfig,
          where + " names the tensor " + py_str_repr(name) + ", which the model does not have",
          "Give the configuration of this model.");
    }
  }
}

NodeRef replace_subgraph(Model& model, const TensorLookup& tensors, const std::string& op,
                         const PluginInstance& instance, const std::string& where) {
  Graph& graph = *model.graph;
  check_tensors(instance, tensors, where);
  graphsurgeon::Layer layer{.op = op};
  for (const std::string& name : instance.inputs) layer.inputs.emplace_back(tensors.find(name));
  const auto outputs = outputs_of(graph, tensors, instance, where);
  for (const TensorRef& output : outputs) layer.outputs.emplace_back(output);
  for (const auto& [name, value] : instance.attributes) {
    layer.attrs.push_back(
        {name, attribute_value(value, where + ": the attribute " + py_str_repr(name))});
  }
  for (const TensorRef& output : outputs) detach_producers(graph, *output);
  graph.layer(layer);
  return graph.nodes().back();
}

void tidy_replaced(Model& model) {
  graphsurgeon::cleanup(model);
  graphsurgeon::toposort(model);
}

}  // namespace polygraphy
