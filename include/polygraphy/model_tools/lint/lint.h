// `check lint`: what is wrong with a model, and where.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/model_tools/lint/report.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

struct LintOptions {
  // Which rules are applied: those named in `only` (empty: all that give no mere advice, or all of
  // them with `advice`) without those in `skip`.
  std::vector<std::string> only = {}, skip = {};
  bool advice = false;
  // The ONNX Runtime that set-up brought runs the model, with the session's options (providers,
  // graph_optimization_level).
  RunnerSpec runner = {.backend = "onnxrt", .bundled = true};
  // Without a program the model runs in this process, and one that crashes the runtime ends it.
  RunnerTools tools = {};
};

// Names of the rules that are applied, in the order of reports. Valid for the life of the process.
// Throws Error for a name that no rule has.
std::vector<std::string_view> applied_rules(const LintOptions& options);

struct LintResult {
  LintReport report;
  bool passed = false;  // what the exit code says
  // The runtime's process ended over the model, and over no node of it: what reduces it finds why.
  bool crashed_only_whole = false;
};

// Findings of all rules; each is logged. Where the onnx checker accepts the
// model, it is run as a whole; where that fails, or the checker complains, node by node, so that
// every node that fails or crashes by itself is named with its reason. `load` gives the model; what
// it throws because the file is no model is a finding. O(model), and a session per node in the
// second case.
//
// Throws Error: a file that cannot be read, options that the back end refuses (OptionError), inputs
// that do not fit; Interrupted.
LintResult lint(const std::string& path, const std::function<graphsurgeon::Model()>& load,
                const LintOptions& options, FeedSource& feeds, Logger& log);

}  // namespace polygraphy
