#include "graphsurgeon/ir/make.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/access.h"

namespace graphsurgeon {

namespace {

// The IR version that the onnx package had when it introduced an opset (onnx.helper.VERSION_TABLE).
int64_t ir_version_for(int64_t opset) {
  if (opset >= 28) return 14;
  if (opset >= 25) return 13;
  if (opset == 24) return 12;
  if (opset == 23) return 11;
  return 10;
}

void warn_of_count(polygraphy::Logger* logger, const Function& function, const char* what,
                   size_t expected, size_t given) {
  if (!logger || expected == given) return;
  logger->warning(polygraphy::log_modules::kFunction, "Function " + std::string(function.name()) +
                                                          " expects " + std::to_string(expected) +
                                                          ' ' + what + ", but was called with " +
                                                          std::to_string(given) + ' ' + what + '.');
}

}  // namespace

Model make_model(const ModelOptions& options) {
  Model model;
  model.graph = Graph::create(*Store::create(), options.name);
  if (!options.doc_string.empty()) model.graph->set_doc_string(options.doc_string);
  model.opset_imports.push_back({"", options.opset, {}});
  model.ir_version = options.ir_version ? options.ir_version : ir_version_for(options.opset);
  model.producer_name = options.producer_name;
  model.producer_version = options.producer_version;
  return model;
}

GraphRef make_subgraph(Graph& outer, std::string_view name) {
  return Graph::create(outer.store(), name);
}

FunctionRef make_function(Model& model, const FunctionOptions& options) {
  for (const FunctionRef& known : model.functions) {
    if (known->name() == options.name && known->domain() == options.domain) {
      throw polygraphy::Error("the model already has a function '" + std::string(options.name) +
                              "' of domain '" + std::string(options.domain) + "'");
    }
  }
  Store& store = model.graph->store();
  FunctionRef function = Function::create(store, options.name, options.domain);
  if (!options.doc_string.empty()) function->set_doc_string(options.doc_string);
  function->opset_imports.push_back(
      {"", options.opset.value_or(model.opset().value_or(kDefaultOpset)), {}});
  for (const NamedArg& attr : options.attrs) {
    if (attr.value.omitted()) {
      function->required_attributes.push_back(store.intern(attr.name));
    } else {
      function->default_attributes.push_back(make_attribute(store, attr.name, attr.value));
    }
  }
  model.functions.push_back(function);
  return function;
}

TensorList& call_function(Graph& graph, const Function& function, Layer layer,
                          polygraphy::Logger* logger) {
  warn_of_count(logger, function, "inputs", function.inputs().size(), layer.inputs.size());
  std::vector<size_t> made;  // positions of outputs that are made here
  if (layer.outputs.empty()) {
    for (const TensorRef& output : function.outputs()) {
      made.push_back(layer.outputs.size());
      layer.outputs.emplace_back(output->name());
    }
  } else if (layer.outputs.size() != function.outputs().size()) {
    warn_of_count(logger, function, "outputs", function.outputs().size(), layer.outputs.size());
  } else {
    for (size_t i = 0; i < layer.outputs.size(); ++i) {
      if (std::holds_alternative<std::string>(layer.outputs[i].value())) made.push_back(i);
    }
  }
  if (logger && !layer.attrs.empty()) {
    for (const std::string_view required : function.required_attributes) {
      const bool given = std::any_of(layer.attrs.begin(), layer.attrs.end(),
                                     [&](const NamedArg& attr) { return attr.name == required; });
      if (given) continue;
      logger->warning(polygraphy::log_modules::kFunction,
                      "Function " + std::string(function.name()) +
                          " called without required attribute: " + std::string(required));
    }
  }
  layer.op = function.name();
  layer.domain = function.domain();
  TensorList& outputs = graph.layer(layer);
  for (const size_t i : made) {
    const Tensor& of_function = *function.outputs()[i];
    if (of_function.dtype() != DataType::kUndefined) outputs[i]->set_dtype(of_function.dtype());
    if (auto shape = of_function.shape()) outputs[i]->set_shape(std::move(shape));
  }
  return outputs;
}

}  // namespace graphsurgeon
