// Markdown in ten lines or so, for the summary of a job of GitHub Actions and for agents.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "pictures/report_page/report_form.h"
#include "pictures/svg.h"

namespace polygraphy {
namespace {

constexpr size_t kLines = 3;      // of the verdict
constexpr size_t kCases = 10;     // that failed
constexpr size_t kCommands = 2;   // that come next
constexpr size_t kLongest = 200;  // bytes of a line

std::string markdown(std::string_view text) {
  std::string line = report_line(text);
  if (line.size() > kLongest) {
    size_t end = kLongest;
    while (end > 0 && (line[end] & 0xC0) == 0x80) --end;  // between characters of UTF-8
    line = line.substr(0, end) + " …";
  }
  std::string out;
  for (const char c : xml_escaped(line)) {
    if (std::string_view("\\`*_[]|#~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string render(const ReportPage& page) {
  const ReportVerdict* verdict = report_verdict_of(page);
  if (!verdict) return {};
  std::string text = fmt::format("### {} {}\n\n{}\n\n", report_icon(verdict->mark),
                                 markdown(page.title), markdown(verdict->headline));
  for (size_t i = 0; i < std::min(kLines, verdict->lines.size()); ++i)
    text += "- " + markdown(strip(verdict->lines[i])) + "\n";
  size_t failed = 0;
  for (const ReportCase& one : report_cases(page)) {
    if (one.suite == page.title || !one.failed() || ++failed > kCases) continue;
    text += fmt::format("- {} {}: {}\n", report_icon(one.mark), markdown(one.name),
                        markdown(one.outcome));
  }
  if (failed > kCases) text += "- " + and_more(failed, kCases, "") + "\n";
  for (const ReportSection& section : page.sections) {
    const auto* next = std::get_if<ReportCommands>(&section);
    for (size_t i = 0; next && i < std::min(kCommands, next->commands.size()); ++i) {
      const auto& [purpose, command] = next->commands[i];
      text += fmt::format("- {}: `{}`\n", markdown(purpose), report_line(command));
    }
  }
  return text + "\n";
}

}  // namespace

extern constinit const ReportForm report_form_summary = {
    .option = "--summary",
    .help =
        "Write the verdict, the first ten failures and the next commands to this file as "
        "Markdown.",
    .variable = "GITHUB_STEP_SUMMARY",
    .appends = true,
    .render = render};

}  // namespace polygraphy
