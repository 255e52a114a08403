// The functions of `_native` that the package onnx_graphsurgeon calls.
#pragma once

#include "python_api.h"

namespace native {

extern PyMethodDef graph_functions[];  // ends with an empty entry

}  // namespace native
