#include "cli/jobs/report_file.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/shell_words.h"
#include "base/version.h"
#include "cli/command_list.h"
#include "cli/jobs/page_complaints.h"
#include "cli/jobs/page_identity.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {
namespace {

void write(Session& session, ReportPage& page) {
  identify(session, page);
  for (ReportSection& section : page.sections) {
    auto* next = std::get_if<ReportCommands>(&section);
    if (!next) continue;
    for (auto& [purpose, command] : next->commands)
      command = as_called(session.env().executable, std::move(command));
  }
  const std::string typed(session.args().text("--report").value_or(""));
  write_file(session.env().path(typed), report_html(page));
  session.log().info(log_modules::kRun, "Saving HTML report to " + typed);
}

bool has_verdict(const ReportPage& page) {
  return std::any_of(page.sections.begin(), page.sections.end(), [](const ReportSection& section) {
    return std::holds_alternative<ReportVerdict>(section);
  });
}

}  // namespace

int reported(Session& session, std::string_view what,
             const std::function<int(ReportPage* page)>& run) {
  if (!session.args().has("--report")) return run(nullptr);
  ReportPage page{.title = page_title(session.args(), what),
                  .command = shell_line(session.words()),
                  .about = {},
                  .maker = "polygraphy " + std::string(kVersion) + ", compatible with " +
                           std::string(kCompatibleVersion),
                  .sections = {}};
  const PageComplaints complaints(session.log());
  int result = 0;
  try {
    result = run(&page);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    if (!has_verdict(page)) {
      page.sections.insert(page.sections.begin(),
                           ReportVerdict{.mark = ReportMark::kBad,
                                         .headline = "FAILED: " + std::string(error.what()),
                                         .lines = {}});
    }
    complaints.add_to(page);
    write(session, page);
    throw;
  }
  complaints.add_to(page);
  write(session, page);
  return result;
}

}  // namespace polygraphy::cli
