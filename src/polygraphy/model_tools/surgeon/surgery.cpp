#include "polygraphy/model_tools/surgeon/surgery.h"

#include <string>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/diff/diff.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/model_tools/inspect/diff_text.h"
#include "polygraphy/model_tools/inspect/model_text.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/loaders/prepare_model.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

void say_what_changed(const ModelSource& source, const Model& result, Logger& log) {
  if (!log.enabled(Severity::kVerbose, log_modules::kSurgeon)) return;
  try {
    const Model before = load_as_is(source);
    graphsurgeon::DiffOptions options;
    options.read_weights = false;
    log.verbose(log_modules::kSurgeon,
                "Changes: " + diff_summary(graphsurgeon::diff(before, result, options)));
  } catch (const Error& error) {
    // The surgery itself went well.
    log.verbose(log_modules::kSurgeon,
                std::string("Cannot determine the changes: ") + error.what());
  }
}

}  // namespace

void show_model(const Model& model, std::string_view title, Logger& log) {
  if (!log.enabled(Severity::kInfo, log_modules::kSurgeon)) return;
  std::string text = std::string(title) + ":\n" + model_text(model, {}, log);
  while (text.ends_with('\n')) text.pop_back();
  log.info(log_modules::kSurgeon, text + "\n\n");
}

std::unique_ptr<Model> load_original(const ModelSource& source, Logger& log,
                                     const std::function<void(Model&)>& edit) {
  auto model = load_onnx(source, log);
  if (!source.ignore_external_data) graphsurgeon::check_external_data(*model);
  if (edit) edit(*model);
  show_model(*model, "Original Model", log);
  return model;
}

void save_result(const Model& result, const SurgeryFiles& files, Logger& log) {
  if (files.output.path.empty()) return;
  say_what_changed(files.model, result,
                   log);  // while the input is there: the result may replace it
  OnnxSaving saving = files.output;
  if (files.model.ignore_external_data) {
    saving.options.share_external_data = true;
    saving.options.keep_references = true;
  }
  save_onnx(result, saving, log);
  show_model(result, "New Model", log);
}

}  // namespace polygraphy
