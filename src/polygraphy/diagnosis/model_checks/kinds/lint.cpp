// `--check-lint`: fails if `check lint` would. Runs the model in a separate process, and only as a
// whole: the reduction finds the node.
#include <set>

#include "base/text.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/diagnosis/model_checks/checked_backends.h"
#include "polygraphy/diagnosis/model_checks/model_check.h"
#include "polygraphy/model_tools/lint/lint.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

const std::string kRule = "runs";  // of check lint: the rule that runs the model

class NoFeeds : public FeedSource {
 public:
  std::optional<ValueMap> next(const Metadata&) override { return std::nullopt; }
};

class LintCheck : public Check {
 public:
  LintCheck(const ModelCheckOptions& options, const CheckTools& tools, Logger& log)
      : backends_(options, tools, log), log_(log) {}

  CheckResult run(const std::string& artifact) override {
    NoFeeds feeds;
    const LintResult result = lint(
        artifact, [&] { return graphsurgeon::load_model(artifact); }, {.skip = {kRule}}, feeds,
        quiet_);
    const std::optional<ModelFailure> of_model = summary(result.report, Scope::kModel);
    std::optional<ModelFailure> failure = summary(result.report, Scope::kNode);
    if (!failure) failure = run_model(artifact);
    return verdict_of(failure ? failure : of_model, log_);
  }

 private:
  enum class Scope { kModel, kNode };

  // Findings on a candidate as a whole (such as an output without a type) may come from the cut, so
  // they count last.
  static std::optional<ModelFailure> summary(const LintReport& report, Scope scope) {
    std::set<std::string> rules;
    std::string first;
    for (const Finding& finding : report.findings()) {
      if (finding.level != LintLevel::kException) continue;
      if (finding.node.empty() != (scope == Scope::kModel)) continue;
      rules.emplace(finding.rule);
      if (!first.empty()) continue;
      first = (scope == Scope::kNode ? "Node '" + finding.node + "': " : "") + finding.message;
    }
    if (rules.empty()) return std::nullopt;
    const std::vector<std::string> names(rules.begin(), rules.end());
    const std::string list = join(std::span<const std::string>(names), ", ");
    return ModelFailure{"Lint has errors (" + list + "): " + first, "lint: " + list};
  }

  std::optional<ModelFailure> run_model(const std::string& path) {
    const auto failure = backends_.run(path, [](auto&&...) { return std::nullopt; });
    if (!failure) return std::nullopt;
    return ModelFailure{"Lint has errors (" + kRule + "): " + failure->message, "lint: " + kRule};
  }

  Logger quiet_;
  CheckedBackends backends_;
  Logger& log_;
};

std::unique_ptr<Check> make_check(const ModelCheckOptions& options, const CheckTools& tools,
                                  Logger& log) {
  return std::make_unique<LintCheck>(options, tools, log);
}

}  // namespace

extern constinit const ModelCheck model_check_lint = {
    .name = "lint",
    .summary = "Fail an iteration if `polygraphy check lint` finds an error. Default: onnxrt.",
    .most_backends = 1,
    .usual_backend = "onnxrt",
    .make = make_check,
};

}  // namespace polygraphy
