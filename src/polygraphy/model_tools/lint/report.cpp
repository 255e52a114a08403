#include "polygraphy/model_tools/lint/report.h"

#include <utility>

#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/model_tools/lint/prune_message.h"

namespace polygraphy {
namespace {

Severity severity_of(LintLevel level) {
  switch (level) {
    case LintLevel::kException:
      return Severity::kError;
    case LintLevel::kWarning:
      return Severity::kWarning;
    case LintLevel::kInfo:
      break;
  }
  return Severity::kInfo;
}

}  // namespace

void LintReport::pass(const std::string& node) {
  if (!failed_.contains(node) && passed_.insert(node).second) passing_.push_back(node);
}

void LintReport::fail(const std::string& node) {
  passed_.erase(node);
  if (failed_.insert(node).second) failing_.push_back(node);
}

void LintReport::add(Finding finding, Logger& log, bool counts) {
  std::string pruned = prune_message(finding.message);
  const bool exception = finding.level == LintLevel::kException;
  // A message that is all surroundings still says that something failed.
  finding.message = exception && pruned.empty() ? replace_all(strip(finding.message), "\n", " ")
                                                : std::move(pruned);
  if (finding.message.empty()) {
    if (counts && !finding.node.empty()) pass(finding.node);
    return;
  }
  std::string scope;
  if (!finding.node.empty() && !finding.op.empty()) {
    scope = "Name: " + finding.node + ", Op: " + finding.op + " | ";
  }
  log.log(severity_of(finding.level), log_modules::kLint, "LINT | " + scope + finding.message);
  if (counts && !finding.node.empty()) exception ? fail(finding.node) : pass(finding.node);
  if (counts && exception) valid_ = false;
  findings_.push_back(std::move(finding));
}

void LintReport::set_passing(std::vector<std::string> nodes) {
  all_passed_ = true;
  passing_.clear();
  passed_.clear();
  for (std::string& node : nodes) {
    if (passed_.insert(node).second) passing_.push_back(std::move(node));
  }
}

std::vector<std::string> LintReport::passing() const {
  std::vector<std::string> result;
  for (const std::string& node : passing_) {
    if (all_passed_ || !failed_.contains(node)) result.push_back(node);
  }
  return result;
}

}  // namespace polygraphy
