// Limits of a back end, which prepared models must respect.
#pragma once

#include <memory>
#include <utility>

#include "polygraphy/models/loaders/prepare_model.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {

// Asks the instance when a model calls for it. `options`: how the model is going to be loaded.
inline BackendLimits limits_of(std::shared_ptr<BackendInstance> instance, SessionOptions options) {
  return {[instance, options = std::move(options)] { return instance->capabilities(options); },
          [instance] { return instance->info().max_ir_version; },
          [instance] { return instance->info().max_opset; }};
}

}  // namespace polygraphy
