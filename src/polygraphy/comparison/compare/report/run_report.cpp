#include "polygraphy/comparison/compare/report/run_report.h"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/visible_text.h"
#include "graphsurgeon/io/load.h"
#include "pictures/report_page/report_page.h"
#include "polygraphy/comparison/compare/report/comparison_document.h"
#include "polygraphy/comparison/compare/report/comparison_page.h"

namespace polygraphy {
namespace {

constexpr std::string_view kInterrupted = "INTERRUPTED", kUnfinished = "UNFINISHED";

// Empty for a model that cannot be loaded: the runners report its error.
Layers layers_of_model(const ReportOptions& report) {
  if (!report.wanted() || report.model.empty()) return {};
  try {
    graphsurgeon::LoadOptions options;
    options.ignore_external_data = true;
    return layers_of(*graphsurgeon::load_model(report.model, options).graph);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

RunReport::RunReport(ReportOptions report, CompareOptions& options, Logger& log)
    : options_(std::move(report)), run_(options), log_(log), report_(layers_of_model(options_)) {
  if (options_.wanted()) options.observer = &report_;
  if (options_.page) report_.count_differences();
}

Verdict RunReport::around(const std::function<Verdict()>& run) {
  if (!options_.wanted()) return run();
  // Until the run has ended, whatever ends it: no verdict of an earlier run stays.
  if (!options_.folder.empty()) write_files(facts(kUnfinished, {}), Durability::kNone);
  Verdict verdict;
  try {
    verdict = run();
  } catch (const Interrupted&) {
    write(kInterrupted);
    throw;
  } catch (const Error& error) {
    write(std::string("FAILED: ") + error.what());
    throw;
  }
  const bool passed = verdict.passed() || (verdict.acceptable() && report_.validates());
  write(verdict.failed() ? "FAILED" : passed ? "PASSED" : "NOT COMPARED", verdict);
  return verdict;
}

void RunReport::write(std::string_view status, const std::optional<Verdict>& verdict) {
  if (options_.page && status != kInterrupted)
    add_sections(comparison_sections(report_, facts(status, verdict)), *options_.page);
  if (!options_.json.empty() && status != kInterrupted)
    write_file(options_.json, comparison_json(report_, facts(status, verdict)));
  if (options_.folder.empty()) return;
  write_files(facts(status, verdict), Durability::kFsync);
  log_.info(log_modules::kRun, "Saving a report to " + options_.folder + "/report.txt");
}

ReportFacts RunReport::facts(std::string_view status, const std::optional<Verdict>& verdict) const {
  ReportFacts facts{options_.command, options_.model, std::string(status), verdict, {}};
  // Output files of an interrupted run keep their old contents; folders hold the finished
  // iterations.
  const auto add = [&](const char* what, const std::string& path, bool is_kept) {
    std::error_code ignored;
    if (is_kept ? std::filesystem::exists(path, ignored)
                : std::filesystem::is_directory(path, ignored)) {
      facts.files.emplace_back(what, path);
    }
  };
  const bool ended = status != kInterrupted && status != kUnfinished;
  if (!options_.folder.empty()) add("Log", options_.folder + "/log.txt", true);
  add("Inputs", run_.save_inputs, ended);
  add("Outputs", run_.save_outputs, ended);
  return facts;
}

void RunReport::write_files(const ReportFacts& facts, Durability durability) {
  std::error_code ignored;  // write_file() reports the error
  std::filesystem::create_directories(options_.folder, ignored);
  write_file(options_.folder + "/report.json", comparison_json(report_, facts), durability);
  std::string storage;
  write_file(options_.folder + "/report.txt", visible(report_.text(facts), storage), durability);
}

}  // namespace polygraphy
