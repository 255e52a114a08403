// What the report of a run is made of.
#pragma once

#include <string>

namespace polygraphy {

struct ReportPage;

struct ReportOptions {
  std::string folder;   // for report.json and report.txt; empty: no report
  std::string command;  // what was run, as the report names it
  std::string model;    // the model's path, for its layers; may be empty
  // Receives sections on the comparison, whether the run passes, fails or throws; null: nothing
  // does. Must outlive the run.
  ReportPage* page = nullptr;

  bool wanted() const { return !folder.empty() || page != nullptr; }
};

}  // namespace polygraphy
