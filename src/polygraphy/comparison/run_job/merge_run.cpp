#include "polygraphy/comparison/run_job/merge_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/comparison/verdict/join_versions.h"

namespace polygraphy {
namespace {

using log_modules::kComparator;

constexpr size_t kMostNamed = 10;

std::string numbers_of_failed(const PairRecord& pair) {
  std::string text;
  size_t failed = 0;
  for (size_t i = 0; i < pair.samples.size(); ++i) {
    if (pair.samples[i].passed()) continue;
    if (++failed <= kMostNamed) text += fmt::format("{}{}", text.empty() ? "" : ", ", i);
  }
  return text + and_more(failed, kMostNamed, " ");
}

}  // namespace

RunRecord merged_record(const TaskPlan& plan, const TaskFolder& folder) {
  std::optional<RunRecord> whole;
  OrderedMap<std::string> versions = plan.job().versions;
  for (int64_t i = 0; i < plan.size(); ++i) {
    const std::string id = plan.id(i);
    for (const std::string& document : folder.take_result(id)) {
      RunRecord part = parse_run_record(document, folder.result_path(id));
      join_versions(versions, part.versions);
      if (whole) {
        append(*whole, std::move(part));
      } else {
        whole = std::move(part);
      }
    }
  }
  return std::move(*whole);
}

// Of each task's file, in order.
AccuracyResults merged_accuracy(const TaskPlan& plan, const TaskFolder& folder) {
  AccuracyResults all;
  for (int64_t i = 0; i < plan.size(); ++i) {
    const std::string id = plan.id(i);
    for (const std::string& document : folder.take_result(id)) {
      const RunRecord record = parse_run_record(document, folder.result_path(id));
      append(all, parse_accuracy_results(record.accuracy, folder.result_path(id)));
    }
  }
  return all;
}

void summarize(const RunRecord& record, Logger& log) {
  for (const PairRecord& pair : record.pairs) {
    const auto total = static_cast<int64_t>(pair.samples.size());
    const int64_t passed = std::ranges::count_if(pair.samples, &JudgedSample::passed);
    const Severity severity = passed == total ? Severity::kFinish : Severity::kError;
    log.log(
        severity, kComparator,
        fmt::format(
            "Accuracy Summary | {} vs. {} | Passed: {}/{} iterations | Pass Rate: "
            "{:.2f}%",
            pair.reference, pair.target, passed, total,
            total == 0 ? 100.0 : 100.0 * static_cast<double>(passed) / static_cast<double>(total)));
    if (passed < total) log.error(kComparator, "Failed samples: " + numbers_of_failed(pair));
  }
  for (const std::string& failure : record.failed)
    log.error(kComparator, "Failed runner: " + failure);
}

}  // namespace polygraphy
