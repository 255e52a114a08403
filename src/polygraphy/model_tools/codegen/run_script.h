// `run --gen-script`: a run as Python that does the same with the original's package.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/model_tools/codegen/onnx_loaders.h"
#include "polygraphy/model_tools/codegen/trt_loaders.h"

namespace polygraphy {

// Something that the original's package has not.
inline constexpr ErrorCode kNotInOriginal{"not-in-original"};
// Runners without a model.
inline constexpr ErrorCode kScriptWithoutModel{"script-without-model"};

// The contents of the script. Paths are written unchanged.
struct RunScript {
  std::string command_line;  // the command that made the script, for its head

  struct Runner {
    enum class Kind : uint8_t { kOnnxRuntime, kPluginReference, kTensorRt, kTensorFlow };
    Kind kind = Kind::kOnnxRuntime;
    std::vector<std::string> providers = {};    // of ONNX Runtime, as these two
    std::string graph_optimization_level = {};  // "ORT_ENABLE_ALL"; empty: the runtime's own
  };
  OnnxLoaderOptions model;
  std::vector<Runner> runners;
  TrtScript trt;  // of the runners of TensorRT

  struct Logging {
    bool silent = false;  // errors that end the script only; severities do not count
    std::vector<std::pair<std::string, Severity>> severities =
        {};  // by module path; "": the others
    bool colors = true, timestamps = false, line_info = false;
    std::optional<std::string> file = {};
  };
  Logging logging;

  // Where inputs come from: a script's function, or else files of saved ones, or else generated.
  struct Inputs {
    std::optional<ScriptSymbol> script = {};
    std::vector<std::string> files = {};
    std::optional<int64_t> seed = {}, iterations = {};
    Metadata shapes = {};
    PerOutput<std::pair<GivenNumber, GivenNumber>> ranges = {};  // by input
    bool torch = false;                                          // torch's random numbers
  };
  Inputs inputs;

  bool sequential = false;
  bool use_subprocess = false;
  int64_t warm_up = 0;
  std::string save_inputs, save_outputs, save_input_blobs;  // empty: not saved
  std::vector<std::string> load_outputs;                    // runs that were saved, to be compared

  std::optional<ScriptSymbol> postprocess_script;  // takes the place of `postprocesses`
  std::vector<std::pair<std::string, std::string>> postprocesses;  // by output: "top-5,axis=1"

  bool validate = false;
  std::optional<ScriptSymbol> compare_script;  // takes the place of `metrics`
  std::vector<const Metric*> metrics;
  MetricOptions metric_options;
  bool fail_fast = false, check_average = false;
  std::string save_accuracy_results;  // empty: not saved
};

// Python source text. Warns of a script without runners. Throws Error: metrics and post-processings
// that the original lacks (kNotInOriginal), runners without a model (kScriptWithoutModel), a runner
// of TensorFlow without a model of TensorFlow.
std::string to_python(const RunScript& script, Logger& log);

// Writes a script that can be run as a program; INFO. `typed`: the path as the user has it, for
// messages. Throws IoError.
void save_script(const std::string& text, const std::string& path, const std::string& typed,
                 Logger& log);

}  // namespace polygraphy
