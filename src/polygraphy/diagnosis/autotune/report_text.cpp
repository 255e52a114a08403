#include "polygraphy/diagnosis/autotune/report_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "base/text_table.h"

namespace polygraphy {
namespace {

std::vector<std::string> row(const Attempt& attempt) {
  if (!attempt.duel) {
    return {attempt.replacements, "-", "-", "rejected: " + replace_all(attempt.refusal, "\n", " ")};
  }
  const Duel& duel = *attempt.duel;
  return {attempt.replacements, milliseconds(duel.best), milliseconds(duel.candidate),
          change_text(duel.best, duel.candidate) + (duel.faster ? ", kept" : ", not kept")};
}

}  // namespace

std::string milliseconds(double seconds) {
  return fmt::format("{:.4g} ms", seconds * 1e3);
}

std::string change_text(double before, double after) {
  const double change = before > 0 ? 100 * (after / before - 1) : 0;
  return fmt::format("{:.1f} % {}", std::abs(change), change > 0 ? "more" : "less");
}

std::string report_text(const AutotuneReport& report) {
  std::string text = "Model:    " + report.model + "\n" + "Runner:   " + report.runner + "\n" +
                     "Inputs:   " + (report.inputs.empty() ? "none" : report.inputs) + "\n" +
                     fmt::format("Measured: {} run(s) after {}, in turns; latencies are medians\n",
                                 report.runs, report.warm_up) +
                     "Mode:     " + report.mode + "\n";
  text += fmt::format("\n{} replacement(s) found:\n", report.found.size());
  for (const std::string& each : report.found) text += "    " + each + "\n";
  text +=
      fmt::format("\n{} candidate(s), each beside the best one so far:\n", report.attempts.size());
  std::vector<std::vector<std::string>> rows{{"tried", "best before", "candidate", "result"}};
  for (const Attempt& attempt : report.attempts) rows.push_back(row(attempt));
  for (const std::string& line : table_lines(rows)) text += "    " + line + "\n";
  text += fmt::format("\n{} replacement(s) kept:\n", report.kept.size());
  for (const std::string& each : report.kept) text += "    " + each + "\n";
  text += "\n";
  if (report.result) {
    text += fmt::format("Unmodified model: {}\nBest model:       {} ({})\n",
                        milliseconds(report.result->best), milliseconds(report.result->candidate),
                        change_text(report.result->best, report.result->candidate));
  } else {
    text += "Interrupted: the best model so far.\n";
  }
  text += "Saved to:         " + report.output + "\n";
  return text;
}

}  // namespace polygraphy
