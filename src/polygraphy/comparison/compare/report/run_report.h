// The report of a run: in a folder beside the run's other files, and as sections of a page.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/os/durability.h"
#include "polygraphy/comparison/compare/report/comparison_report.h"
#include "polygraphy/comparison/compare/report/report_options.h"
#include "polygraphy/comparison/compare/run_and_compare.h"

namespace polygraphy {

class RunReport {
 public:
  // Becomes the observer of `options`; neither `options` nor `log` may end before this.
  RunReport(ReportOptions report, CompareOptions& options, Logger& log);

  // Calls `run`, and writes the report whether it passes, fails or throws. Returns what it returns,
  // throws what it throws.
  Verdict around(const std::function<Verdict()>& run);

 private:
  void write(std::string_view status, const std::optional<Verdict>& verdict = {});
  ReportFacts facts(std::string_view status, const std::optional<Verdict>& verdict) const;
  void write_files(const ReportFacts& facts, Durability durability);

  ReportOptions options_;
  const CompareOptions& run_;
  Logger& log_;
  ComparisonReport report_;
};

}  // namespace polygraphy
