// Other forms of models of TensorFlow, made by the user's own Python.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {

// Formats of models (pgb_model_format.name).
inline constexpr std::string_view kFrozenFormat = "frozen";           // a GraphDef
inline constexpr std::string_view kSavedModelFormat = "saved_model";  // a folder
inline constexpr std::string_view kCheckpointFormat = "ckpt";         // a folder, or FILE.meta
inline constexpr std::string_view kKerasFormat = "keras";

// A folder with a checkpoint, but its name is neither given nor in the folder's list.
inline constexpr ErrorCode kNoCheckpointNamed{"no-checkpoint-named"};

bool is_of_tensorflow(std::string_view format);

// The format of a folder by its contents: a SavedModel or a checkpoint; empty: neither.
std::string_view tensorflow_folder(const std::string& path);

// Whether models of the format say which inputs and outputs they have: SavedModels, and models of
// Keras, of which SavedModels are made.
bool has_signatures(std::string_view format);

struct TensorFlowModel {
  std::string path;
  std::string format;
  std::string checkpoint = {};            // the name of one in the folder; empty: the newest
  std::string signature = {};             // of a SavedModel; empty: the default one
  std::vector<std::string> outputs = {};  // empty: its own
  std::optional<int64_t> opset = {};      // of the ONNX model; nullopt: tf2onnx's choice
};

enum class TensorFlowForm : uint8_t {
  kOnnx,        // by tf2onnx; inputs and outputs have the names that TensorFlow's runner has
  kSavedModel,  // a folder; of models of Keras only
  // With constants instead of variables: of frozen graphs and checkpoints a GraphDef of the nodes
  // that the outputs need; of SavedModels and models of Keras a SavedModel of the signature, with
  // functions inlined.
  kFrozen,
};

// Makes `wanted` of the model at `path`. Throws Error: there is no Python, or it lacks tensorflow
// or tf2onnx (how to install), or cannot import them (why); the model cannot be read, or has parts
// that ONNX lacks or cannot be frozen (the end of the printed text as hint).
void convert_tensorflow(const TensorFlowModel& model, TensorFlowForm wanted,
                        const std::string& path, UserPython& python);

}  // namespace polygraphy
