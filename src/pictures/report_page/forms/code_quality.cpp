// GitLab's report of code quality: what failed, at the model's file.
#include <fmt/format.h>

#include "base/fingerprint.h"
#include "base/ordered_map.h"
#include "formats/record_json.h"
#include "pictures/report_page/report_form.h"

namespace polygraphy {
namespace {

// `number`: of the equal ones before it.
void write(const ReportCase& one, size_t number, const ReportPage& page, JsonWriter& json) {
  const std::string text = report_line(one.suite + ": " + one.name + ": " + one.outcome);
  json.begin_object();
  write_member(json, "description", text);
  write_member(json, "check_name", page.title);
  write_member(json, "fingerprint",
               fingerprint(fmt::format("{}\n{}\n{}", page.title, text, number)).text());
  write_member(json, "severity", one.mark == ReportMark::kWarning ? "minor" : "major");
  json.key("location");
  json.begin_object();
  write_member(json, "path", page.file);
  json.key("lines");
  json.begin_object();
  write_member(json, "begin", 1);
  json.end_object();
  json.end_object();
  json.end_object();
}

std::string render(const ReportPage& page) {
  StringSink sink;
  JsonWriter json(sink);
  json.begin_array();
  OrderedMap<size_t> known;
  for (const ReportCase& one : report_cases(page)) {
    if (!one.failed() && one.mark != ReportMark::kWarning) continue;
    write(one, known[one.suite + "\n" + one.name + "\n" + one.outcome]++, page, json);
  }
  json.end_array();
  return sink.text() + "\n";
}

}  // namespace

extern constinit const ReportForm report_form_code_quality = {
    .option = "--code-quality",
    .help =
        "Write failed outputs, nodes, checks or models to this file as a code quality report "
        "of GitLab.",
    .render = render};

}  // namespace polygraphy
