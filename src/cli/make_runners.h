// The runners that a command line asks for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/args/model.h"
#include "cli/session/session.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/runners.h"
#include "polygraphy/runtimes/worker/worker_runner.h"

namespace polygraphy {
class PluginHost;
}

namespace polygraphy::cli {

// Whether runners get processes of their own: --isolate and --timeout, or libraries that do not
// live together, which is said.
std::optional<Isolation> choose_isolation(Session& session);

struct RunnerSettings {
  std::optional<Isolation> isolation = {};
  std::vector<std::string> names = {};  // of those that are made; empty: new ones
  std::optional<size_t> only = {};      // of the runners, the one in this place
  bool profile = false;                 // load with this option, for Runner::node_times()
  CalibrationBatch calibration = {};    // SessionOptions::calibration
  // The back end where the command line selects no runner; empty: none.
  std::string fallback = {};
  // What its back end's options say besides those of the command line.
  std::function<void(const pgb_backend_options& backend, BackendOptions& options)> add_options = {};
};

// In the order in which they were given. Nothing is opened before they are activated. Throws Error:
// an engine that this version lacks, no model.
Runners make_runners(Session& session, const ModelArgs& model, const ModelSource& source,
                     PluginHost& host, const RunnerSettings& settings);

}  // namespace polygraphy::cli
