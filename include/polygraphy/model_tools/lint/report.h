// The report of `check lint`.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "base/log.h"
#include "polygraphy/model_tools/lint/finding.h"

namespace polygraphy {

// Nodes, by name.
struct LintSummary {
  std::vector<std::string> passing, failing;
};
constexpr auto record_of(RecordOf<LintSummary>) {
  using Of = LintSummary;
  return record<Of>("LintSummary", "The nodes that were checked, by name.",
                    member("passing", &Of::passing, "In the order of detection."),
                    member("failing", &Of::failing, "Likewise."));
}

class LintReport {
 public:
  // Adds and logs an entry (`LINT | …`) with a pruned message; if the pruned message is empty, only
  // records its node as passing. `counts`: the entry decides whether its node passes and, if it is
  // an exception, whether the model is valid.
  void add(Finding finding, Logger& log, bool counts = true);
  void set_passing(std::vector<std::string> nodes);

  bool valid() const { return valid_; }  // no exceptions so far
  const std::vector<Finding>& findings() const { return findings_; }
  // In the order of detection; each once.
  std::vector<std::string> passing() const;
  const std::vector<std::string>& failing() const { return failing_; }
  LintSummary summary() const { return {passing(), failing()}; }

 private:
  void pass(const std::string& node);
  void fail(const std::string& node);

  std::vector<Finding> findings_;
  std::vector<std::string> passing_, failing_;
  std::unordered_set<std::string> passed_, failed_;
  bool all_passed_ = false;  // set_passing() was called
  bool valid_ = true;
};

}  // namespace polygraphy
