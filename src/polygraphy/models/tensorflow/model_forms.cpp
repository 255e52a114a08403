#include "polygraphy/models/tensorflow/model_forms.h"

#include <utility>

#include "base/fingerprint.h"

namespace polygraphy {
namespace {

std::string key_of(const ModelSource& model, TensorFlowForm form) {
  FingerprintBuilder key;
  key.add(model.path).add(model.format).add(static_cast<uint64_t>(form));
  key.add(model.tensorflow.checkpoint).add(model.tensorflow.signature);
  key.add(static_cast<uint64_t>(model.tensorflow.opset.value_or(-1)));
  for (const std::string& output : model.tensorflow.outputs) key.add(output);
  return key.value().text();
}

TensorFlowModel described(const ModelSource& model) {
  return {.path = model.path,
          .format = model.format,
          .checkpoint = model.tensorflow.checkpoint,
          .signature = model.tensorflow.signature,
          .outputs = model.tensorflow.outputs,
          .opset = model.tensorflow.opset};
}

}  // namespace

ModelSource ModelForms::converted(const ModelSource& model, TensorFlowForm form,
                                  const std::string& file, std::string_view format) {
  ModelSource source = model;
  source.format = format;
  source.tensorflow = {};
  const std::string key = key_of(model, form);
  for (const auto& made : made_) {
    if (made->key != key) continue;
    source.path = made->path;
    return source;
  }
  if (!python_) {
    throw Error("'" + model.path + "' is a model of TensorFlow (" + model.format +
                    "): its conversion needs Python, which is missing",
                "Set RunnerTools::python, or convert the model.");
  }
  std::unique_ptr<Made> made(new Made{
      .key = key, .folder = ScratchFolder(temporary_folder() + "/.polygraphy-model-"), .path = {}});
  made->path = made->folder / file;
  convert_tensorflow(described(model), form, made->path, *python_);
  source.path = made->path;
  made_.push_back(std::move(made));
  return source;
}

ModelSource ModelForms::onnx(const ModelSource& model) {
  if (!is_of_tensorflow(model.format)) return model;
  return converted(model, TensorFlowForm::kOnnx, "model.onnx", kOnnxFormat);
}

ModelSource ModelForms::readable(const ModelSource& model) {
  const bool freeze = model.tensorflow.freeze;
  if (freeze && has_signatures(model.format))
    return converted(model, TensorFlowForm::kFrozen, "model", kSavedModelFormat);
  if (model.format == kKerasFormat)
    return converted(model, TensorFlowForm::kSavedModel, "model", kSavedModelFormat);
  if (freeze && model.format == kCheckpointFormat)
    return converted(model, TensorFlowForm::kFrozen, "model.pb", kFrozenFormat);
  return model;
}

}  // namespace polygraphy
