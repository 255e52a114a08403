// Commands to GitHub Actions: an error or a warning beside the change.
#include <fmt/format.h>

#include "base/text.h"
#include "pictures/report_page/report_form.h"

namespace polygraphy {
namespace {

constexpr size_t kCases = 5;  // GitHub shows ten annotations of a step

// As GitHub's runner decodes it; `property`: of a name before the text.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const std::string_view part : split(text, '\n')) {
    if (part.data() != text.data()) out += property ? "%0A" : " ";
    for (const char c : report_line(part)) {
      const bool special = c == '%' || c == '\r' || (property && (c == ':' || c == ','));
      out += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
    }
  }
  return out;
}

std::string command(bool is_error, const ReportPage& page, std::string_view text) {
  return fmt::format("::{} {}title={}::{}\n", is_error ? "error" : "warning",
                     page.file.empty() ? "" : "file=" + escaped(page.file, true) + ",",
                     escaped(page.title, true), escaped(text, false));
}

std::string render(const ReportPage& page) {
  const ReportVerdict* verdict = report_verdict_of(page);
  const ReportMark mark = verdict ? verdict->mark : ReportMark::kNone;
  if (mark == ReportMark::kNone || mark == ReportMark::kGood || mark == ReportMark::kSkipped)
    return {};
  std::string text = command(mark != ReportMark::kWarning, page, verdict->headline);
  size_t failed = 0;
  for (const ReportCase& one : report_cases(page)) {
    if (one.suite != page.title && one.failed() && ++failed <= kCases)
      text += command(true, page, one.name + ": " + one.outcome);
  }
  return text;
}

}  // namespace

extern constinit const ReportForm report_form_github_annotations = {.variable = "GITHUB_ACTIONS",
                                                                    .render = render};

}  // namespace polygraphy
