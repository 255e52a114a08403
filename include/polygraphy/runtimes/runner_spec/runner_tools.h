// The tools of this machine for making runners, engines and checks of models.
#pragma once

#include <memory>
#include <string>

#include "base/cancel.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy {

class UserPython;

struct RunnerTools {
  PluginPaths paths = {};
  // The executable polygraphy: its child processes run code that may crash:
  // "<tree>/bin/polygraphy". Empty: nothing can be isolated.
  std::string program = {};
  // The user's interpreter, for scripts and for models of TensorFlow. Null: Python is missing.
  std::shared_ptr<UserPython> python = {};
  // Loads and inferences throw Interrupted once it is cancelled. Its flag outlives the runners.
  CancelToken cancel = {};
  // Names that runners get have no date and time: results of a job are the same each time.
  bool names_without_time = false;
};

}  // namespace polygraphy
