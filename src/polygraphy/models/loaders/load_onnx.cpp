#include "polygraphy/models/loaders/load_onnx.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "base/log_modules.h"
#include "polygraphy/models/loaders/infer_model_shapes.h"
#include "polygraphy/models/loaders/mark_outputs.h"
#include "polygraphy/models/loaders/model_folder.h"
#include "polygraphy/models/loaders/prepare_model.h"

namespace polygraphy {
namespace {

// They may have been made in order to show the contents of another file (CVE-2026-34446). Package
// managers make them, too, and both look alike.
void warn_of_hard_links(const graphsurgeon::Model& model, Logger& log) {
  for (const DataFile& file : external_data_files(model)) {
    std::error_code failed;
    const auto path = std::filesystem::path(file.folder) / file.location;
    const auto links = std::filesystem::hard_link_count(path, failed);
    // Folders have many; loading them fails for another reason.
    if (failed || links < 2 || !std::filesystem::is_regular_file(path, failed)) continue;
    log.warning(log_modules::kOnnxLoader,
                fmt::format("External data {} has {} hard links: if the model is not yours, it may "
                            "be a file that the model's author should not see",
                            path.native(), links));
  }
}

}  // namespace

std::unique_ptr<graphsurgeon::Model> load_onnx(const ModelSource& source, Logger& log) {
  if (!source.model) log.info(log_modules::kOnnxLoader, "Loading model: " + source.path);
  if (!source.external_data_dir.empty()) {
    log.verbose(log_modules::kOnnxLoader,
                "Loading external data from: " + source.external_data_dir);
  }
  auto model = std::make_unique<graphsurgeon::Model>(load_as_is(source));
  warn_of_hard_links(*model, log);
  if (source.shape_inference) infer_model_shapes(*model, log);
  select_outputs(*model, output_selection(source), log);
  if (source.tidy) tidy_model(*model, log);
  if (source.float16) make_float16(*model, log);
  return model;
}

}  // namespace polygraphy
