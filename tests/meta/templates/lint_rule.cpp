// A rule that finds nothing.
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

void check(const LintSubject&, std::vector<Finding>&) {}

}  // namespace

extern constinit const LintRule lint_rule_meta_probe = {
    .name = "meta-probe", .summary = "nothing at all", .order = 999, .check = check};

}  // namespace polygraphy
