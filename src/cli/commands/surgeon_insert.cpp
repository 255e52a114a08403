// `polygraphy surgeon insert`.
#include <tuple>
#include <utility>

#include "base/text.h"
#include "cli/args/logging.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/surgery.h"
#include "cli/syntax/command.h"
#include "cli/syntax/value_parsing.h"
#include "graphsurgeon/passes/insert_node.h"
#include "graphsurgeon/passes/tensor_lookup.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::AttributeType;
using graphsurgeon::Model;
using graphsurgeon::NodeToInsert;
using graphsurgeon::Store;
using graphsurgeon::Tensor;
using graphsurgeon::TensorLookup;
using graphsurgeon::TensorRef;

constexpr std::string_view kModule = "tools/surgeon/subtool/insert.py";

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_onnx_saving, kSavingOptions},
};

constexpr Option kOptions[] = {
    {.spellings = "--inputs",
     .help = "The inputs of the new node, in the order of the operator.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME",
     .required = true},
    {.spellings = "--outputs",
     .help = "The outputs of the new node; it replaces their former producers. A tensor that is "
             "also an input: the node is inserted between it and its consumers.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME",
     .required = true},
    {.spellings = "--op", .help = "The operator of the new node.", .required = true},
    {.spellings = "--name", .help = "The name of the new node. Default: none."},
    {.spellings = "--attrs",
     .help = "Attributes of the new node: numbers, texts, and lists of them, such as axis=1 "
             "mode=constant pads=[0,1]. Values with a decimal point are floats.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME=VALUE"},
};

using AttributeValue = decltype(Attribute::value);

// Lists hold what their first item is; integers among floats are floats.
std::pair<AttributeType, AttributeValue> list_value(std::string_view name,
                                                    const std::vector<Value>& items, Store& store) {
  std::vector<int64_t> integers;
  std::vector<float> floats;
  std::vector<std::string_view> texts;
  for (const Value& item : items) {
    if (const auto* integer = std::get_if<int64_t>(&item.data)) integers.push_back(*integer);
    if (item.is_number()) floats.push_back(static_cast<float>(item.number()));
    if (const auto* text = std::get_if<std::string>(&item.data)) texts.push_back(store.keep(*text));
  }
  if (integers.size() == items.size()) return {AttributeType::kInts, std::move(integers)};
  if (floats.size() == items.size()) return {AttributeType::kFloats, std::move(floats)};
  if (texts.size() == items.size()) return {AttributeType::kStrings, std::move(texts)};
  throw Error(
      "The attribute " + std::string(name) +
          " must be a list of numbers or a list of texts, but holds both: " + Value{items}.repr(),
      "Quote a number that is meant as a text: --attrs \"" + std::string(name) + "=['1',a]\".");
}

std::pair<AttributeType, AttributeValue> attribute_value(std::string_view name, const Value& value,
                                                         Store& store) {
  if (const auto* integer = std::get_if<int64_t>(&value.data)) {
    return {AttributeType::kInt, *integer};
  }
  if (const auto* number = std::get_if<double>(&value.data)) {
    return {AttributeType::kFloat, static_cast<float>(*number)};
  }
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    return {AttributeType::kString, store.keep(*text)};
  }
  return list_value(name, std::get<std::vector<Value>>(value.data), store);
}

Attribute parse_attribute(const std::string& token, Store& store) {
  const size_t sign = token.rfind('=');
  if (sign == std::string::npos || sign == 0) {
    throw Error("Could not understand the attribute '" + token + "'.",
                "Attributes are written as NAME=VALUE, such as axis=1 or pads=[0,1].");
  }
  Attribute attribute;
  attribute.name = store.intern(token.substr(0, sign));
  const Value value = cast_value(std::string_view(token).substr(sign + 1));
  std::tie(attribute.type, attribute.value) = attribute_value(attribute.name, value, store);
  return attribute;
}

std::string names_of(const graphsurgeon::TensorList& tensors) {
  std::vector<std::string> names;
  for (const auto* tensor : tensors) names.emplace_back(tensor->name());
  return join(std::span<const std::string>(names), ", ");
}

int run(Session& session) {
  const ParsedArgs& args = session.args();
  Surgery surgery(session);
  Model& model = surgery.load();
  NodeToInsert wanted;
  wanted.op = *args.text("--op");
  wanted.name = args.text("--name").value_or("");
  const TensorLookup tensors(*model.graph);
  for (const std::string& name : args.list("--inputs")) {
    // An empty name stands for an input that is left out.
    wanted.inputs.push_back(name.empty() ? Tensor::empty(model.graph->store())
                                         : TensorRef(&tensors.get(name)));
  }
  for (const std::string& name : args.list("--outputs")) {
    wanted.outputs.emplace_back(&tensors.get(name));
  }
  for (const std::string& token : args.list("--attrs")) {
    wanted.attributes.push_back(parse_attribute(token, model.graph->store()));
  }
  const auto node = graphsurgeon::insert_node(model, wanted);
  session.log().verbose(kModule, "Generated new node: " + std::string(node->name()) + " (" +
                                     std::string(node->op()) +
                                     ")\nInputs: " + names_of(node->inputs()) +
                                     "\nOutputs: " + names_of(node->outputs()));
  return surgery.save();
}

}  // namespace

extern const Command command_surgeon_insert;
constinit const Command command_surgeon_insert = {
    .path = "surgeon insert",
    .summary = "Insert a node, in place of the nodes between given tensors.",
    .description =
        "Insert one node into a model. It replaces the nodes between its inputs and outputs; nodes "
        "and weights that are no longer needed are removed.",
    .order = 2,
    .groups = kGroups,
    .options = kOptions,
    .run = run,
};

}  // namespace polygraphy::cli
