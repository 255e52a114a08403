// `run --gen-script`: the command line as a Python script.
#pragma once

#include "cli/args/model.h"
#include "cli/args/onnx_saving.h"
#include "cli/session/session.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/compare/comparator.h"

namespace polygraphy::cli {

// What `run` has understood, as far as a script needs it.
struct ScriptInputs {
  const ModelArgs& model;
  const ModelSource& source;
  const OnnxSaving& saving;
  const CompareOptions& options;
};

// Writes the script where --gen-script says and returns the exit code. Throws Error for options
// that the original lacks, naming them.
int write_run_script(Session& session, const ScriptInputs& inputs);

}  // namespace polygraphy::cli
