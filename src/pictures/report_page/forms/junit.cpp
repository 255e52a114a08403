// JUnit's XML: a test per case.
#include <fmt/format.h>

#include <cstdint>

#include "base/ordered_map.h"
#include "pictures/report_page/report_form.h"
#include "pictures/svg.h"

namespace polygraphy {
namespace {

struct Suite {
  std::string cases;
  int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

void add(const ReportCase& one, Suite& suite) {
  ++suite.tests;
  suite.cases += fmt::format("    <testcase name=\"{}\" classname=\"{}\"",
                             xml_escaped(report_line(one.name)), xml_escaped(one.suite));
  if (one.seconds) suite.cases += fmt::format(" time=\"{:.6f}\"", *one.seconds);
  if (passes(one.mark)) {
    suite.cases += "/>\n";
    return;
  }
  std::string_view tag = "failure";
  if (one.mark == ReportMark::kError) tag = "error";
  if (one.mark == ReportMark::kSkipped) tag = "skipped";
  ++(tag == "failure" ? suite.failures : tag == "error" ? suite.errors : suite.skipped);
  suite.cases += fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n", tag,
                             xml_escaped(one.outcome), xml_escaped(one.details));
}

std::string render(const ReportPage& page) {
  OrderedMap<Suite> suites;
  for (const ReportCase& one : report_cases(page)) add(one, suites[one.suite]);
  std::string xml =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n",
                  xml_escaped(page.title));
  for (const auto& [name, suite] : suites) {
    xml += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}"
        "  </testsuite>\n",
        xml_escaped(name), suite.tests, suite.failures, suite.errors, suite.skipped, suite.cases);
  }
  return xml + "</testsuites>\n";
}

}  // namespace

extern constinit const ReportForm report_form_junit = {
    .option = "--junit",
    .help =
        "Write the verdicts on outputs, nodes, checks or models to this file as JUnit's XML, "
        "which CI systems show as tests.",
    .render = render};

}  // namespace polygraphy
