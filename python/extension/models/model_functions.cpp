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
#include "python_api.h"

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

PyObject* infer_shapes(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *data = nullptr, *log = nullptr;
    if (PyArg_ParseTuple(args, "O|O", &data, &log) == 0) throw PythonError();
    Model model = given_model(data);
    Logger logger = logger_of(log);
    graphsurgeon::infer_shapes(model, {}, logger);
    return encoded_model(model);
  });
}

PyObject* extract_subgraph(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *data = nullptr, *inputs = nullptr, *outputs = nullptr;
    if (PyArg_ParseTuple(args, "OOO", &data, &inputs, &outputs) == 0) throw PythonError();
    Model model = given_model(data);
    graphsurgeon::extract(model, tensors_named(model, inputs), tensors_named(model, outputs));
    return encoded_model(model);
  });
}

PyObject* convert_to_fp16(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *data = nullptr, *log = nullptr;
    if (PyArg_ParseTuple(args, "O|O", &data, &log) == 0) throw PythonError();
    Model model = given_model(data);
    Logger logger = logger_of(log);
    polygraphy::make_float16(model, logger);
    return encoded_model(model);
  });
}

PyObject* fold_model(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *data = nullptr, *passes = nullptr, *threshold = nullptr, *folders = nullptr;
    PyObject *on_pass = nullptr, *log = nullptr;
    int infer = 0, shapes = 0, error_ok = 0, keep_defaults = 0;
    const char *partitioning = nullptr, *tree = nullptr;
    if (PyArg_ParseTuple(args, "OOpzppOpsOOO", &data, &passes, &infer, &partitioning, &shapes,
                         &error_ok, &threshold, &keep_defaults, &tree, &folders, &on_pass,
                         &log) == 0) {
      throw PythonError();
    }
    Model model = given_model(data);
    Logger logger = logger_of(log);
    polygraphy::OnnxrtEvaluator evaluator(plugin_paths(tree, folders), logger);
    graphsurgeon::FoldPassesOptions options;
    options.fold.fold_shapes = shapes != 0;
    options.fold.infer_shapes = infer != 0;
    options.fold.partitioning = partitioning_named(partitioning);
    options.fold.error_ok = error_ok != 0;
    options.fold.size_threshold = optional_int(threshold);
    options.fold.max_growth = std::nullopt;
    options.fold.keep_input_defaults = keep_defaults != 0;
    options.fold.evaluator = &evaluator;
    if (const auto most = optional_int(passes)) options.max_passes = *most;
    const auto tell = [on_pass](int64_t number, PyRef before, PyRef after) {
      PyRef::take(PyObject_CallFunction(on_pass, "LOO", static_cast<long long>(number),
                                        before.get(), after.get()));
    };
    options.on_start = [&](int64_t number) { tell(number, none(), none()); };
    options.on_end = [&](const graphsurgeon::FoldPass& pass) {
      tell(pass.number, to_python(static_cast<int64_t>(pass.nodes_before)),
           to_python(static_cast<int64_t>(pass.nodes_after)));
    };
    const auto folded = graphsurgeon::fold_to_fixed_point(model, options, logger);
    if (const size_t count = folded.taken_defaults.size(); count != 0) {
      logger.info(polygraphy::log_modules::kOnnxLoader,
                  "Took the initializers of " + std::to_string(count) +
                      (count == 1 ? " input" : " inputs") +
                      " for constants; keep_input_defaults=True does not");
    }
    const PyRef failure = folded.failure ? to_python(*folded.failure) : none();
    return PyRef::take(Py_BuildValue("(NO)", encoded_model(model).release(), failure.get()));
  });
}

PyObject* load_model(PyObject*, PyObject* args) {
  return guarded([&] {
    const char *path = nullptr, *folder = nullptr;
    if (PyArg_ParseTuple(args, "s|z", &path, &folder) == 0) throw PythonError();
    Model model;
    {
      const WithoutGil released;
      model = graphsurgeon::load_model(path, {.external_data_dir = folder ? folder : ""});
      bring_in(model, graphsurgeon::Payload::Kind::kExternal);
    }
    return encoded_model(model);
  });
}

PyObject* save_model(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject* data = nullptr;
    const char *path = nullptr, *external = nullptr;
    long long threshold = 0;
    int one_file = 1;
    if (PyArg_ParseTuple(args, "OszLp", &data, &path, &external, &threshold, &one_file) == 0) {
      throw PythonError();
    }
    const Model model = given_model(data);
    graphsurgeon::SaveOptions options;
    if (external) options.external_data = external;
    options.external_data_threshold = threshold;
    options.one_file = one_file != 0;
    try {
      const WithoutGil released;
      graphsurgeon::save_model(model, path, options);
    } catch (const polygraphy::IoError& error) {
      raise(PyExc_OSError,
            error.hint().empty() ? error.what() : error.what() + ("\n" + error.hint()));
    }
    return none();
  });
}

}  // namespace

PyMethodDef model_functions[] = {
    {"infer_shapes", infer_shapes, METH_VARARGS,
     "infer_shapes(model, log=None): an encoded model with inferred types and shapes. log: called "
     "with severity, module and text of messages."},
    {"extract_subgraph", extract_subgraph, METH_VARARGS,
     "extract_subgraph(model, inputs, outputs): the part of an encoded model between tensors."},
    {"convert_to_fp16", convert_to_fp16, METH_VARARGS,
     "convert_to_fp16(model, log=None): an encoded model that computes in float16."},
    {"fold_model", fold_model, METH_VARARGS,
     "fold_model(model, num_passes, do_shape_inference, partitioning, fold_shapes, error_ok, "
     "size_threshold, keep_input_defaults, tree, folders, on_pass, log): an encoded model with "
     "folded constants, pass by pass until nothing is left to fold, and the text of the error that "
     "ended the last one, or None. on_pass: called with the number of the pass and None, None "
     "before it; then with the number, and the numbers of nodes before and after it."},
    {"load_model", load_model, METH_VARARGS,
     "load_model(path, external_data_dir=None): the encoded model in a file, with the values of "
     "its data files."},
    {"save_model", save_model, METH_VARARGS,
     "save_model(model, path, external_data, size_threshold, one_file): writes an encoded model, "
     "atomically. external_data: the name of the file for values of size_threshold bytes and more "
     "('': a default name), or None for values in the model."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace native
