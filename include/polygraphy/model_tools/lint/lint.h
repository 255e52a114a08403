// `check lint`: finds errors of a model and their places.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/model_tools/lint/report.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

// Seconds. A model can run for ever: its Loops can.
inline constexpr double kLintTimeout = 300;

struct LintOptions {
  // The applied rules: `only` (empty: all rules but advice, or all rules with `advice`) without
  // `skip`.
  std::vector<std::string> only = {}, skip = {};
  bool advice = false;
  // The ONNX Runtime that set-up brought runs the model, with the session's options (providers,
  // graph_optimization_level). A load or an inference that takes longer than its timeout (nullopt:
  // kLintTimeout) is a finding, if there is a program.
  RunnerSpec runner = {.backend = "onnxrt", .bundled = true};
  // Without a program the model runs in this process, and one that crashes the runtime ends it.
  RunnerTools tools = {};
};

// Names of the applied rules, in the order of reports. Valid for the life of the process. Throws
// Error for an unknown name.
std::vector<std::string_view> applied_rules(const LintOptions& options);

struct LintResult {
  // Of the nodes. An error that no node explains is its reason.
  Verdict verdict() const;

  LintReport report;
  int64_t nodes = 0;    // of the model
  bool passed = false;  // the verdict behind the exit code
  // The whole model crashed the runtime, but no single node did; a reduction can find the cause.
  bool crashed_only_whole = false;
};
// As the original writes it, with "rule" and "answer" besides.
constexpr auto record_of(RecordOf<LintResult>) {
  using Of = LintResult;
  return record<Of>("LintFigures", "The errors of a model, and their places.",
                    derived(
                        "summary", [](const Of& of) { return of.report.summary(); },
                        "The nodes that pass and fail."),
                    derived(
                        "lint_entries", [](const Of& of) { return of.report.findings(); },
                        "In the order of detection."),
                    derived("answer", &Of::verdict, "On the nodes."));
}

// Applies all rules and logs each finding. If the onnx checker accepts the model, lint runs it as a
// whole. If that fails, or the checker complains, lint runs it node by node, so that it names every
// node that fails or crashes by itself, with the reason. `load` returns the model; its error for a
// file that is not a model is a finding. O(model), and a session per node in the second case.
//
// Throws Error: a file that cannot be read, options that the back end refuses (OptionError), inputs
// that do not fit; Interrupted.
LintResult lint(const std::string& path, const std::function<graphsurgeon::Model()>& load,
                const LintOptions& options, FeedSource& feeds, Logger& log);

}  // namespace polygraphy
