#include "cli/run_report.h"

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/args/report.h"
#include "graphsurgeon/io/load.h"

namespace polygraphy::cli {
namespace {

// Nobody has to be told twice what is wrong with the model: the runners do.
Layers layers_of_model(const std::string& path) {
  if (path.empty()) return {};
  try {
    graphsurgeon::LoadOptions options;
    options.ignore_external_data = true;
    return layers_of(*graphsurgeon::load_model(path, options).graph);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

RunReport::RunReport(Session& session, const ModelSource& source, CompareOptions& options)
    : session_(session),
      source_(source),
      options_(options),
      folder_(output_dir(session.args(), session.env())),
      report_(folder_.empty() ? Layers() : layers_of_model(source.path)) {
  if (!folder_.empty()) options.observer = &report_;
}

bool RunReport::around(const std::function<bool()>& run) {
  if (folder_.empty()) return run();
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
  ReportFacts facts{session_.command_line(), source_.path, std::string(verdict), {}};
  facts.files.emplace_back("Log", folder_ + "/log.txt");
  if (!options_.save_inputs.empty()) facts.files.emplace_back("Inputs", options_.save_inputs);
  if (!options_.save_outputs.empty()) facts.files.emplace_back("Outputs", options_.save_outputs);
  write_file(folder_ + "/report.json", report_.json(facts));
  write_file(folder_ + "/report.txt", report_.text(facts));
  session_.log().info("tools/run/run.py", "Saving a report to " + folder_ + "/report.txt");
}

}  // namespace polygraphy::cli
