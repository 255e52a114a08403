#include "api/model_methods.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/given_options.h"
#include "api/job.h"
#include "api/keywords.h"
#include "api/model_object.h"
#include "api/reporting.h"
#include "arrays/buffer_array.h"
#include "graphs/graph_import.h"
#include "graphs/untouched_graph.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/toposort.h"
#include "models/given_model.h"
#include "polygraphy/model_tools/surgeon/extract.h"
#include "polygraphy/model_tools/surgeon/sanitize.h"
#include "polygraphy/models/loaders/infer_model_shapes.h"
#include "polygraphy/models/loaders/prepare_model.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/runtimes/backend/onnxrt_evaluator.h"

namespace native {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Payload;
using polygraphy::ModelSource;

PyObject* load(PyObject*, PyObject* args) {
  return reported([&] {
    const char *path = nullptr, *folder = nullptr;
    int ignore = 0;
    if (PyArg_ParseTuple(args, "ssp", &path, &folder, &ignore) == 0) throw PythonError();
    std::optional<Model> model;
    {
      const WithoutGil released;
      model = graphsurgeon::load_model(
          path, {.external_data_dir = folder, .ignore_external_data = ignore != 0});
    }
    return model_object(std::move(*model));
  });
}

PyObject* from_bytes(PyObject*, PyObject* args) {
  return reported([&] {
    PyObject* data = nullptr;
    const char* folder = nullptr;
    if (PyArg_ParseTuple(args, "Os", &data, &folder) == 0) throw PythonError();
    return model_object(given_model(data, folder));
  });
}

// Has `change` done to the model by a job.
template <typename Change>
PyRef changed_by_job(PyObject* object, Change change) {
  const ModelInUse model(object);
  Job job;
  try {
    job.run([&] { change(*model, job); });
  } catch (...) {
    model.changed();
    throw;
  }
  model.changed();
  return none();
}

PyObject* fold(PyObject* object, PyObject* args) {
  return reported([&] {
    PyObject *options = nullptr, *places = nullptr;
    if (PyArg_ParseTuple(args, "OO", &options, &places) == 0) throw PythonError();
    const Keywords keywords(options);
    polygraphy::FoldModelOptions folding = fold_options(keywords);
    folding.fold.error_ok = keywords.flag("error_ok");
    const polygraphy::PluginPaths paths = plugin_paths(Keywords(places));
    return changed_by_job(object, [&](Model& model, Job& job) {
      polygraphy::OnnxrtEvaluator evaluator(paths, job.log(), job.cancel());
      folding.fold.evaluator = &evaluator;
      folding.fold.cancel = job.cancel();
      polygraphy::fold_model(model, folding, job.log());
    });
  });
}

PyObject* cleanup(PyObject* object, PyObject* args) {
  return reported([&] {
    int outputs = 0, inputs = 0;
    if (PyArg_ParseTuple(args, "pp", &outputs, &inputs) == 0) throw PythonError();
    return changed_by_job(object, [&](Model& model, Job&) {
      graphsurgeon::cleanup(model, {.remove_unused_node_outputs = outputs != 0,
                                    .remove_unused_graph_inputs = inputs != 0});
    });
  });
}

PyObject* toposort(PyObject* object, PyObject*) {
  return reported([&] {
    return changed_by_job(object, [](Model& model, Job&) { graphsurgeon::toposort(model); });
  });
}

PyObject* infer_shapes(PyObject* object, PyObject*) {
  return reported([&] {
    return changed_by_job(
        object, [](Model& model, Job& job) { polygraphy::infer_model_shapes(model, job.log()); });
  });
}

PyObject* to_fp16(PyObject* object, PyObject*) {
  return reported([&] {
    return changed_by_job(object, [](Model& model, Job& job) {
      polygraphy::make_float16(model, job.log());
      bring_in(model, Payload::Kind::kComputed);  // which logs
    });
  });
}

polygraphy::ObservedRun observed_run(const polygraphy::PluginPaths& paths,
                                     const GivenInputs& inputs, Job& job) {
  polygraphy::ObservedRun run;
  run.plugins = paths;
  run.cancel = job.cancel();
  run.feeds = [&](const Model& model, polygraphy::Logger&) {
    return inputs.open(job, {.path = "the model in memory", .model = &model});
  };
  return run;
}

const char* verdict_name(polygraphy::Verification verdict) {
  switch (verdict) {
    case polygraphy::Verification::kSame:
      return "same";
    case polygraphy::Verification::kNotRun:
      return "not run";
    case polygraphy::Verification::kInputKept:
      return "input kept";
  }
  return "";
}

PyRef verification_of(const polygraphy::Sanitized& result) {
  PyRef list = PyRef::take(PyList_New(0));
  for (const polygraphy::RolledBack& each : result.rolled_back) {
    const PyRef one =
        PyRef::take(Py_BuildValue("(NNNNN)", to_python(std::string_view(each.rule)).release(),
                                  to_python(std::string_view(each.op)).release(),
                                  to_python(std::string_view(each.node)).release(),
                                  to_python(std::string_view(each.output)).release(),
                                  to_python(std::string_view(each.difference)).release()));
    check(PyList_Append(list.get(), one.get()));
  }
  const PyRef verdict =
      result.verdict ? to_python(std::string_view(verdict_name(*result.verdict))) : none();
  return PyRef::take(Py_BuildValue("(OO)", verdict.get(), list.get()));
}

PyObject* sanitize(PyObject* object, PyObject* args) {
  return reported([&] {
    PyObject *given = nullptr, *data = nullptr, *places = nullptr;
    if (PyArg_ParseTuple(args, "OOO", &given, &data, &places) == 0) throw PythonError();
    const Keywords keywords(given);
    const GivenInputs inputs{Keywords(data)};
    const polygraphy::PluginPaths paths = plugin_paths(Keywords(places));
    const ModelInUse model(object);
    polygraphy::SanitizeOptions options;
    ModelSource& source = options.files.model;
    source.path = "the model in memory";
    source.model = &*model;
    inputs.check_names(source);
    source.outputs = keywords.texts("outputs");
    source.exclude_outputs = keywords.texts("exclude_outputs");
    source.outputs_by_type = keywords.texts("outputs_by_type");
    source.float16 = keywords.flag("fp_to_fp16");
    source.shape_inference = keywords.flag("shape_inference");
    for_each_item(keywords.get("upper_bounds"), [&](const std::string& name, PyObject* bound) {
      options.upper_bounds.set(name, to_int64(bound));
    });
    options.input_shapes = metadata_of_dict(keywords.get("input_shapes"));
    options.observe_shapes = keywords.flag("observe_shapes");
    options.cleanup = keywords.flag("cleanup");
    options.toposort = keywords.flag("toposort");
    if (keywords.flag("fold_constants")) options.fold = fold_options(keywords);
    if (keywords.flag("verify")) options.verify = {inputs.generated(source), inputs.files()};
    polygraphy::Sanitized result = in_job([&](Job& job) {
      options.run = observed_run(paths, inputs, job);
      options.cancel = job.cancel();
      polygraphy::Sanitized sanitized = polygraphy::sanitize(options, job.log());
      bring_in(sanitized.model, Payload::Kind::kComputed);  // which logs
      return sanitized;
    });
    *model = std::move(result.model);
    model.changed();
    return verification_of(result);
  });
}

PyObject* extract(PyObject* object, PyObject* args) {
  return reported([&] {
    PyObject *given = nullptr, *data = nullptr, *places = nullptr;
    if (PyArg_ParseTuple(args, "OOO", &given, &data, &places) == 0) throw PythonError();
    const Keywords keywords(given);
    const GivenInputs inputs{Keywords(data)};
    const polygraphy::PluginPaths paths = plugin_paths(Keywords(places));
    const ModelInUse model(object);
    polygraphy::ExtractOptions options;
    options.files.model = {.path = "the model in memory", .model = &*model};
    inputs.check_names(options.files.model);
    if (!keywords.is_none("inputs")) options.inputs = metadata_of_dict(keywords.get("inputs"));
    if (!keywords.is_none("outputs")) options.outputs = metadata_of_dict(keywords.get("outputs"));
    options.force_observation = keywords.flag("force_fallback_shape_inference");
    polygraphy::Extracted result = in_job([&](Job& job) {
      options.run = observed_run(paths, inputs, job);
      return polygraphy::extract(options, job.log());
    });
    return model_object(std::move(result.model));
  });
}

PyObject* copy(PyObject* object, PyObject*) {
  return reported([&] {
    const ModelInUse model(object);
    std::optional<Model> copied;
    {
      const WithoutGil released;
      copied = graphsurgeon::copy(*model);
    }
    return model_object(std::move(*copied));
  });
}

PyObject* save(PyObject* object, PyObject* args) {
  return reported([&] {
    PyObject* given = nullptr;
    const char* path = nullptr;
    if (PyArg_ParseTuple(args, "sO", &path, &given) == 0) throw PythonError();
    const Keywords keywords(given);
    polygraphy::OnnxSaving saving{.path = path};
    saving.options.external_data = keywords.optional_text("external_data");
    saving.options.external_data_threshold = keywords.integer("size_threshold");
    saving.options.one_file = keywords.flag("one_file");
    saving.options.share_external_data = keywords.flag("share_external_data");
    const ModelInUse model(object);
    do_in_job([&](Job& job) { polygraphy::save_onnx(*model, saving, job.log()); });
    return none();
  });
}

PyObject* to_bytes_of_model(PyObject* object, PyObject*) {
  return reported([&] {
    const ModelInUse model(object);
    std::string bytes;
    {
      const WithoutGil released;
      const auto& source = model->graph->store().source();
      if (source && !source->has_external_data) {
        bytes = graphsurgeon::encode_model(*model);
      } else {
        Model whole = graphsurgeon::copy(*model);
        bring_in(whole, Payload::Kind::kExternal);
        bytes = graphsurgeon::encode_model(whole);
      }
    }
    return to_bytes(bytes);
  });
}

PyObject* to_graph(PyObject* object, PyObject*) {
  return reported([&] {
    const ModelInUse model(object);
    std::optional<Model> copied;
    {
      const WithoutGil released;
      copied = graphsurgeon::copy(*model);
    }
    if (!is_plain(*copied)) return GraphImport(*copied).run();
    make_plain(*copied);
    return untouched_graph(std::move(*copied));
  });
}

}  // namespace

PyMethodDef model_methods[] = {
    {"load", load, METH_VARARGS | METH_STATIC,
     "load(path, external_data_dir, ignore_external_data): the model in a file, which is mapped."},
    {"from_bytes", from_bytes, METH_VARARGS | METH_STATIC,
     "from_bytes(data, external_data_dir): an encoded model; bytes are kept, others copied."},
    {"fold", fold, METH_VARARGS, "fold(options, places)"},
    {"cleanup", cleanup, METH_VARARGS,
     "cleanup(remove_unused_node_outputs, remove_unused_graph_inputs)"},
    {"toposort", toposort, METH_NOARGS, "Sorts the nodes."},
    {"infer_shapes", infer_shapes, METH_NOARGS, "Infers types and shapes."},
    {"to_fp16", to_fp16, METH_NOARGS, "Makes float tensors float16."},
    {"sanitize", sanitize, METH_VARARGS,
     "sanitize(options, inputs, places): the verdict of a verification, and the reverted "
     "rewrites."},
    {"extract", extract, METH_VARARGS, "extract(options, inputs, places): a new Model."},
    {"copy", copy, METH_NOARGS, "A copy that shares the weights."},
    {"save", save, METH_VARARGS, "save(path, options)"},
    {"to_bytes", to_bytes_of_model, METH_NOARGS, "The encoded model with all of its values."},
    {"to_graph", to_graph, METH_NOARGS, "An onnx_graphsurgeon.Graph."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace native
