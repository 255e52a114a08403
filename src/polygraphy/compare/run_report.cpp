#include "polygraphy/compare/run_report.h"

#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "graphsurgeon/io/load.h"

namespace polygraphy {
namespace {

// None of a model that cannot be loaded: the runners say what is wrong with it.
Layers layers_of_model(const ReportOptions& report) {
  if (report.folder.empty() || report.model.empty()) return {};
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
  if (!options_.folder.empty()) options.observer = &report_;
}

bool RunReport::around(const std::function<bool()>& run) {
  if (options_.folder.empty()) return run();
  bool passed = false;
  try {
    passed = run();
  } catch (const Interrupted&) {
    write("INTERRUPTED");
    throw;
  } catch (const Error& error) {
    write(std::string("FAILED: ") + error.what());
    throw;
  }
  write(passed ? "PASSED" : "FAILED");
  return passed;
}

void RunReport::write(std::string_view verdict) {
  ReportFacts facts{options_.command, options_.model, std::string(verdict), {}};
  facts.files.emplace_back("Log", options_.folder + "/log.txt");
  if (!run_.save_inputs.empty()) facts.files.emplace_back("Inputs", run_.save_inputs);
  if (!run_.save_outputs.empty()) facts.files.emplace_back("Outputs", run_.save_outputs);
  write_file(options_.folder + "/report.json", report_.json(facts));
  write_file(options_.folder + "/report.txt", report_.text(facts));
  log_.info(log_modules::kRun, "Saving a report to " + options_.folder + "/report.txt");
}

}  // namespace polygraphy
