// The functions of `_native` for whole models, encoded or in files.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/near_names.h"
#include "graphsurgeon/fold/fold_passes.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/tensor_map.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/extract.h"
#include "models/evaluator_options.h"
#include "models/given_model.h"
#include "models/python_log.h"
#include "polygraphy/models/loaders/prepare_model.h"
#include "python_functions.h"
#include "python_values.h"

namespace native {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Payload;
using graphsurgeon::TensorRef;
using polygraphy::Logger;

std::vector<TensorRef> tensors_named(const Model& model, PyObject* names) {
  const auto by_name = model.graph->tensor_map();
  std::vector<TensorRef> tensors;
  for_each(names, [&](PyObject* item) {
    const std::string_view name = text_of(item);
    const auto found = by_name.find(name);
    if (found == by_name.end()) {
      std::vector<std::string_view> known;
      for (const auto& entry : by_name) known.push_back(entry.first);
      std::sort(known.begin(), known.end());
      throw polygraphy::Error("The model has no tensor '" + std::string(name) + "'.",
                              polygraphy::did_you_mean(name, known));
    }
    tensors.emplace_back(found->second);
  });
  return tensors;
}

PyRef infer_shapes(PyObject*, PyObject* data, Optional<PyObject*> log) {
  Model model = given_model(data);
  Logger logger = logger_of(log.given);
  graphsurgeon::infer_shapes(model, {}, logger);
  return encoded_model(model);
}

PyRef extract_subgraph(PyObject*, PyObject* data, PyObject* inputs, PyObject* outputs) {
  Model model = given_model(data);
  graphsurgeon::extract(model, tensors_named(model, inputs), tensors_named(model, outputs));
  return encoded_model(model);
}

PyRef convert_to_fp16(PyObject*, PyObject* data, Optional<PyObject*> log) {
  Model model = given_model(data);
  Logger logger = logger_of(log.given);
  polygraphy::make_float16(model, logger);
  return encoded_model(model);
}

PyRef fold_model(PyObject*, PyObject* data, std::optional<int64_t> passes, bool infer,
                 TextOrNone partitioning, bool shapes, bool error_ok,
                 std::optional<int64_t> threshold, bool keep_defaults, const char* tree,
                 PyObject* folders, PyObject* on_pass, PyObject* log) {
  Model model = given_model(data);
  Logger logger = logger_of(log);
  polygraphy::OnnxrtEvaluator evaluator(plugin_paths(tree, folders), logger);
  graphsurgeon::FoldPassesOptions options;
  options.fold.fold_shapes = shapes;
  options.fold.infer_shapes = infer;
  options.fold.partitioning = partitioning_named(partitioning.text);
  options.fold.error_ok = error_ok;
  options.fold.size_threshold = threshold;
  options.fold.max_growth = std::nullopt;
  options.fold.keep_input_defaults = keep_defaults;
  options.fold.evaluator = &evaluator;
  if (passes) options.max_passes = *passes;
  options.on_start = [&](int64_t number) { call(on_pass, number, none(), none()); };
  options.on_end = [&](const graphsurgeon::FoldPass& pass) {
    call(on_pass, pass.number, pass.nodes_before, pass.nodes_after);
  };
  const auto folded = graphsurgeon::fold_to_fixed_point(model, options, logger);
  if (const size_t count = folded.taken_defaults.size(); count != 0) {
    logger.info(polygraphy::log_modules::kOnnxLoader,
                "Took the initializers of " + std::to_string(count) +
                    (count == 1 ? " input" : " inputs") +
                    " for constants; keep_input_defaults=True does not");
  }
  return tuple(encoded_model(model), folded.failure);
}

PyRef load_model(PyObject*, const char* path, Optional<TextOrNone> folder) {
  return encoded_model(without_gil([&] {
    Model model = graphsurgeon::load_model(
        path, {.external_data_dir = folder.given.text ? folder.given.text : ""});
    bring_in(model, graphsurgeon::Payload::Kind::kExternal);
    return model;
  }));
}

PyRef save_model(PyObject*, PyObject* data, const char* path, TextOrNone external,
                 int64_t threshold, bool one_file) {
  const Model model = given_model(data);
  graphsurgeon::SaveOptions options;
  if (external.text) options.external_data = external.text;
  options.external_data_threshold = threshold;
  options.one_file = one_file;
  try {
    const WithoutGil released;
    graphsurgeon::save_model(model, path, options);
  } catch (const polygraphy::IoError& error) {
    raise(PyExc_OSError,
          error.hint().empty() ? error.what() : error.what() + ("\n" + error.hint()));
  }
  return none();
}

}  // namespace

PyMethodDef model_functions[] = {
    {"infer_shapes", entry<infer_shapes>, form<infer_shapes>,
     "infer_shapes(model, log=None): an encoded model with inferred types and shapes. log: called "
     "with severity, module and text of messages."},
    {"extract_subgraph", entry<extract_subgraph>, form<extract_subgraph>,
     "extract_subgraph(model, inputs, outputs): the part of an encoded model between tensors."},
    {"convert_to_fp16", entry<convert_to_fp16>, form<convert_to_fp16>,
     "convert_to_fp16(model, log=None): an encoded model that computes in float16."},
    {"fold_model", entry<fold_model>, form<fold_model>,
     "fold_model(model, num_passes, do_shape_inference, partitioning, fold_shapes, error_ok, "
     "size_threshold, keep_input_defaults, tree, folders, on_pass, log): an encoded model with "
     "folded constants, pass by pass until nothing is left to fold, and the text of the error that "
     "ended the last one, or None. on_pass: called with the number of the pass and None, None "
     "before it; then with the number, and the numbers of nodes before and after it."},
    {"load_model", entry<load_model>, form<load_model>,
     "load_model(path, external_data_dir=None): the encoded model in a file, with the values of "
     "its data files."},
    {"save_model", entry<save_model>, form<save_model>,
     "save_model(model, path, external_data, size_threshold, one_file): writes an encoded model, "
     "atomically. external_data: the name of the file for values of size_threshold bytes and more "
     "('': a default name), or None for values in the model."},
    {}};

}  // namespace native
