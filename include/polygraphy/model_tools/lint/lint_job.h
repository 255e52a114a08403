// `check lint`, as a call: a model file in, findings out, and written as reports.
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

// A file that gets the report.
struct LintReportFile {
  std::string path, typed;  // typed: the same as the user has it, for messages
  bool sarif = false;       // else JSON
};

// SARIF for *.sarif, JSON for all others.
LintReportFile lint_report_file(const std::string& path, const std::string& typed);

struct LintJob {
  ModelSource model;
  std::string typed_model = {};  // the model's path in SARIF reports
  Metadata shapes = {};          // of the model's inputs; set before it is linted
  LintOptions options = {};
  // The input data of the run. Empty: generated.
  std::function<std::unique_ptr<FeedSource>(Logger&)> feeds = {};
  std::vector<LintReportFile> reports = {};  // each is written, whatever is found
};

// Throws Error: as lint() of a loaded model (lint.h), shapes that do not fit, reports that cannot
// be written.
LintResult lint(const LintJob& job, Logger& log);

}  // namespace polygraphy
