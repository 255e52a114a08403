// The job behind `check lint`: checks a model file, and returns and saves the findings.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/model_tools/lint/lint.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy {

// A file for the report.
struct LintReportFile {
  std::string path, typed;  // typed: the path as the user typed it, for messages
  bool sarif = false;       // true: SARIF; false: JSON
};

// SARIF for *.sarif, JSON for all others.
LintReportFile lint_report_file(const std::string& path, const std::string& typed);

struct LintJob {
  ModelSource model;
  std::string typed_model = {};  // the model's path in SARIF reports
  Metadata shapes = {};          // shapes of the model's inputs; set before the checks
  LintOptions options = {};
  // The input data of the run. Empty: generated.
  std::function<std::unique_ptr<FeedSource>(Logger&)> feeds = {};
  std::vector<LintReportFile> reports = {};  // written with and without findings
};

// Throws the errors of lint() for a loaded model (lint.h), and Error for shapes that do not fit and
// reports that cannot be written.
LintResult lint(const LintJob& job, Logger& log);

}  // namespace polygraphy
