// Methods of `_native.Model` that are jobs: loading, changing, saving.
#pragma once

#include "python_api.h"

namespace native {

extern PyMethodDef model_methods[];

}  // namespace native
