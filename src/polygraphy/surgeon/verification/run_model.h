// One run of a loaded model on data that may have been made for another form of it.
#pragma once

#include "base/arrays/tensor_map.h"
#include "polygraphy/backend/instance.h"

namespace polygraphy {

// Gives the session what it has inputs for; the rest of `feed` is left out. Throws Error, also when
// an input is not fed.
TensorMap run_model(BackendSession& session, const TensorMap& feed);

}  // namespace polygraphy
