// Encoded models in parts: their structure, and the large values beside it.
#pragma once

#include "python_api.h"

namespace native {

// split_model(path, least) and join_model(model, values).
extern PyMethodDef model_part_functions[];

}  // namespace native
