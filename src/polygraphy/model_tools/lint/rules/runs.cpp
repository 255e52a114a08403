// Errors of ONNX Runtime when it runs the model, as a whole or node by node; lint.cpp implements
// it.
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {

extern constinit const LintRule lint_rule_runs = {
    .name = "runs",
    .summary = "ONNX Runtime loads and runs the model, or else each node alone",
    .order = kRuns,
    .original = true,
};

}  // namespace polygraphy
