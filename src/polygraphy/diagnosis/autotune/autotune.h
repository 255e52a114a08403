// `plugin autotune`: which replacements by plugins make a model faster.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/diagnosis/autotune/report_text.h"
#include "polygraphy/diagnosis/autotune/search.h"
#include "polygraphy/diagnosis/autotune/side_by_side.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/models/plugin_patterns/replace_plugins.h"
#include "polygraphy/models/plugin_patterns/replacement_config.h"

namespace polygraphy {

// A configuration without instances: there is nothing to try.
inline constexpr ErrorCode kNothingToReplace{"nothing-to-replace"};
// No replacement makes the model faster.
inline constexpr ErrorCode kNothingFaster{"nothing-faster"};

enum class AutotuneMode {
  kGreedy,      // search_greedy()
  kExhaustive,  // search_subsets()
};

struct AutotuneJob {
  ReplaceOptions replace;
  ReplacementConfig config;
  std::string config_name;  // for messages
  std::string model_name;   // the same
  PythonMaker python;       // as for replace_plugins()
  MeasureOptions measure;
  AutotuneMode mode = AutotuneMode::kGreedy;
  SubsetLimits limits = {};  // of kExhaustive
  OnnxSaving output = {};
  std::string report = {}, typed_report = {};  // a text file, and as messages call it; empty: none
};

struct AutotuneResult {
  bool interrupted = false;  // the model that was saved is the best until then
  AutotuneReport report = {};
};

// Measures the unmodified model, then candidates, each beside the best before it, and saves the
// best and a report of it. INFO: a line for each candidate. WARNING: a candidate that cannot be
// made or run, and is not kept. At the end the best and the unmodified model are measured side by
// side, and a best model that is not faster then is not saved. Models are loaded two at a time.
// Throws Error: no instances, instances of another model, an unmodified model that cannot be run,
// no faster model; Interrupted, if no candidate was faster until then.
AutotuneResult autotune(const AutotuneJob& job, RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
