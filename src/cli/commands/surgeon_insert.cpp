// `polygraphy surgeon insert`.
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/surgeon_command.h"
#include "cli/syntax/command.h"
#include "cli/syntax/value_parsing.h"
#include "polygraphy/model_tools/surgeon/insert.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::Arg;

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_onnx_saving, kSavingOptions},
};

constexpr Option kOptions[] = {
    {.spellings = "--inputs",
     .help = "Inputs of the new node, in the order of the operator.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME",
     .required = true},
    {.spellings = "--outputs",
     .help = "Outputs of the new node, which replaces their producers. If a tensor is also an "
             "input, the node is inserted between it and its consumers.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME",
     .required = true},
    {.spellings = "--op", .help = "Operator of the new node.", .required = true},
    {.spellings = "--name", .help = "Name of the new node. Default: none."},
    {.spellings = "--attrs",
     .help = "Attributes of the new node: numbers, texts, and lists of them, such as axis=1 "
             "mode=constant pads=[0,1]. Values with a decimal point are floats.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME=VALUE"},
};

// Lists hold what their first item is; integers among floats are floats.
Arg list_value(const std::string& name, const std::vector<Value>& items) {
  std::vector<int64_t> integers;
  std::vector<double> floats;
  std::vector<std::string> texts;
  for (const Value& item : items) {
    if (const auto* integer = std::get_if<int64_t>(&item.data)) integers.push_back(*integer);
    if (item.is_number()) floats.push_back(item.number());
    if (const auto* text = std::get_if<std::string>(&item.data)) texts.push_back(*text);
  }
  if (integers.size() == items.size()) return integers;
  if (floats.size() == items.size()) return floats;
  if (texts.size() == items.size()) return texts;
  throw Error(
      "The attribute " + name +
          " must be a list of numbers or a list of texts, but holds both: " + Value{items}.repr(),
      "Quote a number that is meant as a text: --attrs \"" + name + "=['1',a]\".");
}

Arg attribute_value(const std::string& name, const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value.data)) return *integer;
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  return list_value(name, std::get<std::vector<Value>>(value.data));
}

std::pair<std::string, Arg> parse_attribute(const std::string& token) {
  const size_t sign = token.rfind('=');
  if (sign == std::string::npos || sign == 0) {
    throw Error("Could not understand the attribute '" + token + "'.",
                "Attributes are written as NAME=VALUE, such as axis=1 or pads=[0,1].");
  }
  const std::string name = token.substr(0, sign);
  return {name, attribute_value(name, cast_value(std::string_view(token).substr(sign + 1)))};
}

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  InsertOptions options;
  options.files = resolve_surgery(session);
  options.op = *args.text("--op");
  options.name = args.text("--name").value_or("");
  options.inputs = args.list("--inputs");
  options.outputs = args.list("--outputs");
  for (const std::string& token : args.list("--attrs")) {
    options.attributes.push_back(parse_attribute(token));
  }
  return finish(session, insert(options, session.log()));
}

}  // namespace

extern constinit const Command command_surgeon_insert = {
    .path = "surgeon insert",
    .summary = "Insert a node, in place of the nodes between given tensors.",
    .description =
        "Insert one node into a model. It replaces the nodes between its inputs and outputs; nodes "
        "and weights that are no longer needed are removed.",
    .examples =
        "polygraphy surgeon insert model.onnx -o new.onnx --inputs x --outputs y --op Identity\n"
        "polygraphy surgeon insert model.onnx -o new.onnx --inputs x --outputs y --op Clip --name "
        "c",
    .order = 2,
    .groups = kGroups,
    .options = kOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
