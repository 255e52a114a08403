// A run as a Python script for the original's package: `polygraphy run --gen-script`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"

namespace polygraphy {

struct RunScriptOptions {
  std::string made_by = {};                   // a command, for the head of the script
  std::vector<std::string> load_inputs = {};  // files; empty: generated inputs
  std::optional<int64_t> seed = {}, iterations = {};
  Metadata input_shapes = {};
};

// Python source text that runs the model on the runners and compares their outputs as `comparison`
// says, with the files that it saves and loads. Paths are written unchanged. Throws Error: the
// original lacks a runner, an option of one, or a metric; options of TensorRT and TensorFlow.
std::string run_script(const ModelSource& model, const std::vector<RunnerSpec>& runners,
                       const CompareOptions& comparison, const RunScriptOptions& options,
                       Logger& log);

}  // namespace polygraphy
