// Errors and warnings of a command, for its page.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "pictures/report_page/report_page.h"

namespace polygraphy::cli {

// Keeps what a log receives, each text once, whether its thresholds show it or not.
class PageComplaints {
 public:
  explicit PageComplaints(Logger& log);
  ~PageComplaints();
  PageComplaints(const PageComplaints&) = delete;
  PageComplaints& operator=(const PageComplaints&) = delete;

  // Behind the verdict, which comes first. Without those that the page has already; equal ones
  // about several outputs are one line.
  void add_to(ReportPage& page) const;

 private:
  void add(Severity severity, std::string_view text);

  Logger& log_;
  Logger shown_;      // as the log was before
  Logger requested_;  // the same without thresholds
  const std::vector<std::pair<std::string, Severity>> thresholds_;
  std::set<std::string> known_;
  std::vector<std::pair<Severity, std::string>> received_;
};

// Texts that differ only in the output that they name ("Output: 'x' | ...") as one, in the place of
// the first.
std::vector<std::string> grouped_by_output(const std::vector<std::string>& texts);

}  // namespace polygraphy::cli
