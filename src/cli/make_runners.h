// The runners that a command line asks for.
#pragma once

#include <memory>
#include <vector>

#include "cli/args/model.h"
#include "cli/session.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/backend/runner.h"

namespace polygraphy::cli {

// Whether this is an option that stands for a runner: --onnxrt, --model-runner FILE.
bool is_runner(const Occurrence& occurrence);

// In the order in which they were given. Nothing is opened before they are activated. Throws Error:
// an engine that this version lacks, no model. `profile`: load with the option "profile", for
// Runner::node_times().
std::vector<std::unique_ptr<Runner>> make_runners(Session& session, const ModelArgs& model,
                                                  const ModelSource& source, PluginHost& host,
                                                  bool profile = false);

}  // namespace polygraphy::cli
