#include <string>
#include <utility>

#include "api/given_comparison.h"
#include "api/given_names.h"
#include "api/given_options.h"
#include "api/given_runners.h"
#include "api/job.h"
#include "api/reporting.h"
#include "calls/api_functions.h"
#include "polygraphy/model_tools/codegen/script_runners.h"

namespace native {
namespace {

using polygraphy::RunScript;

// Saved ones, or generated ones.
RunScript::Inputs script_inputs(const Keywords& keywords) {
  RunScript::Inputs inputs;
  inputs.files = keywords.texts("inputs");
  inputs.seed = keywords.optional_integer("seed");
  inputs.iterations = keywords.optional_integer("iterations");
  inputs.shapes = metadata_of_dict(keywords.get("input_shapes"));
  for (const auto& [name, range] : ranges_of_dict(keywords.get("val_range")))
    inputs.ranges.set(name, {range.first, range.second});
  return inputs;
}

RunScript described_script(const std::string& model, PyObject* runners, const Keywords& keywords,
                           const Keywords& places) {
  const RunnerOptions given(runners, keywords, places);
  RunScript script;
  script.command_line = keywords.text("call");
  script.model.source = {.path = model,
                         .format = given.format_of(model),
                         .outputs = keywords.texts("outputs"),
                         .exclude_outputs = keywords.texts("exclude_outputs")};
  script.inputs = script_inputs(keywords);
  if (const auto names = ModelNames::of(script.model.source)) {
    for (const auto& [name, info] : script.inputs.shapes) names->check_inputs_named_by(name);
    for (const auto& [name, range] : script.inputs.ranges) {
      if (!name.empty()) names->check_inputs_named_by(name);
    }
  }
  script.use_subprocess = keywords.flag("use_subprocess");
  script.save_inputs = keywords.text("save_inputs");
  script.save_outputs = keywords.text("save_outputs");
  script.load_outputs = keywords.texts("load_outputs");
  polygraphy::CompareOptions comparison = compare_options(keywords);
  comparison.warm_up = keywords.count("warm_up");
  comparison.sequential = keywords.flag("sequential");
  polygraphy::set_comparison(comparison, script);
  for_each_item(keywords.get("postprocess"), [&](const std::string& output, PyObject* function) {
    script.postprocesses.emplace_back(output, text_of(function));
  });
  polygraphy::add_runners(given.specs, script);
  return script;
}

}  // namespace

PyObject* run_script(PyObject*, PyObject* args) {
  return reported([&] {
    PyObject *model = nullptr, *runners = nullptr, *options = nullptr, *places = nullptr;
    if (PyArg_ParseTuple(args, "OOOO", &model, &runners, &options, &places) == 0)
      throw PythonError();
    const RunScript script =
        described_script(std::string(text_of(model)), runners, Keywords(options), Keywords(places));
    const std::string text =
        in_job([&](Job& job) { return polygraphy::to_python(script, job.log()); });
    return to_python(std::string_view(text));
  });
}

}  // namespace native
