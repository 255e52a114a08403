// The model to run, and the form in which a back end receives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace graphsurgeon {
struct Model;
}

namespace polygraphy {

// The format of models that the graph library reads and edits (pgb_model_format.name).
inline constexpr std::string_view kOnnxFormat = "onnx";

// How a model of TensorFlow is read.
struct TensorFlowReading {
  std::string checkpoint = {};            // the name of one in the folder; empty: the newest
  std::string signature = {};             // of a SavedModel; empty: the default one
  std::vector<std::string> outputs = {};  // of a graph; empty: its own
  std::optional<int64_t> opset = {};      // of the ONNX model; nullopt: tf2onnx's choice
  bool freeze = false;                    // runners get it with constants instead of variables
};

// The model to run: a file, or a model in memory, possibly edited on the way.
struct ModelSource {
  std::string path = {};  // for a model in memory: its name in messages
  // The source for a model in memory, which must outlive this object; edits apply to a copy that
  // shares the weights. Not for runners in separate processes, which need a file.
  const graphsurgeon::Model* model = nullptr;
  // The model's format, by a back end's name of it. A format other than ONNX is passed on
  // unchanged: of the following fields, only `tensorflow` applies.
  std::string format = std::string(kOnnxFormat);
  std::string external_data_dir = {};  // --external-data-dir
  bool ignore_external_data = false;
  // --onnx-outputs: names, wildcards; {"*"} or {"mark", "all"} = all; empty: as is.
  std::vector<std::string> outputs = {};
  std::vector<std::string> exclude_outputs = {};  // --onnx-exclude-outputs
  std::vector<std::string> outputs_by_type = {};  // --onnx-outputs-by-type
  bool shape_inference = false;                   // --shape-inference
  bool float16 = false;                           // --fp-to-fp16
  // --save-intermediate-outputs: further outputs (OutputSelection::also).
  std::vector<std::string> also_outputs = {};
  bool tidy = false;  // --onnx-graphsurgeon: the graph library's cleanup and order of nodes
  // A runtime that refuses the model for its local functions gets a copy with these inlined, and a
  // warning says so.
  bool inline_refused = false;
  TensorFlowReading tensorflow = {};
};

// The model argument of a back end. Strings and bytes are used during load() only.
struct ModelBlob {
  std::string path = {};  // used when bytes is empty
  std::string_view bytes = {};
  std::string external_data_dir = {};  // for bytes: the folder of their external data; may be empty
  std::string format = std::string(kOnnxFormat);
};

}  // namespace polygraphy
