#include "calls/api_functions.h"

namespace native {

PyMethodDef api_functions[] = {
    {"run_model", run_model, METH_VARARGS,
     "run_model(model, runners, options, inputs, places): (outputs, seconds, runner) of each "
     "iteration."},
    {"compare_model", compare_model, METH_VARARGS,
     "compare_model(model, runners, options, inputs, places): (passed, text, comparisons, invalid "
     "outputs)."},
    {"compare_results", compare_results, METH_VARARGS,
     "compare_results(results, options): the same of results that there are."},
    {"compare_results_by_noise", compare_results_by_noise, METH_VARARGS,
     "compare_results_by_noise(model, results, options, inputs, places): the same, by the noise of "
     "the model."},
    {"lint_model", lint_model, METH_VARARGS,
     "lint_model(model, options, inputs, places): (passed, findings)."},
    {"diff_models", diff_models, METH_VARARGS, "diff_models(a, b, options): (equal, text, JSON)."},
    {"reduce_model", reduce_model, METH_VARARGS,
     "reduce_model(model, check, options, inputs, places): the smallest Model that fails."},
    {"locate_nodes", locate_nodes, METH_VARARGS,
     "locate_nodes(model, sides, options, inputs, places): (clean, text, JSON)."},
    {"find_sensitivity", find_sensitivity, METH_VARARGS,
     "find_sensitivity(model, runners, options, inputs, places): (passed, text, JSON, JSON of "
     "exclusions)."},
    {"check_consistency", check_consistency, METH_VARARGS,
     "check_consistency(model, runners, options, inputs, places): (consistent, text, JSON)."},
    {"run_zoo", run_zoo, METH_VARARGS,
     "run_zoo(models, runners, options, places): (passed, text, JSON, JSON of times)."},
    {"benchmark_model", benchmark_model, METH_VARARGS,
     "benchmark_model(model, runners, options, inputs, places): (passed, text, JSON)."},
    {"build_engine", build_engine, METH_VARARGS,
     "build_engine(model, runners, options, inputs, places): writes options['path']."},
    {"find_capability", find_capability, METH_VARARGS,
     "find_capability(model, runners, options, inputs, places): a dict."},
    {"describe_network", describe_network, METH_VARARGS,
     "describe_network(model, runners, options, inputs, places): a dict."},
    {"describe_engine", describe_engine, METH_VARARGS,
     "describe_engine(model, runners, options, inputs, places): a dict."},
    {"find_precision", find_precision, METH_VARARGS,
     "find_precision(model, check, options, inputs, places): a dict."},
    {"match_plugins", match_plugins, METH_VARARGS,
     "match_plugins(model, options, places): a dict."},
    {"replace_plugins", replace_plugins, METH_VARARGS,
     "replace_plugins(model, options, places): a new Model."},
    {"run_script", run_script, METH_VARARGS,
     "run_script(path, runners, options, places): the text of a script."},
    {"autotune_plugins", autotune_plugins, METH_VARARGS,
     "autotune_plugins(model, config, options, inputs, places): a dict."},
    {"data_types", data_types, METH_NOARGS,
     "data_types(): number in ONNX, name, ONNX's name, NumPy's name, kind and bits of each element "
     "type."},
    {"option_table", option_table, METH_O,
     "option_table(backend): its options, one dict for each; [] for an unknown back end."},
    {"backends", list_backends, METH_O, "The state of each back end."},
    {"progress_line", progress_line, METH_NOARGS,
     "progress_line(): the last line of standard error; None unless that is a terminal."},
    {"report_progress", report_progress, METH_VARARGS,
     "report_progress(line, phase, done, total): shows it, at most ten times a second."},
    {"hide_progress", hide_progress, METH_O, "hide_progress(line): before a message."},
    {"show_progress", show_progress, METH_O, "show_progress(line): behind it."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace native
