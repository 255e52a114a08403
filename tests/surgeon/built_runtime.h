// Common part of the tests of this folder: the built runtime, models from text, arrays.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/arrays/array.h"
#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/recording_log.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/runtimes/backend/plugin_host.h"

namespace polygraphy {

// The built plugins, and the libraries that set-up brought.
inline PluginPaths built_paths() {
  PluginPaths paths;
  paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
  paths.bundled = {PG_BINARY_DIR "/lib/polygraphy/engines"};
  return paths;
}

// The program of worker processes.
inline std::string built_program() {
  return PG_BINARY_DIR "/bin/polygraphy";
}

// "float32 (2, 3) [1. 2. 3.]"
inline std::string describe(const Array& array) {
  return std::string(name_of(array.dtype())) + " " + py_tuple_repr(array.shape()) + " " +
         numpy_str(array, {});
}

// Runs `body`, which must throw Error; its message.
inline std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Interrupted&) {
    return "interrupted";
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace polygraphy
