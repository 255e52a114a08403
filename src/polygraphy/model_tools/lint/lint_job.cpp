#include "polygraphy/model_tools/lint/lint_job.h"

#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "formats/record_json.h"
#include "polygraphy/model_tools/lint/rule.h"
#include "polygraphy/model_tools/lint/sarif.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/loaders/override_shapes.h"

namespace polygraphy {
namespace {

// A file that is not a model is a finding; other failures do not concern the model.
std::unique_ptr<graphsurgeon::Model> load(const ModelSource& source, Logger& log) {
  try {
    return load_onnx(source, log);
  } catch (const FormatError&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw Error(error.code(), std::string("Unhandled error: ") + error.what(), error.hint());
  }
}

}  // namespace

LintReportFile lint_report_file(const std::string& path, const std::string& typed) {
  return {path, typed, path.ends_with(".sarif")};
}

LintResult lint(const LintJob& job, Logger& log) {
  const auto load_with_shapes = [&] {
    const auto loaded = load(job.model, log);
    if (!loaded->graph->nodes().empty() && !job.shapes.empty())
      override_shapes(*loaded, job.shapes, log);
    return std::move(*loaded);
  };
  const auto feeds = job.feeds ? job.feeds(log) : generated_feeds({}, log);
  LintResult result = lint(job.model.path, load_with_shapes, job.options, *feeds, log);
  log.log(result.passed ? Severity::kInfo : Severity::kError, log_modules::kLint,
          headline(result.verdict()));
  for (const LintReportFile& file : job.reports) {
    log.info(log_modules::kSerde,
             "Saving linting report to " + (file.typed.empty() ? file.path : file.typed));
    write_file(file.path,
               file.sarif ? to_sarif(result.report, job.typed_model) : record_text(result));
  }
  return result;
}

}  // namespace polygraphy
