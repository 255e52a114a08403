// Arguments of the functions that fold constants.
#pragma once

#include "graphsurgeon/fold/fold.h"
#include "polygraphy/runtimes/backend/onnxrt_evaluator.h"
#include "python_api.h"

namespace native {

// None (null), "basic", "recursive". Throws PythonError for others.
graphsurgeon::Partitioning partitioning_named(const char* name);

// ONNX Runtime is looked for in `folders` (of packages), then in `tree`, which has the plugins.
polygraphy::PluginPaths plugin_paths(const char* tree, PyObject* folders);

}  // namespace native
