// The forms in which runners and tools take one model: of TensorFlow's, the user's Python makes
// others.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/os/scratch_folder.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"

namespace polygraphy {

// Each form of a model is made once, in a temporary folder that lives as long as this.
class ModelForms {
 public:
  // `python` makes the forms; null: a model that needs another form is an Error.
  explicit ModelForms(std::shared_ptr<UserPython> python) : python_(std::move(python)) {}

  // As runners of ONNX models take it: the ONNX model that is made of one of TensorFlow; any other
  // stays. Throws as convert_tensorflow().
  ModelSource onnx(const ModelSource& model);
  // As TensorFlow's library reads it: of a model of Keras, a SavedModel; frozen with
  // TensorFlowReading::freeze. Any other stays. Throws the same.
  ModelSource readable(const ModelSource& model);

 private:
  struct Made {
    std::string key;
    ScratchFolder folder;
    std::string path;
  };
  ModelSource converted(const ModelSource& model, TensorFlowForm form, const std::string& file,
                        std::string_view format);

  std::shared_ptr<UserPython> python_;
  std::vector<std::unique_ptr<const Made>> made_;
};

}  // namespace polygraphy
