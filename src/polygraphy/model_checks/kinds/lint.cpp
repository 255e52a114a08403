// `--check-lint`: what `check lint` would fail.
#include <set>

#include "base/text.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/debug/log_modules.h"
#include "polygraphy/lint/lint.h"
#include "polygraphy/model_checks/engines.h"
#include "polygraphy/model_checks/model_check.h"

namespace polygraphy {
namespace {

// The samples for whatever the model is asked for.
class CandidateFeeds : public FeedSource {
 public:
  CandidateFeeds(const CandidateInputs& inputs, Logger& log) : inputs_(inputs), log_(log) {}
  std::optional<TensorMap> next(const Metadata& inputs) override {
    return inputs_(inputs, next_++, log_);
  }

 private:
  const CandidateInputs& inputs_;
  Logger& log_;
  int64_t next_ = 0;
};

class LintCheck : public Check {
 public:
  LintCheck(const CheckTools& tools, Logger& log)
      : tools_(tools), engine_(tools.paths, {}, quiet_, tools.cancel), log_(log) {}

  Verdict run(const std::string& artifact) override {
    const LintResult result = [&] {
      try {
        return lint_file(artifact, {});
      } catch (const CannotFeed& error) {
        log_.verbose(log_modules::kIterativeDebug,
                     std::string("Lint does not run the model: ") + error.what());
        return lint_file(artifact, {.skip = {"runs"}});
      }
    }();
    std::optional<ModelFailure> failure;
    if (!result.passed) failure = summary(result.report);
    return verdict_of(failure, log_);
  }

 private:
  LintResult lint_file(const std::string& path, const LintOptions& options) {
    CandidateFeeds feeds(tools_.inputs, log_);
    return lint(
        path, [&] { return graphsurgeon::load_model(path); }, options, engine_, feeds, quiet_);
  }

  // What is said of nodes counts, if anything is: what is said of a candidate as a whole (an output
  // without a type, say) may come from its having been cut off.
  static ModelFailure summary(const LintReport& report) {
    std::set<std::string> rules;
    std::string first;
    bool of_node = false;
    for (const Finding& finding : report.findings()) {
      if (finding.level != LintLevel::kException || (of_node && finding.node.empty())) continue;
      if (!of_node && !finding.node.empty()) {
        of_node = true;
        rules.clear();
        first.clear();
      }
      rules.emplace(finding.rule);
      if (first.empty()) {
        first = (of_node ? "Node '" + finding.node + "': " : "") + finding.message;
      }
    }
    const std::vector<std::string> names(rules.begin(), rules.end());
    const std::string list = join(std::span<const std::string>(names), ", ");
    return {"Lint has errors (" + list + "): " + first, "lint: " + list};
  }

  const CheckTools tools_;
  Logger quiet_;
  LintEngine engine_;
  Logger& log_;
};

std::unique_ptr<Check> make(const ModelCheckOptions&, const CheckTools& tools, Logger& log) {
  return std::make_unique<LintCheck>(tools, log);
}

}  // namespace

extern const ModelCheck model_check_lint;
constinit const ModelCheck model_check_lint = {
    .name = "lint",
    .summary = "An iteration fails when `polygraphy check lint` would.",
    .make = make,
};

}  // namespace polygraphy
