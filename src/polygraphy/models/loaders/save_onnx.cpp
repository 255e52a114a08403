#include "polygraphy/models/loaders/save_onnx.h"

#include <cstdint>
#include <string_view>

#include "base/log_modules.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"

namespace polygraphy {
namespace {

constexpr int64_t kMostInline = 2'000'000'000;  // bytes; beyond, the original goes external, too

// Does the model hold more than one file can? Kept references do not count.
bool too_big(const graphsurgeon::Model& model) {
  int64_t bytes = 0;
  graphsurgeon::for_each_payload(model, [&](const graphsurgeon::PayloadUse& use) {
    if (!graphsurgeon::is_stripped(*use.values)) bytes += use.values->nbytes();
  });
  return bytes >= kMostInline;
}

}  // namespace

void save_onnx(const graphsurgeon::Model& model, const OnnxSaving& saving, Logger& log) {
  log.info(log_modules::kOnnxLoader, "Saving ONNX model to: " + saving.shown());
  graphsurgeon::SaveOptions options = saving.options;
  const auto warn_unused = [&](std::string_view option) {
    log.warning(log_modules::kOnnxLoader,
                std::string(option) +
                    " is set, but external data path has not been set. No external data "
                    "will be written.");
  };
  if (saving.unused_threshold) warn_unused("size_threshold");
  if (saving.unused_split) warn_unused("all_tensors_to_one_file");
  if (!options.external_data && !options.share_external_data && too_big(model)) {
    options.external_data = "";
    log.warning(log_modules::kOnnxLoader,
                "The model is too big for one file: storing its tensors beside it");
  }
  if (options.external_data) {
    const std::string& name = *options.external_data;
    log.verbose(log_modules::kOnnxLoader, "Saving external data for ONNX model to: " +
                                              (name.empty() ? saving.shown() + ".data" : name));
  }
  graphsurgeon::save_model(model, saving.path, options);
}

}  // namespace polygraphy
