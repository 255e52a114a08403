#include "cli/locate/noise_runner.h"

#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/session_runner.h"

namespace polygraphy::cli {

std::function<std::shared_ptr<Runner>(const ModelSource&)> NoiseRunner::maker() {
  host_ = std::make_unique<PluginHost>(bundled_only(resolve_plugin_paths(env_)), log_);
  host_->cancel_on(cancel_token(env_));
  const pgb_backend_options& onnxrt = *host_->catalog().get("onnxrt").options;
  return [this, &onnxrt](const ModelSource& source) {
    return make_named_runner("noise", *host_, onnxrt, source, bundled_options(), {}, log_);
  };
}

}  // namespace polygraphy::cli
