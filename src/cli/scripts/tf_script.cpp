#include "cli/scripts/tf_script.h"

#include "base/error.h"

namespace polygraphy::cli {

std::optional<TfScript> resolve_tf_script(const ParsedArgs& args, const ModelSource& model) {
  const auto format = tensorflow_script_format(model.format);
  if (!format) return std::nullopt;
  return TfScript{.format = *format,
                  .path = model.path,
                  .checkpoint = args.text("--ckpt").value_or(""),
                  .freeze = args.has("--freeze-graph"),
                  .outputs = args.list("--tf-outputs"),
                  .save_graph = args.text("--save-pb").value_or(""),
                  .save_tensorboard = args.text("--save-tensorboard").value_or(""),
                  .save_engines = args.text("--save-engine").value_or(""),
                  .opset = args.integer("--opset"),
                  .gpu_memory_fraction = args.number("--gpu-memory-fraction"),
                  .allow_growth = args.has("--allow-growth"),
                  .xla = args.has("--xla"),
                  .save_timeline = args.text("--save-timeline").value_or("")};
}

void require_onnx_in_script(const ModelSource& model) {
  if (model.format == kOnnxFormat || tensorflow_script_format(model.format)) return;
  throw Error("Model type: " + model.format + " could not be converted to an ONNX model.",
              "Model: " + model.path +
                  "\nGive --model-type onnx if it is an ONNX model under another name.");
}

}  // namespace polygraphy::cli
