// Parts of generated Python: the source of a run's inputs, and logging.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/model_tools/codegen/python_text.h"
#include "polygraphy/model_tools/codegen/run_script.h"

namespace polygraphy {

// The source of inputs. Both empty: the runners' default.
struct DataLoaderScript {
  std::string call;  // for an assignment to data_loader
  std::string use;   // of that variable: "data_loader", "data_loader()"
};
DataLoaderScript data_loader_script(const RunScript::Inputs& inputs, PythonImports& imports);

// Assignments to attributes of G_LOGGER, without its name: "colors = False".
std::vector<std::string> logger_lines(const RunScript::Logging& logging);

}  // namespace polygraphy
