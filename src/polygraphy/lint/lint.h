// `check lint`: what is wrong with a model, and where.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/inputs/feed_source.h"
#include "polygraphy/lint/lint_engine.h"
#include "polygraphy/lint/report.h"
#include "polygraphy/lint/rule.h"

namespace polygraphy {

// Which rules are at work: those named in `only` (empty: all that give no mere advice, or all of
// them with `advice`) without those in `skip`.
struct LintOptions {
  std::vector<std::string> only = {}, skip = {};
  bool advice = false;
};

// The rules that are selected, in the order of reports. Throws Error for a name that no rule has.
std::vector<const LintRule*> selected_rules(const LintOptions& options);

struct LintResult {
  LintReport report;
  bool passed = false;  // what the exit code says
};

// Findings of all rules; every one is said through `log`. Where the onnx checker is content, the
// model is run as a whole; where that fails, or the checker is not content, node by node, so that
// every node that fails by itself is named with its reason. `load` gives the model; what it throws
// because the file is no model is a finding. O(model), and a session per node in the second case.
//
// Throws Error: a file that cannot be read, options that the engine refuses, inputs that do not
// fit.
LintResult lint(const std::string& path, const std::function<graphsurgeon::Model()>& load,
                const LintOptions& options, LintEngine& engine, FeedSource& feeds, Logger& log);

}  // namespace polygraphy
