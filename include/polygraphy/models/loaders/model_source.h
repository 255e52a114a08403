// Which model is run, and the form in which a back end gets it.
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

// What is run: a file, or a model in memory, possibly edited on the way.
struct ModelSource {
  std::string path = {};  // of a model in memory: what messages call it
  // A copy of it, which shares its weights, is worked on, and no file is read. It must outlive the
  // source. Not for runners in processes of their own, which are given a file.
  const graphsurgeon::Model* model = nullptr;
  // What it is, as a back end calls it. One that is not ONNX is handed over as it is: nothing of
  // what follows applies, but for `tensorflow`.
  std::string format = std::string(kOnnxFormat);
  std::string external_data_dir = {};  // --external-data-dir
  bool ignore_external_data = false;
  // --onnx-outputs: names, wildcards; {"*"} or {"mark", "all"} = all; empty: as is.
  std::vector<std::string> outputs = {};
  std::vector<std::string> exclude_outputs = {};  // --onnx-exclude-outputs
  std::vector<std::string> outputs_by_type = {};  // --onnx-outputs-by-type
  bool shape_inference = false;                   // --shape-inference
  bool float16 = false;                           // --fp-to-fp16
  // --save-intermediate-outputs: in addition to what those select (OutputSelection::also).
  std::vector<std::string> also_outputs = {};
  bool tidy = false;  // --onnx-graphsurgeon: the graph library's cleanup and order of nodes
  TensorFlowReading tensorflow = {};
};

// A model as it is handed to a back end. The strings and bytes are needed during load() only.
struct ModelBlob {
  std::string path = {};  // used when bytes is empty
  std::string_view bytes = {};
  std::string external_data_dir = {};  // for bytes: where their external data lies; may be empty
  std::string format = std::string(kOnnxFormat);
};

}  // namespace polygraphy
