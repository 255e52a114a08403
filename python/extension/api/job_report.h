// The findings of a job, in the forms of the command line.
#pragma once

#include <string>

#include "python_values.h"

namespace native {

struct JobReport {
  bool passed = false;
  std::string text, json;  // the summary, and the document that --json writes
};

// (passed, text, JSON)
inline PyRef to_python(const JobReport& report) {
  return tuple(report.passed, report.text, report.json);
}

}  // namespace native
