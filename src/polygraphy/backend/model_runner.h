// A runner of a model that is made when it is needed, rather than read from a file.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/backend/plugin_host.h"

namespace polygraphy {

// make_runner(), but each activation calls `load` for the model; nothing of a ModelSource applies.
// `host`, `backend` and `log` must outlive the runner.
std::unique_ptr<Runner> make_model_runner(PluginHost& host, const pgb_backend_options& backend,
                                          std::function<graphsurgeon::Model()> load,
                                          SessionOptions options, const std::string& library,
                                          Logger& log);

}  // namespace polygraphy
