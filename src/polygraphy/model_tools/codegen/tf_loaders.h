// The original's loaders for TensorFlow, as Python text: graph, ONNX model, session, runner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/model_tools/codegen/loader_lines.h"
#include "polygraphy/model_tools/codegen/python_text.h"

namespace polygraphy {

// A model of TensorFlow, and its options. Empty paths: not saved.
struct TfScript {
  enum class Format : uint8_t { kFrozen, kKeras, kCheckpoint };
  Format format = Format::kFrozen;
  std::string path = {};
  std::string checkpoint = {};  // the name of one in the folder `path`; empty: the one in its list
  bool freeze = false;
  std::vector<std::string> outputs = {};  // of the runner; empty: those that the graph has
  std::string save_graph = {}, save_tensorboard = {}, save_engines = {};
  std::optional<int64_t> opset = {};  // of the ONNX model that is made of it

  std::optional<double> gpu_memory_fraction = {};
  bool allow_growth = false, xla = false;
  std::string save_timeline = {};
};

// Of a model's format (pgb_model_format.name); nullopt: the original has none.
std::optional<TfScript::Format> tensorflow_script_format(std::string_view format);

class TfLoaders {
 public:
  // The references stay valid.
  TfLoaders(const TfScript& script, PythonImports& imports, LoaderLines& lines)
      : script_(script), imports_(imports), lines_(lines) {}

  // Each adds lines and returns Python text of their result.
  std::string onnx_model();
  std::string runner();

 private:
  std::string add(const std::string& variable, const PythonCall& call);
  std::string graph(const std::vector<std::string>& outputs);
  std::string loaded();
  std::string config();

  const TfScript& script_;
  PythonImports& imports_;
  LoaderLines& lines_;
};

}  // namespace polygraphy
