// `run --gen-script`: a command line as Python that runs with the original's package and does the
// same.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "polygraphy/codegen/onnx_loaders.h"
#include "polygraphy/codegen/python_text.h"
#include "polygraphy/python/user_python.h"

namespace polygraphy {

// What the script does. Texts called `…_text` are Python already.
struct RunScript {
  std::string version, command_line;  // for the head

  struct Runner {
    bool plugin_reference = false;              // --pluginref; else --onnxrt
    std::vector<std::string> providers = {};    // --onnxrt
    std::string graph_optimization_level = {};  // --onnxrt
  };
  OnnxLoaderOptions model;
  std::vector<Runner> runners;

  std::vector<std::string> logger_lines;  // assignments to attributes of G_LOGGER

  // Where inputs come from: a call, a script's function, or nothing: the runners' default.
  std::optional<PythonCall> data_loader;
  std::vector<std::string> data_loader_imports;  // from polygraphy.comparator
  bool input_metadata = false;                   // the call uses TensorMetadata
  std::optional<ScriptSymbol> data_loader_script;

  bool sequential = false;
  bool use_subprocess = false;
  int64_t warm_up = 0;
  std::string save_inputs, save_outputs, save_input_blobs;
  std::vector<std::string> load_outputs;

  std::string postprocess_text;  // dict of TopKPostprocessFunc
  std::optional<ScriptSymbol> postprocess_script;

  bool validate = false;
  struct Comparison {
    std::string variable, name;  // "l2_compare_func", "L2CompareFunc"; no name: the default
    PythonCall call{""};
  };
  std::vector<Comparison> comparisons;
  std::optional<ScriptSymbol> compare_script;
  bool fail_fast = false, check_average = false;
  std::string save_accuracy_results;
};

std::string to_python(const RunScript& script);

}  // namespace polygraphy
