// The model and back end of a worker, as fields of a message.
#pragma once

#include <cassert>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/log.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"
#include "polygraphy/runtimes/backend/session_options.h"
#include "polygraphy/runtimes/worker/worker_message.h"

namespace polygraphy {

// All members: one that is added and forgotten here does not compile.
inline auto fields_of(PluginPaths& paths) {
  auto& [plugin_dirs, site_packages, bundled, library_env, python] = paths;
  return std::tie(plugin_dirs, site_packages, bundled, library_env, python);
}

struct WorkerRequest {
  std::string runner = {};   // its name; empty: nothing is run
  std::string backend = {};  // "onnxrt"
  ModelSource model = {};
  SessionOptions options = {};
  std::string library = {};
  PluginPaths paths = {};
  std::vector<std::pair<std::string, Severity>> thresholds = {};  // of our logger
  // Whether it may request batches of SessionOptions::calibration, which stays where it is.
  bool calibrates = false;

  // All members of all structs: one that is added and forgotten here does not compile.
  auto fields() {
    auto& [runner_, backend_, model_, options_, library_, paths_, thresholds_, calibrates_] = *this;
    auto& [path, in_memory, format, data_dir, ignore_data, outputs, exclude, by_type, shapes,
           float16, also, tidy, inline_refused, tensorflow] = model_;
    static_cast<void>(tensorflow);  // the model has the form that the back end reads
    assert(!in_memory && "a process of its own is given a file");
    auto& [typed, profile, single_run, verbatim, inputs, calibration] = options_;
    static_cast<void>(calibration);
    return std::tuple_cat(std::tie(runner_, backend_, path, format, data_dir, ignore_data, outputs,
                                   exclude, by_type, shapes, float16, also, tidy, inline_refused,
                                   typed, profile, single_run, verbatim, inputs, library_),
                          fields_of(paths_), std::tie(thresholds_, calibrates_));
  }
};

// The kinds of error that a process reports.
enum class WorkerError : uint32_t {
  kError,
  kRunnerFailure,
  kOptionError,
  kUnavailable,
  kInterrupted
};

}  // namespace polygraphy
