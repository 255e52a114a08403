// Methods of `_native.Model` that are jobs: loading, changing, saving.
#include <memory>
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
#include "python_functions.h"

namespace native {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Payload;
using polygraphy::ModelSource;

PyRef load(PyObject*, const char* path, const char* folder, bool ignore) {
  return model_object(without_gil([&] {
    return graphsurgeon::load_model(path,
                                    {.external_data_dir = folder, .ignore_external_data = ignore});
  }));
}

PyRef from_bytes(PyObject*, PyObject* data, const char* folder) {
  return model_object(given_model(data, folder));
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

PyRef fold(PyObject* object, PyObject* options, PyObject* places) {
  const Keywords keywords(options);
  polygraphy::FoldModelOptions folding = fold_options(keywords);
  folding.fold.error_ok = keywords.flag("error_ok");
  const polygraphy::PluginPaths paths = plugin_paths(Keywords(places));
  return changed_by_job(object, [&](Model& model, Job& job) {
    polygraphy::OnnxrtEvaluator evaluator(
        paths, job.log(), job.cancel(),
        polygraphy::OnnxrtEvaluator::limits_with(folding.fold.memory_limit));
    folding.fold.evaluator = &evaluator;
    folding.fold.cancel = job.cancel();
    polygraphy::fold_model(model, folding, job.log());
  });
}

PyRef cleanup(PyObject* object, bool outputs, bool inputs) {
  return changed_by_job(object, [&](Model& model, Job&) {
    graphsurgeon::cleanup(
        model, {.remove_unused_node_outputs = outputs, .remove_unused_graph_inputs = inputs});
  });
}

PyRef toposort(PyObject* object) {
  return changed_by_job(object, [](Model& model, Job&) { graphsurgeon::toposort(model); });
}

PyRef infer_shapes(PyObject* object) {
  return changed_by_job(
      object, [](Model& model, Job& job) { polygraphy::infer_model_shapes(model, job.log()); });
}

PyRef to_fp16(PyObject* object) {
  return changed_by_job(object, [](Model& model, Job& job) {
    polygraphy::make_float16(model, job.log());
    bring_in(model, Payload::Kind::kComputed);  // which logs
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
  return tuple(result.verdict ? to_python(verdict_name(*result.verdict)) : none(),
               list_of(result.rolled_back, [](const polygraphy::RolledBack& each) {
                 return tuple(each.rule, each.op, each.node, each.output, each.difference);
               }));
}

PyRef sanitize(PyObject* object, PyObject* given, PyObject* data, PyObject* places) {
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
}

PyRef extract(PyObject* object, PyObject* given, PyObject* data, PyObject* places) {
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
}

PyRef copy(PyObject* object) {
  const ModelInUse model(object);
  return model_object(without_gil([&] { return graphsurgeon::copy(*model); }));
}

PyRef save(PyObject* object, const char* path, PyObject* given) {
  const Keywords keywords(given);
  polygraphy::OnnxSaving saving{.path = path};
  saving.options.external_data = keywords.optional_text("external_data");
  saving.options.external_data_threshold = keywords.integer("size_threshold");
  saving.options.one_file = keywords.flag("one_file");
  saving.options.share_external_data = keywords.flag("share_external_data");
  const ModelInUse model(object);
  do_in_job([&](Job& job) { polygraphy::save_onnx(*model, saving, job.log()); });
  return none();
}

PyRef to_bytes_of_model(PyObject* object) {
  const ModelInUse model(object);
  return to_bytes(without_gil([&] {
    const auto& source = model->graph->store().source();
    if (source && !source->has_external_data) return graphsurgeon::encode_model(*model);
    Model whole = graphsurgeon::copy(*model);
    bring_in(whole, Payload::Kind::kExternal);
    return graphsurgeon::encode_model(whole);
  }));
}

PyRef to_graph(PyObject* object) {
  const ModelInUse model(object);
  Model copied = without_gil([&] { return graphsurgeon::copy(*model); });
  if (!is_plain(copied)) return GraphImport(copied).run();
  make_plain(copied);
  return untouched_graph(std::move(copied));
}

}  // namespace

PyMethodDef model_methods[] = {
    {"load", entry<load, reported>, form<load> | METH_STATIC,
     "load(path, external_data_dir, ignore_external_data): the model in a file, which is mapped."},
    {"from_bytes", entry<from_bytes, reported>, form<from_bytes> | METH_STATIC,
     "from_bytes(data, external_data_dir): an encoded model; bytes are kept, others copied."},
    {"fold", entry<fold, reported>, form<fold>, "fold(options, places)"},
    {"cleanup", entry<cleanup, reported>, form<cleanup>,
     "cleanup(remove_unused_node_outputs, remove_unused_graph_inputs)"},
    {"toposort", entry<toposort, reported>, form<toposort>, "Sorts the nodes."},
    {"infer_shapes", entry<infer_shapes, reported>, form<infer_shapes>, "Infers types and shapes."},
    {"to_fp16", entry<to_fp16, reported>, form<to_fp16>, "Makes float tensors float16."},
    {"sanitize", entry<sanitize, reported>, form<sanitize>,
     "sanitize(options, inputs, places): the verdict of a verification, and the reverted "
     "rewrites."},
    {"extract", entry<extract, reported>, form<extract>,
     "extract(options, inputs, places): a new Model."},
    {"copy", entry<copy, reported>, form<copy>, "A copy that shares the weights."},
    {"save", entry<save, reported>, form<save>, "save(path, options)"},
    {"to_bytes", entry<to_bytes_of_model, reported>, form<to_bytes_of_model>,
     "The encoded model with all of its values."},
    {"to_graph", entry<to_graph, reported>, form<to_graph>, "An onnx_graphsurgeon.Graph."},
    {}};

}  // namespace native
