// Functions of the module that are jobs, but no methods of models: one file each.
#pragma once

#include "python_values.h"

namespace native {

// running.cpp: (model, runners, options, inputs, places) -> [(outputs, seconds, runner)].
PyObject* run_model(PyObject*, PyObject* args);
// comparing.cpp: (model, runners, options, inputs, places) and (results, options) ->
// (passed, text, comparisons, invalid outputs).
PyObject* compare_model(PyObject*, PyObject* args);
PyObject* compare_results(PyObject*, PyObject* args);
// The same of (model, results, options, inputs, places): of results of the model, by its noise.
PyObject* compare_results_by_noise(PyObject*, PyObject* args);
// linting.cpp: (model, options, inputs, places) -> (passed, findings).
PyObject* lint_model(PyObject*, PyObject* args);
// differing.cpp: (model, model, options) -> (equal, text, JSON).
PyObject* diff_models(PyObject*, PyObject* args);
// reducing.cpp: (model, check, options, inputs, places) -> Model.
PyObject* reduce_model(PyObject*, PyObject* args);
// locating.cpp: (model, sides, options, inputs, places) -> (clean, text, JSON). A side is a runner,
// or a list of results.
PyObject* locate_nodes(PyObject*, PyObject* args);
// zoo.cpp: (models, runners, options, places) -> (passed, text, JSON, JSON of times).
PyObject* run_zoo(PyObject*, PyObject* args);
// sensitivity.cpp: (model, runners, options, inputs, places) -> (passed, text, JSON, JSON of
// exclusions).
PyObject* find_sensitivity(PyObject*, PyObject* args);
// consistency.cpp: (model, runners, options, inputs, places) -> (consistent, text, JSON).
PyObject* check_consistency(PyObject*, PyObject* args);
// benchmarking.cpp: (model, runners, options, inputs, places) -> (passed, text, JSON).
PyObject* benchmark_model(PyObject*, PyObject* args);
// engines.cpp: (model, runners, options, inputs, places) -> None, and a dict of the fields of
// Capability.
PyObject* build_engine(PyObject*, PyObject* args);
PyObject* find_capability(PyObject*, PyObject* args);
// describing.cpp: (model, runners, options, inputs, places) -> dicts of the fields of
// NetworkDescription and EngineDescription.
PyObject* describe_network(PyObject*, PyObject* args);
PyObject* describe_engine(PyObject*, PyObject* args);
// precision.cpp: (model, check, options, inputs, places) -> a dict of the fields of
// PrecisionReport.
PyObject* find_precision(PyObject*, PyObject* args);
// plugins.cpp: (model, options, places) -> a dict of the fields of PluginConfig, and Model.
PyObject* match_plugins(PyObject*, PyObject* args);
PyObject* replace_plugins(PyObject*, PyObject* args);
// scripting.cpp: (path, runners, options, places) -> the text of a script.
PyObject* run_script(PyObject*, PyObject* args);
// autotuning.cpp: (model, config, options, inputs, places) -> a dict of the fields of
// AutotuneReport.
PyObject* autotune_plugins(PyObject*, PyObject* args);
// tables.cpp: () -> [(number, name, ONNX's name, NumPy's name, kind, bits)].
PyObject* data_types(PyObject*, PyObject*);
// tables.cpp: (name) -> [dict of the fields of pgb_option_spec].
PyObject* option_table(PyObject*, PyObject* backend);
// backend_list.cpp: (places) -> [fields of BackendStatus].
PyObject* list_backends(PyObject*, PyObject* places);
// progress.cpp: () -> the last line of a terminal, or None; (line, phase, done, total or None); the
// line, hidden and shown again around messages.
PyObject* progress_line(PyObject*, PyObject*);
PyObject* report_progress(PyObject*, PyObject* args);
PyObject* hide_progress(PyObject*, PyObject* line);
PyObject* show_progress(PyObject*, PyObject* line);

extern PyMethodDef api_functions[];

}  // namespace native
