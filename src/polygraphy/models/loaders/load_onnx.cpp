#include "polygraphy/models/loaders/load_onnx.h"

#include <string>

#include "base/log_modules.h"
#include "polygraphy/models/loaders/infer_model_shapes.h"
#include "polygraphy/models/loaders/mark_outputs.h"
#include "polygraphy/models/loaders/prepare_model.h"

namespace polygraphy {
std::unique_ptr<graphsurgeon::Model> load_onnx(const ModelSource& source, Logger& log) {
  if (!source.model) log.info(log_modules::kOnnxLoader, "Loading model: " + source.path);
  if (!source.external_data_dir.empty()) {
    log.verbose(log_modules::kOnnxLoader,
                "Loading external data from: " + source.external_data_dir);
  }
  auto model = std::make_unique<graphsurgeon::Model>(load_as_is(source));
  if (source.shape_inference) infer_model_shapes(*model, log);
  select_outputs(*model, output_selection(source), log);
  if (source.tidy) tidy_model(*model, log);
  if (source.float16) make_float16(*model, log);
  return model;
}

}  // namespace polygraphy
