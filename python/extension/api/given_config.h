// Subgraphs that plugins replace, as Python gives them.
#pragma once

#include <string>

#include "polygraphy/models/plugin_patterns/replacement_config.h"
#include "python_api.h"

namespace native {

struct GivenConfig {
  // Of the path of a file, or a list of dicts with the fields of PluginMatches. Throws Error,
  // PythonError.
  explicit GivenConfig(PyObject* given);

  std::string name;  // for messages
  polygraphy::ReplacementConfig config;
};

}  // namespace native
