#include "cli/jobs/page_complaints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <variant>

#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/comparison/verdict/runner_names.h"

namespace polygraphy::cli {
namespace {

constexpr size_t kLines = 50, kNamed = 3;

// Commands log what their page says, too: the lines of verdicts and notes.
std::set<std::string, std::less<>> lines_of(const ReportPage& page) {
  std::set<std::string, std::less<>> lines;
  const auto add = [&](const std::string& text) {
    for (const std::string_view line : split_lines(text)) lines.emplace(strip(line));
  };
  for (const ReportSection& section : page.sections) {
    if (const auto* verdict = std::get_if<ReportVerdict>(&section)) {
      add(verdict->headline);
      const size_t status = verdict->headline.find(": ");  // "FAILED: 3 of 5 outputs ..."
      if (status != std::string::npos) add(verdict->headline.substr(status + 2));
      for (const std::string& line : verdict->lines) add(line);
    } else if (const auto* notes = std::get_if<ReportNotes>(&section)) {
      for (const std::string& line : notes->lines) add(line);
    }
  }
  return lines;
}

bool is_said(const std::string& text, const std::set<std::string, std::less<>>& lines) {
  const auto all = split_lines(text);
  return std::all_of(all.begin(), all.end(),
                     [&](std::string_view line) { return lines.contains(strip(line)); });
}

// Some list all outputs, which the page has in a table.
std::string first_lines(std::string text) {
  constexpr size_t kLongest = 600;
  if (text.size() <= kLongest) return text;
  size_t end = kLongest;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // between characters of UTF-8
  return text.substr(0, end) + " …";
}

// The place of the output's name; empty: the text names none.
std::string_view output_in(std::string_view text) {
  constexpr std::string_view kOutput = "Output: ";
  const size_t begin = text.find(kOutput);
  if (begin == std::string_view::npos) return {};
  const size_t name = begin + kOutput.size();
  const bool is_quoted = name < text.size() && text[name] == '\'';
  const size_t end = is_quoted ? text.find('\'', name + 1) : text.find(": ", name);
  if (end == std::string_view::npos) return {};
  return text.substr(name, end + (is_quoted ? 1 : 0) - name);
}

}  // namespace

std::vector<std::string> grouped_by_output(const std::vector<std::string>& texts) {
  struct Group {
    std::string before, after;
    std::vector<std::string> names;
  };
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::string>, size_t> place_of;
  for (const std::string& text : texts) {
    const std::string_view name = output_in(text);
    Group one{.before = text, .after = {}, .names = {}};
    if (!name.empty()) {
      const auto begin = static_cast<size_t>(name.data() - text.data());
      one = {text.substr(0, begin), text.substr(begin + name.size()), {std::string(name)}};
    }
    const auto [known, is_new] = place_of.emplace(std::pair(one.before, one.after), groups.size());
    if (is_new) {
      groups.push_back(std::move(one));
    } else if (!name.empty()) {
      groups[known->second].names.emplace_back(name);
    }
  }
  std::vector<std::string> lines;
  for (const Group& group : groups) {
    if (group.names.size() < 2) {
      lines.push_back(group.before + join(group.names, "") + group.after);
      continue;
    }
    const size_t named = std::min(kNamed, group.names.size());
    const std::string names =
        join(std::span(group.names).first(named), ", ") + and_more(group.names.size(), named, " ");
    lines.push_back(
        fmt::format("{} outputs: {}…{}\n{}", group.names.size(), group.before, group.after, names));
  }
  return lines;
}

PageComplaints::PageComplaints(Logger& log)
    : log_(log), shown_(log), requested_(log), thresholds_(log.thresholds()) {
  for (const auto& [path, threshold] : thresholds_) {
    log_.set_severity(path, std::min(threshold, Severity::kWarning));
    requested_.set_severity(path, Severity::kUltraVerbose);
  }
  log_.set_relay([this](Severity severity, std::string_view module, std::string_view text,
                        Once once, int levels) {
    // Failing candidates are the purpose of a debugging loop.
    const bool wanted = severity == Severity::kError && module == log_modules::kIterativeDebug;
    if (severity >= Severity::kWarning && !wanted) add(severity, text);
    // Messages below the thresholds arrive here, too: complaints, and requested pictures.
    Logger& out = severity >= Severity::kWarning ? shown_ : requested_;
    const Logger::Indent indent(out, levels);
    out.log(severity, module, text, once);
  });
}

PageComplaints::~PageComplaints() {
  log_.set_relay({});
  for (const auto& [path, threshold] : thresholds_) log_.set_severity(path, threshold);
}

void PageComplaints::add(Severity severity, std::string_view text) {
  const auto [known, is_new] = known_.emplace(strip(text));
  if (is_new) received_.emplace_back(severity, *known);
}

void PageComplaints::add_to(ReportPage& page) const {
  const std::set<std::string, std::less<>> said = lines_of(page);
  std::vector<std::string> texts;
  for (const auto& [severity, text] : received_) {
    if (is_said(text, said)) continue;
    texts.push_back((severity == Severity::kWarning ? "Warning: " : "Error: ") +
                    first_lines(without_times(text)));
  }
  ReportNotes notes{.title = "Errors and warnings", .lines = grouped_by_output(texts)};
  if (notes.lines.empty()) return;
  if (const size_t count = notes.lines.size(); count > kLines) {
    notes.lines.resize(kLines);
    notes.lines.push_back(and_more(count, kLines, ""));
  }
  page.sections.insert(page.sections.begin() + (page.sections.empty() ? 0 : 1), std::move(notes));
}

}  // namespace polygraphy::cli
