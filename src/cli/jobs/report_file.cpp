#include "cli/jobs/report_file.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {
namespace {

void write(Session& session, const ReportPage& page) {
  const std::string typed(session.args().text("--report").value_or(""));
  write_file(session.env().path(typed), report_html(page));
  session.log().info(log_modules::kRun, "Saving HTML report to " + typed);
}

// Errors and warnings of a log, each text once. Those that its thresholds hide are no exception.
class Complaints {
 public:
  explicit Complaints(Logger& log) : log_(log), shown_(log), thresholds_(log.thresholds()) {
    for (const auto& [path, threshold] : thresholds_)
      log_.set_severity(path, std::min(threshold, Severity::kWarning));
    log_.set_relay([this](Severity severity, std::string_view module, std::string_view text,
                          Once once, int levels) {
      if (severity >= Severity::kWarning) add(severity, text);
      const Logger::Indent indent(shown_, levels);
      shown_.log(severity, module, text, once);
    });
  }
  ~Complaints() {
    log_.set_relay({});
    for (const auto& [path, threshold] : thresholds_) log_.set_severity(path, threshold);
  }
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;

  // Behind the verdict, which comes first.
  void add_to(ReportPage& page) const {
    constexpr size_t kShown = 50;
    const std::set<std::string> said = texts_of(page);
    ReportNotes notes{.title = "Errors and warnings", .lines = {}};
    size_t more = 0;
    for (const auto& [severity, text] : received_) {
      if (said.contains(text)) continue;
      if (notes.lines.size() == kShown) {
        ++more;
      } else {
        notes.lines.push_back((severity == Severity::kWarning ? "Warning: " : "Error: ") + text);
      }
    }
    if (notes.lines.empty()) return;
    if (more > 0) notes.lines.push_back("and " + std::to_string(more) + " more");
    page.sections.insert(page.sections.begin() + (page.sections.empty() ? 0 : 1), std::move(notes));
  }

 private:
  void add(Severity severity, std::string_view text) {
    const auto [known, is_new] = known_.emplace(strip(text));
    if (is_new) received_.emplace_back(severity, *known);
  }

  // Commands log what their page says, too.
  static std::set<std::string> texts_of(const ReportPage& page) {
    std::set<std::string> texts;
    for (const ReportSection& section : page.sections) {
      if (const auto* verdict = std::get_if<ReportVerdict>(&section)) {
        texts.insert(verdict->headline);
        texts.insert(verdict->lines.begin(), verdict->lines.end());
      } else if (const auto* notes = std::get_if<ReportNotes>(&section)) {
        texts.insert(notes->lines.begin(), notes->lines.end());
      }
    }
    return texts;
  }

  Logger& log_;
  Logger shown_;  // as the log was before
  const std::vector<std::pair<std::string, Severity>> thresholds_;
  std::set<std::string> known_;
  std::vector<std::pair<Severity, std::string>> received_;
};

bool has_verdict(const ReportPage& page) {
  return std::any_of(page.sections.begin(), page.sections.end(), [](const ReportSection& section) {
    return std::holds_alternative<ReportVerdict>(section);
  });
}

}  // namespace

int reported(Session& session, const std::string& title,
             const std::function<int(ReportPage* page)>& run) {
  if (!session.args().has("--report")) return run(nullptr);
  ReportPage page{.title = title,
                  .command = session.command_line(),
                  .maker = "polygraphy " + std::string(kVersion) + ", compatible with " +
                           std::string(kCompatibleVersion),
                  .sections = {}};
  const Complaints complaints(session.log());
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
