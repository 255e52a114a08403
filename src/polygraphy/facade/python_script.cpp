#include "polygraphy/facade/python_script.h"

#include "polygraphy/model_tools/codegen/script_runners.h"

namespace polygraphy {

std::string run_script(const ModelSource& model, const std::vector<RunnerSpec>& runners,
                       const CompareOptions& comparison, const RunScriptOptions& options,
                       Logger& log) {
  RunScript script;
  script.command_line = options.made_by;
  script.model.source = model;
  script.inputs.files = options.load_inputs;
  script.inputs.seed = options.seed;
  script.inputs.iterations = options.iterations;
  script.inputs.shapes = options.input_shapes;
  script.save_inputs = comparison.save_inputs;
  script.save_outputs = comparison.save_outputs;
  script.load_outputs = comparison.load_outputs;
  set_comparison(comparison, script);
  add_runners(runners, script);
  return to_python(script, log);
}

}  // namespace polygraphy
