// What an opened engine says of itself, for those who prepare models for it.
#pragma once

#include <memory>

#include "polygraphy/backend/instance.h"
#include "polygraphy/loaders/prepare_model.h"

namespace polygraphy {

// Asks the instance when a model calls for it.
inline EngineLimits limits_of(std::shared_ptr<BackendInstance> instance) {
  return {[instance] { return instance->info().capabilities; },
          [instance] { return instance->info().max_ir_version; },
          [instance] { return instance->info().max_opset; }};
}

}  // namespace polygraphy
