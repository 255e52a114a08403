// `polygraphy surgeon extract`.
#include "base/arrays/py_repr.h"
#include "base/text.h"
#include "cli/args/data_loader.h"
#include "cli/args/logging.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/surgery.h"
#include "cli/syntax/command.h"
#include "graphsurgeon/passes/extract.h"
#include "graphsurgeon/passes/tensor_lookup.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::TensorLookup;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;

constexpr std::string_view kModule = "tools/surgeon/subtool/extract.py";

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --model-input-shapes"},
    {&args_data_loader},
    {&args_onnx_shape_inference,
     "--shape-inference --force-fallback-shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_onnx_saving, kSavingOptions},
};

constexpr Option kOptions[] = {
    {.spellings = "--inputs",
     .help = "The new inputs: name, shape and type, such as conv1_out:[1,64,56,56]:float32. auto "
             "for a shape or type means that of the model, or else the inferred one. Default: the "
             "model's inputs. Without any value: none.",
     .arity = Arity::kZeroOrMore,
     .metavar = "NAME:SHAPE:TYPE"},
    {.spellings = "--outputs",
     .help = "The new outputs: name and type, such as fc_out:float32 or fc_out:auto. Default: the "
             "model's outputs.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME:TYPE"},
};

// A tensor that becomes an input or output, and what the user says about it.
struct Port {
  TensorRef tensor;
  TensorInfo given;
};

std::vector<Port> find_ports(const std::optional<Metadata>& wanted,
                             const std::vector<TensorRef>& present, const Model& model) {
  std::vector<Port> ports;
  if (!wanted) {
    for (const TensorRef& tensor : present) ports.push_back({tensor, {}});
    return ports;
  }
  const TensorLookup tensors(*model.graph);
  for (const auto& [name, info] : *wanted) ports.push_back({&tensors.get(name), info});
  return ports;
}

bool is_described(const Port& port, bool with_shape) {
  const Tensor& tensor = *port.tensor;
  if (tensor.is_constant() || tensor.type_kind() != TypeKind::kTensor) return true;
  return (port.given.dtype != DataType::kUndefined || tensor.dtype() != DataType::kUndefined) &&
         (!with_shape || port.given.shape || tensor.shape());
}

// Outputs need no shape.
std::vector<TensorRef> undescribed(const std::vector<Port>& inputs,
                                   const std::vector<Port>& outputs) {
  std::vector<TensorRef> tensors;
  for (const Port& port : inputs) {
    if (!is_described(port, true)) tensors.push_back(port.tensor);
  }
  for (const Port& port : outputs) {
    if (!is_described(port, false)) tensors.push_back(port.tensor);
  }
  return tensors;
}

Metadata metadata_of(const std::vector<TensorRef>& tensors) {
  Metadata metadata;
  for (const TensorRef& tensor : tensors) {
    metadata.set(std::string(tensor->name()), {tensor->dtype(), tensor->shape(), {}});
  }
  return metadata;
}

// What was seen counts after what the user says; also after the model, unless it is `forced`.
void use_observed(std::vector<Port>& ports, const Metadata& observed, bool forced) {
  for (Port& port : ports) {
    const TensorInfo* info = observed.find(port.tensor->name());
    if (!info || port.tensor->is_constant()) continue;
    TensorInfo& given = port.given;
    if (given.dtype == DataType::kUndefined &&
        (forced || port.tensor->dtype() == DataType::kUndefined)) {
      given.dtype = info->dtype;
    }
    if (!given.shape && (forced || !port.tensor->shape())) given.shape = info->shape;
  }
}

std::vector<TensorRef> described(const std::vector<Port>& ports) {
  std::vector<TensorRef> tensors;
  for (const Port& port : ports) {
    if (port.given.dtype != DataType::kUndefined) port.tensor->set_dtype(port.given.dtype);
    if (port.given.shape) port.tensor->set_shape(port.given.shape);
    tensors.push_back(port.tensor);
  }
  return tensors;
}

void report_undefined(const Model& model, Logger& log) {
  for (const Tensor* tensor : graphsurgeon::undefined_tensors(*model.graph)) {
    std::vector<std::string> consumers;
    for (const Node* node : tensor->consumers()) {
      consumers.push_back("Node: '" + std::string(node->name()) +
                          "' (Op: " + std::string(node->op()) + ")");
    }
    log.error(kModule, "Tensor: " + py_str_repr(tensor->name()) +
                           " is a variable tensor consumed by: " + py_list_repr(consumers) +
                           ", but is not produced by a node or marked as a graph input.\n"
                           "Did you forget to mark a tensor as a graph input? Hint: Try inspecting "
                           "the resulting model. \n"
                           "Note: The resulting model will not be valid!");
  }
}

std::optional<Metadata> parse_ports(const ParsedArgs& args, std::string_view key, bool with_shape) {
  if (!args.has(key)) return std::nullopt;
  return parse_metadata(args.list(key), {.shape = with_shape, .dtype = true});
}

// Finds types and shapes for the tensors of which neither user nor model tell them.
void describe(Session& session, Surgery& surgery, Model& model, std::vector<Port>& inputs,
              std::vector<Port>& outputs) {
  Logger& log = session.log();
  const bool forced = session.args().has("--force-fallback-shape-inference");
  if (!forced && !surgery.source().shape_inference && !undescribed(inputs, outputs).empty()) {
    log.info(kModule,
             "Running shape inference to derive shapes and/or data types for `auto` arguments.\n"
             "To avoid this, you can specify the shapes and data types explicitly.");
    infer_model_shapes(model, log);
  }
  std::vector<TensorRef> asked = undescribed(inputs, outputs);
  if (forced) {
    log.info(kModule,
             "Forcing fallback shape inference. This will cause dynamic dimensions to become "
             "static.");
    asked.clear();
    for (const auto* ports : {&inputs, &outputs}) {
      for (const Port& port : *ports) asked.push_back(port.tensor);
    }
  } else if (!asked.empty()) {
    log.warning(kModule,
                "Some tensor shapes or dtypes are missing in the model. Note: Tensors with missing "
                "information:\n" +
                    to_text(metadata_of(asked)) +
                    "\nWill run inference to determine shapes. This may cause some dynamic "
                    "dimensions to become static.\n"
                    "To avoid this, please provide metadata on the command-line. ");
  }
  if (asked.empty()) return;
  const Metadata observed = observe_model(session, model, surgery.model_args().shapes, asked, log);
  use_observed(inputs, observed, forced);
  use_observed(outputs, observed, forced);
  const std::vector<TensorRef> missing = undescribed(inputs, outputs);
  if (missing.empty()) return;
  std::vector<std::string> names;
  for (const TensorRef& tensor : missing) names.emplace_back(tensor->name());
  throw Error("The shape or data type of these tensors is not known: " +
                  join(std::span<const std::string>(names), ", "),
              "Give them: --inputs NAME:SHAPE:TYPE, --outputs NAME:TYPE.");
}

int run(Session& session) {
  const ParsedArgs& args = session.args();
  const auto wanted_inputs = parse_ports(args, "--inputs", true);
  const auto wanted_outputs = parse_ports(args, "--outputs", false);
  Surgery surgery(session);
  session.announce();
  Model& model = surgery.load();
  auto inputs = find_ports(wanted_inputs, model.graph->inputs(), model);
  auto outputs = find_ports(wanted_outputs, model.graph->outputs(), model);

  describe(session, surgery, model, inputs, outputs);
  graphsurgeon::extract(model, described(inputs), described(outputs));
  report_undefined(model, session.log());
  return surgery.save();
}

}  // namespace

extern const Command command_surgeon_extract;
constinit const Command command_surgeon_extract = {
    .path = "surgeon extract",
    .summary = "Cut out the part of a model between given tensors.",
    .description =
        "Write the part of a model between the given inputs and outputs, with its weights.",
    .order = 0,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run,
};

}  // namespace polygraphy::cli
