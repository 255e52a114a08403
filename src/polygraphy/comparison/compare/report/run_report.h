// The report of a run: in a folder beside the run's other files, and as sections of a page.
#pragma once

#include <functional>
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
  bool around(const std::function<bool()>& run);

 private:
  void write(std::string_view verdict);
  ReportFacts facts(std::string_view verdict) const;
  void write_files(std::string_view verdict, Durability durability);

  ReportOptions options_;
  const CompareOptions& run_;
  Logger& log_;
  ComparisonReport report_;
};

}  // namespace polygraphy
