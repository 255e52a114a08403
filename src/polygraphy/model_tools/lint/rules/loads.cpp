// The file is a model, and one with nodes: lint.cpp finds out, before all rules.
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {

extern constinit const LintRule lint_rule_loads = {
    .name = "loads",
    .summary = "the file is an ONNX model with nodes (always checked)",
    .order = 0,
    .original = true,
};

}  // namespace polygraphy
