#include "polygraphy/runtimes/backend/default_evaluator.h"

#include "polygraphy/runtimes/backend/onnxrt_evaluator.h"

namespace polygraphy {

std::unique_ptr<graphsurgeon::Evaluator> default_evaluator(Logger& log, const std::string& tree) {
  return std::make_unique<OnnxrtEvaluator>(paths_of_tree(tree), log);
}

}  // namespace polygraphy
