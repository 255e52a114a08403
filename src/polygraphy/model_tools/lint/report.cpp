#include "polygraphy/model_tools/lint/report.h"

#include <utility>

#include "base/log_modules.h"
#include "base/text.h"
#include "formats/json_writer.h"
#include "polygraphy/model_tools/lint/prune_message.h"
#include "polygraphy/model_tools/lint/rule.h"

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

bool is_original(std::string_view rule) {
  for (const LintRule* each : lint_rules()) {
    if (each->name == rule) return each->original;
  }
  return true;
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
  json.key(key);
  json.begin_array();
  for (const std::string& name : names) json.string(name);
  json.end_array();
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

std::string to_json(const LintReport& report) {
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object();
  json.key("summary");
  json.begin_object();
  write_names(json, "passing", report.passing());
  write_names(json, "failing", report.failing());
  json.end_object();
  json.key("lint_entries");
  json.begin_array();
  for (const Finding& finding : report.findings()) {
    json.begin_object();
    json.key("level");
    json.string(level_name(finding.level));
    json.key("source");
    json.string(source_name(finding.source));
    json.key("message");
    json.string(finding.message);
    if (!finding.node.empty()) write_names(json, "nodes", {finding.node});
    if (!is_original(finding.rule)) {
      json.key("rule");
      json.string(finding.rule);
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return sink.text();
}

}  // namespace polygraphy
