// OpenMetrics 1.0, which Prometheus and GitLab read.
#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "base/ordered_map.h"
#include "base/text.h"
#include "pictures/report_page/report_form.h"

namespace polygraphy {
namespace {

// Of ReportMark, in its order.
constexpr std::string_view kOutcomes[] = {"passed", "passed",  "reservation", "undecided",
                                          "failed", "not run", "skipped"};

std::string label(std::string_view text) {
  const std::string line = report_line(text);
  return replace_all(replace_all(line, "\\", "\\\\"), "\"", "\\\"");
}

std::string render(const ReportPage& page) {
  const std::string report = label(page.title);
  std::string text =
      "# TYPE polygraphy_passed gauge\n"
      "# HELP polygraphy_passed 1: the verdict is good, perhaps with a reservation.\n";
  const ReportVerdict* verdict = report_verdict_of(page);
  text += fmt::format("polygraphy_passed{{report=\"{}\"}} {}\n", report,
                      verdict && passes(verdict->mark) ? 1 : 0);
  OrderedMap<OrderedMap<int64_t>> counts;
  std::string seconds;
  for (const ReportCase& one : report_cases(page)) {
    const std::string labels = fmt::format("report=\"{}\",suite=\"{}\"", report, label(one.suite));
    OrderedMap<int64_t>& of_suite = counts[labels];
    for (const std::string_view outcome : kOutcomes) of_suite[outcome] += 0;
    ++of_suite[kOutcomes[static_cast<size_t>(one.mark)]];
    if (one.seconds) {
      seconds += fmt::format("polygraphy_case_seconds{{{},case=\"{}\"}} {}\n", labels,
                             label(one.name), *one.seconds);
    }
  }
  text +=
      "# TYPE polygraphy_cases gauge\n"
      "# HELP polygraphy_cases Outputs, nodes, checks or models with an outcome.\n";
  for (const auto& [labels, outcomes] : counts) {
    for (const auto& [outcome, count] : outcomes)
      text += fmt::format("polygraphy_cases{{{},outcome=\"{}\"}} {}\n", labels, outcome, count);
  }
  if (!seconds.empty()) {
    text +=
        "# TYPE polygraphy_case_seconds gauge\n# UNIT polygraphy_case_seconds seconds\n"
        "# HELP polygraphy_case_seconds The time of a case.\n" +
        seconds;
  }
  return text + "# EOF\n";
}

}  // namespace

extern constinit const ReportForm report_form_openmetrics = {
    .option = "--openmetrics",
    .help =
        "Write the verdict, counts of outcomes and times to this file as OpenMetrics, which "
        "Prometheus and GitLab read.",
    .render = render};

}  // namespace polygraphy
