#include "cli/jobs/report_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/ordered_map.h"
#include "base/os/atomic_file.h"
#include "base/phase_times.h"
#include "base/shell_words.h"
#include "base/version.h"
#include "cli/command_list.h"
#include "cli/jobs/annotated_model.h"
#include "cli/jobs/page_complaints.h"
#include "cli/jobs/page_identity.h"
#include "cli/syntax/parser.h"
#include "pictures/report_page/report_form.h"
#include "polygraphy/comparison/compare/validate.h"
#include "polygraphy/comparison/verdict/runner_names.h"

namespace polygraphy::cli {
namespace {

// A form and its destination.
struct Requested {
  const ReportForm* form;
  std::string path = {};  // as typed; empty: standard error
  bool appends = false;
};

std::vector<Requested> requested_by(Session& session) {
  std::vector<Requested> requested;
  for (const ReportForm* form : report_forms()) {
    if (!form->option.empty() && session.args().has(form->option))
      requested.push_back({form, std::string(*session.args().text(form->option)), false});
    const std::string_view value = session.env().variable(form->variable);
    if (!form->variable.empty() && (form->appends ? !value.empty() : value == "true"))
      requested.push_back({form, form->appends ? std::string(value) : "", form->appends});
  }
  return requested;
}

void write_form(Session& session, const ReportForm& form, const std::string& typed,
                const ReportPage& page) {
  const std::string path = session.env().path(typed);
  if (form.files) {
    std::error_code failed;
    std::filesystem::create_directories(path, failed);
    if (failed) throw IoError("cannot create " + typed + ": " + failed.message());
    for (const auto& [name, text] : form.files(page)) write_file(path + "/" + name, text);
  } else {
    write_file(path, form.render(page));
  }
  session.log().info(log_modules::kRun,
                     fmt::format("Saving report ({}) to {}", form.option.substr(2), typed));
}

// The file belongs to the CI system: without it, the command has done its work.
void append(Session& session, const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::app);
  file << text;
  file.close();
  if (!file) session.log().warning(log_modules::kRun, "Cannot append the summary to " + path);
}

size_t order_of(const ReportSection& section) {
  if (std::holds_alternative<ReportVerdict>(section)) return 0;
  if (std::holds_alternative<ReportGraphs>(section)) return 1;
  return std::holds_alternative<ReportCommands>(section) ? 2 : 3;
}

// All that can be written. Throws the first error of a file at the end.
void write(Session& session, const std::vector<Requested>& requested, ReportPage& page) {
  identify(session, page);
  put_in_order(page);
  for (ReportSection& section : page.sections) {
    if (auto* verdict = std::get_if<ReportVerdict>(&section))
      verdict->headline = without_times(verdict->headline);
    auto* next = std::get_if<ReportCommands>(&section);
    if (!next) continue;
    for (auto& [purpose, command] : next->commands)
      command = as_called(session.env().executable, std::move(command));
  }
  std::exception_ptr first;
  for (const auto& [form, typed, appends] : requested) {
    try {
      if (typed.empty()) {
        session.env().err.write(form->render(page));
      } else if (appends) {
        append(session, session.env().path(typed), form->render(page));
      } else {
        write_form(session, *form, typed, page);
      }
    } catch (const Error&) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

// The command's own work, and a lane for each runner, which phases name in front of "|".
ReportTimeline timeline_of(const ReportPage& page, const PhaseTimes& times) {
  const double whole = times.seconds();
  OrderedMap<ReportTimeline::Lane> lanes;
  lanes["polygraphy"] = {.name = "polygraphy", .spans = {{page.title, 0, whole}}};
  for (const PhaseTime& time : times.times()) {
    const size_t bar = time.phase.find(" | ");
    const bool of_runner = bar != std::string::npos;
    const std::string runner(of_runner ? without_time(time.phase.substr(0, bar)) : "");
    const std::string rest = of_runner ? time.phase.substr(bar + 3) : time.phase;
    lanes["polygraphy"].spans.push_back(
        {of_runner ? runner + " | " + rest : rest, time.begin, time.seconds});
    if (!of_runner) continue;
    lanes[runner].name = runner;
    lanes[runner].spans.push_back({rest, time.begin, time.seconds});
  }
  ReportTimeline timeline;
  for (auto& [name, lane] : lanes) timeline.lanes.push_back(std::move(lane));
  return timeline;
}

}  // namespace

void put_in_order(ReportPage& page) {
  std::ranges::stable_sort(page.sections, {}, order_of);
}

int reported(Session& session, std::string_view what,
             const std::function<int(ReportPage* page)>& run) {
  // Tasks leave the reports to their command.
  if (session.env().is_task || session.args().has("--save-task")) return run(nullptr);
  const std::vector<Requested> requested = requested_by(session);
  const bool annotates = wants_annotated_model(session);
  if (requested.empty() && !annotates) return run(nullptr);
  ReportPage page{.title = page_title(session.args(), what),
                  .command = shell_line(session.words()),
                  .file = {},
                  .about = {},
                  .maker = "polygraphy " + std::string(kVersion) + ", compatible with " +
                           std::string(kCompatibleVersion),
                  .sections = {}};
  const PageComplaints complaints(session.log());
  const PhaseTimes times(session.env().clock);
  const auto finish = [&] {
    complaints.add_to(page);
    page.sections.emplace_back(timeline_of(page, times));
    write(session, requested, page);
    if (annotates) write_annotated_model(session, page);
  };
  int result = 0;
  try {
    result = run(&page);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    if (!report_verdict_of(page)) {
      page.sections.insert(
          page.sections.begin(),
          ReportVerdict{
              .mark = error.code() == kInvalidOutputs ? ReportMark::kBad : ReportMark::kError,
              .headline = "FAILED: " + std::string(error.what()),
              .lines = {}});
    }
    finish();
    throw;
  }
  finish();
  return result;
}

}  // namespace polygraphy::cli
