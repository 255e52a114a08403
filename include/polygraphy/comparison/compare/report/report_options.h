// Options of the report of a run.
#pragma once

#include <string>

namespace polygraphy {

struct ReportPage;

struct ReportOptions {
  std::string folder;   // for report.json and report.txt; empty: no report
  std::string json;     // file for what report.json has, "-" for standard output; empty: none
  std::string command;  // the command, as the report names it
  std::string model;    // the model's path, for its layers; may be empty
  // Receives sections on the comparison, whether the run passes, fails or throws; null: no page.
  // Must outlive the run.
  ReportPage* page = nullptr;

  bool wanted() const { return !folder.empty() || !json.empty() || page != nullptr; }
};

}  // namespace polygraphy
