// Parts of generated Python: where a run's inputs come from, and what is logged.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/codegen/python_text.h"
#include "polygraphy/codegen/run_script.h"

namespace polygraphy {

// Python text that gives the inputs, for an assignment; empty: the runners' default. Not for
// inputs of a script's function.
std::string data_loader_text(const RunScript::Inputs& inputs, PythonImports& imports);

// Assignments to attributes of G_LOGGER, without its name: "colors = False".
std::vector<std::string> logger_lines(const RunScript::Logging& logging);

}  // namespace polygraphy
