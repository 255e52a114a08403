#include "cli/jobs/report_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
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
#include "pictures/report_page/report_form.h"

namespace polygraphy::cli {
namespace {

// A form and its destination.
struct Requested {
  const ReportForm* form;
  std::string path = {};  // as typed; empty: standard error
  bool appends = false;
};

// Tasks leave the reports to their command.
std::vector<Requested> requested_by(Session& session) {
  std::vector<Requested> requested;
  if (session.env().is_task || session.args().has("--save-task")) return requested;
  for (const ReportForm* form : report_forms()) {
    if (!form->option.empty() && session.args().has(form->option))
      requested.push_back({form, std::string(*session.args().text(form->option)), false});
    const std::string_view value = session.env().variable(form->variable);
    if (!form->variable.empty() && !value.empty())
      requested.push_back({form, form->appends ? std::string(value) : "", form->appends});
  }
  return requested;
}

void write(Session& session, const std::vector<Requested>& requested, ReportPage& page) {
  identify(session, page);
  for (ReportSection& section : page.sections) {
    auto* next = std::get_if<ReportCommands>(&section);
    if (!next) continue;
    for (auto& [purpose, command] : next->commands)
      command = as_called(session.env().executable, std::move(command));
  }
  for (const auto& [form, typed, appends] : requested) {
    const std::string path = session.env().path(typed);
    if (typed.empty()) {
      session.env().err.write(form->render(page));
      continue;
    }
    if (appends) {
      std::ofstream(path, std::ios::app) << form->render(page);
      continue;
    }
    if (form->files) {
      std::filesystem::create_directories(path);
      for (const auto& [name, text] : form->files(page)) write_file(path + "/" + name, text);
    } else {
      write_file(path, form->render(page));
    }
    session.log().info(log_modules::kRun,
                       fmt::format("Saving report ({}) to {}", form->option.substr(2), typed));
  }
}

bool has_verdict(const ReportPage& page) {
  return std::any_of(page.sections.begin(), page.sections.end(), [](const ReportSection& section) {
    return std::holds_alternative<ReportVerdict>(section);
  });
}

}  // namespace

int reported(Session& session, std::string_view what,
             const std::function<int(ReportPage* page)>& run) {
  const std::vector<Requested> requested = requested_by(session);
  if (requested.empty()) return run(nullptr);
  ReportPage page{.title = page_title(session.args(), what),
                  .command = shell_line(session.words()),
                  .file = {},
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
                           ReportVerdict{.mark = ReportMark::kError,
                                         .headline = "FAILED: " + std::string(error.what()),
                                         .lines = {}});
    }
    complaints.add_to(page);
    write(session, requested, page);
    throw;
  }
  complaints.add_to(page);
  write(session, requested, page);
  return result;
}

}  // namespace polygraphy::cli
