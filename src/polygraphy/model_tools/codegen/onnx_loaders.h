// The original's chain of loaders for a model file with the requested edits.
#pragma once

#include <optional>
#include <string>

#include "polygraphy/model_tools/codegen/loader_lines.h"
#include "polygraphy/model_tools/codegen/python_text.h"
#include "polygraphy/model_tools/codegen/tf_loaders.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy {

struct OnnxLoaderOptions {
  ModelSource source;
  // The model is TensorFlow's, and is converted to ONNX: `source` and the options for reading files
  // do not apply.
  std::optional<TfScript> tensorflow = {};
  std::string external_data_dir;  // as typed; empty: the model's own folder
  bool allow_onnxruntime = true;  // for shape inference
  std::string save_path;          // empty: the model is not saved
  // Where external data goes; "": a name that the original chooses. nullopt: into the model.
  std::optional<std::string> external_data;
  std::optional<int64_t> size_threshold;
  bool one_file = true;
};

class OnnxLoaders {
 public:
  // The loaders that `options` ask for. The references stay valid.
  OnnxLoaders(const OnnxLoaderOptions& options, PythonImports& imports, LoaderLines& lines);

  // Python text of the last result: the model's path, quoted, or a variable.
  const std::string& last() const { return last_; }
  // Whether anything is done before the runtime reads the file.
  bool any() const { return any_; }
  // Loads the file if no loader did, for consumers that do not accept a path.
  void load();
  // One more of them: VARIABLE = NAME(last, arguments). `imported` may be "A as B". VARIABLE
  // becomes last().
  void add(const std::string& variable, const std::string& imported,
           const std::vector<std::string>& arguments = {});

 private:
  PythonImports& imports_;
  LoaderLines& lines_;
  std::vector<std::string> where_;  // arguments of OnnxFromPath
  std::string last_;
  bool any_ = false;
};

}  // namespace polygraphy
