// --output-dir: the folder in which everything of a run lands.
#pragma once

#include <functional>
#include <string>

#include "cli/session.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/compare/comparator.h"
#include "polygraphy/compare/comparison_report.h"

namespace polygraphy::cli {

// Makes the folder's report while the run goes on. Without --output-dir there is none.
class RunReport {
 public:
  // Becomes the observer of `options`, whose paths must have been resolved. Both must outlive this.
  RunReport(Session& session, const ModelSource& source, CompareOptions& options);

  // Does what is to be reported, and reports it, whether it passed, failed or threw. What it
  // returned or threw goes on to the caller.
  bool around(const std::function<bool()>& run);

 private:
  void write(std::string_view verdict);

  Session& session_;
  const ModelSource& source_;
  const CompareOptions& options_;
  std::string folder_;  // empty: no report
  ComparisonReport report_;
};

}  // namespace polygraphy::cli
