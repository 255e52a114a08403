// Why a model cannot be saved.
#pragma once

#include "base/error.h"

namespace graphsurgeon {

// The model with its values is larger than a protobuf message can be.
inline constexpr polygraphy::ErrorCode kModelTooLarge{"model-too-large"};
// Data files that were to be shared lie outside of the folder of the result.
inline constexpr polygraphy::ErrorCode kSharedDataElsewhere{"shared-data-elsewhere"};

}  // namespace graphsurgeon
