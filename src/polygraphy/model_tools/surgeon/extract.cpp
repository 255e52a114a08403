#include "polygraphy/model_tools/surgeon/extract.h"

#include <span>
#include <string_view>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "graphsurgeon/passes/extract.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "polygraphy/models/loaders/infer_model_shapes.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::TensorLookup;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;

// A tensor that becomes an input or output, with its options.
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

// Options have precedence over observed types and shapes; so does the model, unless `forced`.
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

// Returns the names of the tensors.
std::vector<std::string> report_undefined(const Model& model, Logger& log) {
  std::vector<std::string> names;
  for (const Tensor* tensor : graphsurgeon::undefined_tensors(*model.graph)) {
    names.emplace_back(tensor->name());
    std::vector<std::string> consumers;
    for (const Node* node : tensor->consumers()) {
      consumers.push_back("Node: '" + std::string(node->name()) +
                          "' (Op: " + std::string(node->op()) + ")");
    }
    log.error(log_modules::kSurgeonExtract,
              "Tensor: " + py_str_repr(tensor->name()) +
                  " is a variable tensor consumed by: " + py_list_repr(consumers) +
                  ", but is not produced by a node or marked as a graph input.\n"
                  "Did you forget to mark a tensor as a graph input? Hint: Try inspecting "
                  "the resulting model. \n"
                  "Note: The resulting model will not be valid!");
  }
  return names;
}

// Finds types and shapes that neither the options nor the model give.
void describe(const ExtractOptions& options, Model& model, std::vector<Port>& inputs,
              std::vector<Port>& outputs, Logger& log) {
  const bool forced = options.force_observation;
  if (!forced && !options.files.model.shape_inference && !undescribed(inputs, outputs).empty()) {
    log.info(log_modules::kSurgeonExtract,
             "Running shape inference to derive shapes and/or data types for `auto` arguments.\n"
             "To avoid this, you can specify the shapes and data types explicitly.");
    infer_model_shapes(model, log);
  }
  std::vector<TensorRef> asked = undescribed(inputs, outputs);
  if (forced) {
    log.info(log_modules::kSurgeonExtract,
             "Forcing fallback shape inference. This will cause dynamic dimensions to become "
             "static.");
    asked.clear();
    for (const auto* ports : {&inputs, &outputs}) {
      for (const Port& port : *ports) asked.push_back(port.tensor);
    }
  } else if (!asked.empty()) {
    log.warning(log_modules::kSurgeonExtract,
                "Some tensor shapes or dtypes are missing in the model. Note: Tensors with missing "
                "information:\n" +
                    to_text(metadata_of(asked)) +
                    "\nWill run inference to determine shapes. This may cause some dynamic "
                    "dimensions to become static.\n"
                    "To avoid this, please provide metadata on the command-line. ");
  }
  if (asked.empty()) return;
  // Only tensors that the options name have to be known: an input that stays may be one that the
  // part does not read.
  const std::vector<Port> kept;
  const auto needed = [&] {
    return undescribed(options.inputs ? inputs : kept, options.outputs ? outputs : kept);
  };
  try {
    const Metadata observed = observe_shapes(options.run, model, asked, log);
    use_observed(inputs, observed, forced);
    use_observed(outputs, observed, forced);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    if (forced || !needed().empty()) throw;
    log.warning(
        log_modules::kSurgeonExtract,
        std::string(error.what()) + "\nInputs and outputs keep the types and shapes in the model.");
  }
  const std::vector<TensorRef> missing = needed();
  if (missing.empty()) return;
  std::vector<std::string> names;
  for (const TensorRef& tensor : missing) names.emplace_back(tensor->name());
  throw Error(kTypesUnknown, "The shape or data type of these tensors is unknown: " +
                                 join(std::span<const std::string>(names), ", "));
}

}  // namespace

Extracted extract(const ExtractOptions& options, Logger& log) {
  const auto model = load_original(options.files.model, log);
  auto inputs = find_ports(options.inputs, model->graph->inputs(), *model);
  auto outputs = find_ports(options.outputs, model->graph->outputs(), *model);
  describe(options, *model, inputs, outputs, log);
  graphsurgeon::extract(*model, described(inputs), described(outputs));
  Extracted result;
  result.undefined = report_undefined(*model, log);
  save_result(*model, options.files, log);
  result.model = std::move(*model);
  return result;
}

}  // namespace polygraphy
