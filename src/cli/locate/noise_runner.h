// What noise of formats is computed with: the embedded runtime, which computes every operator as it
// stands.
#pragma once

#include <functional>
#include <memory>

#include "base/log.h"
#include "cli/session/environment.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy::cli {

class NoiseRunner {
 public:
  // Both outlive it, and it the runners.
  NoiseRunner(Environment& env, Logger& log) : env_(env), log_(log) {}

  // Opens the runtime. Throws Error where it is not there.
  std::function<std::shared_ptr<Runner>(const ModelSource&)> maker();

 private:
  Environment& env_;
  Logger& log_;
  std::unique_ptr<PluginHost> host_;
};

}  // namespace polygraphy::cli
