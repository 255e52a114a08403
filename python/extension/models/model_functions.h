// The functions of `_native` for whole models, encoded or in files.
#pragma once

#include "python_api.h"

namespace native {

extern PyMethodDef model_functions[];  // ends with an empty entry

}  // namespace native
