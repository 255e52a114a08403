#include "polygraphy/models/tensorflow/convert_tensorflow.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/os/mapped_file.h"
#include "base/progress.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModule = "backend/tf/loader.py";

std::string_view name_of(TensorFlowForm form) {
  switch (form) {
    case TensorFlowForm::kSavedModel:
      return "saved_model";
    case TensorFlowForm::kFrozen:
      return "frozen";
    case TensorFlowForm::kOnnx:
      break;
  }
  return "onnx";
}

std::string described(TensorFlowForm form, const std::string& format) {
  switch (form) {
    case TensorFlowForm::kSavedModel:
      return "a SavedModel";
    case TensorFlowForm::kFrozen:
      return has_signatures(format) ? "a frozen SavedModel" : "a frozen graph";
    case TensorFlowForm::kOnnx:
      break;
  }
  return "an ONNX model";
}

// The checkpoint's path without its extension.
std::string prefix_of(const TensorFlowModel& model) {
  const fs::path path(model.path);
  std::error_code ignored;
  if (!fs::is_directory(path, ignored))
    return path.extension() == ".meta" ? path.parent_path() / path.stem() : path;
  if (!model.checkpoint.empty()) return path / model.checkpoint;
  // "model_checkpoint_path: "model"" on a separate line.
  constexpr std::string_view kKey = "model_checkpoint_path: \"";
  if (fs::is_regular_file(path / "checkpoint", ignored)) {
    const auto file = MappedFile::open(path / "checkpoint");
    const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()),
                                file->bytes().size());
    if (text.starts_with(kKey)) {
      const std::string_view name = text.substr(kKey.size());
      return path / name.substr(0, name.find('"'));
    }
  }
  throw Error(kNoCheckpointNamed,
              "The folder " + model.path + " has no file `checkpoint` with a checkpoint's name",
              "Give its name without the extension: model, for model.meta.");
}

}  // namespace

bool is_of_tensorflow(std::string_view format) {
  constexpr std::array kFormats = {kFrozenFormat, kSavedModelFormat, kCheckpointFormat,
                                   kKerasFormat};
  return std::find(kFormats.begin(), kFormats.end(), format) != kFormats.end();
}

std::string_view tensorflow_folder(const std::string& path) {
  std::error_code failed;
  for (const char* name : {"saved_model.pb", "saved_model.pbtxt"}) {
    if (fs::exists(fs::path(path) / name, failed)) return kSavedModelFormat;
  }
  if (fs::is_regular_file(fs::path(path) / "checkpoint", failed)) return kCheckpointFormat;
  for (const auto& entry : fs::directory_iterator(path, failed)) {
    if (entry.path().extension() == ".meta") return kCheckpointFormat;
  }
  return {};
}

bool has_signatures(std::string_view format) {
  return format == kSavedModelFormat || format == kKerasFormat;
}

void convert_tensorflow(const TensorFlowModel& model, TensorFlowForm wanted,
                        const std::string& path, UserPython& python) {
  PythonMessage request;
  const std::string doing = "Converting " + model.path + " to " + described(wanted, model.format);
  python.log().info(kModule, doing);
  request.header.set("what", doing);
  request.header.set("wanted", name_of(wanted));
  request.header.set("path", model.path);
  request.header.set("format", model.format);
  request.header.set("prefix", model.format == kCheckpointFormat ? prefix_of(model) : "");
  request.header.set("signature", model.signature);
  request.header.set("opset", model.opset.value_or(0));
  JsonValue::List outputs;
  for (const std::string& name : model.outputs) outputs.emplace_back(name);
  request.header.set("outputs", std::move(outputs));
  request.header.set("output", path);
  const ProgressPhase phase("converting to " + described(wanted, model.format));
  python.call("convert_tensorflow", std::move(request), doing);
}

}  // namespace polygraphy
