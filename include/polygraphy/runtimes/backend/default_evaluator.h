// Folding with ONNX Runtime, for programs that link the libraries and have no command line.
#pragma once

#include <memory>
#include <string>

#include "base/log.h"
#include "graphsurgeon/fold/evaluator.h"

namespace polygraphy {

// Runs regions on the ONNX Runtime of `tree`: an installed or built tree, with
// lib/polygraphy/backends and lib/polygraphy/engines in it. `log` must outlive the evaluator. The
// first evaluation opens the library; it throws Error if ONNX Runtime is missing, with the package
// to install.
#ifdef POLYGRAPHY_TREE  // the tree of this header, set by CMake
std::unique_ptr<graphsurgeon::Evaluator> default_evaluator(
    Logger& log, const std::string& tree = POLYGRAPHY_TREE);
#else
std::unique_ptr<graphsurgeon::Evaluator> default_evaluator(Logger& log, const std::string& tree);
#endif

}  // namespace polygraphy
