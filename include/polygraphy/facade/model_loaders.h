// Lazy loaders of models: small composable objects that do nothing until they are called.
//
//   auto loader = SaveOnnx(ModifyOutputs(OnnxFromPath("in.onnx"), {"*"}), "all.onnx");
//   graphsurgeon::Model model = loader();   // now
//
// Every call repeats the work. Messages go to `log` if given; it must outlive the loader. Errors of
// inner loaders and functions pass through.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Anything that provides a model: a path, a model, a loader below, a function.
class ModelLoader {
 public:
  // Loads this file; runtimes receive the path itself.
  ModelLoader(std::string path);
  ModelLoader(const char* path) : ModelLoader(std::string(path)) {}
  // The same model each time.
  ModelLoader(graphsurgeon::Model model);
  template <typename F>
    requires(std::is_invocable_r_v<graphsurgeon::Model, const F&> &&
             !std::derived_from<F, ModelLoader>)
  ModelLoader(F load) : load_(std::move(load)) {}

  graphsurgeon::Model operator()() const { return load_(); }
  // The path, if the model is an unmodified file.
  const std::optional<std::string>& path() const { return path_; }

 protected:
  std::function<graphsurgeon::Model()> load_;
  std::optional<std::string> path_;
};

class OnnxFromPath : public ModelLoader {
 public:
  explicit OnnxFromPath(std::string path, graphsurgeon::LoadOptions options = {});
};

// From an encoded model; the bytes are kept.
class OnnxFromBytes : public ModelLoader {
 public:
  explicit OnnxFromBytes(std::string bytes);
};

struct OutputSelection;  // polygraphy/loaders/mark_outputs.h

// Selects other outputs: names and wildcards, {"*"} for all, or an OutputSelection.
class ModifyOutputs : public ModelLoader {
 public:
  ModifyOutputs(ModelLoader model, std::vector<std::string> outputs, Logger* log = nullptr);
  ModifyOutputs(ModelLoader model, const OutputSelection& selection, Logger* log = nullptr);
};

class InferShapes : public ModelLoader {
 public:
  explicit InferShapes(ModelLoader model, Logger* log = nullptr);
};

struct FoldModelOptions;  // polygraphy/loaders/fold_model.h

// Folds to a fixed point, as `polygraphy surgeon sanitize --fold-constants` does. An evaluator,
// such as default_evaluator(), computes constants; without one, only shapes are folded.
class FoldConstants : public ModelLoader {
 public:
  explicit FoldConstants(ModelLoader model, graphsurgeon::FoldOptions options = {},
                         Logger* log = nullptr);
  FoldConstants(ModelLoader model, const FoldModelOptions& options, Logger* log = nullptr);
};

class ConvertToFp16 : public ModelLoader {
 public:
  explicit ConvertToFp16(ModelLoader model, Logger* log = nullptr);
};

// Saves the model and passes it on.
class SaveOnnx : public ModelLoader {
 public:
  SaveOnnx(ModelLoader model, std::string path, graphsurgeon::SaveOptions options = {});
};

// A loader that calls `base` and then `function` with the result, which `function` may edit, or
// replace with its return value. `base` is any callable without arguments.
template <typename Base, typename F>
auto extend(Base base, F function) {
  using Result = std::decay_t<std::invoke_result_t<const Base&>>;
  return [base = std::move(base), function = std::move(function)]() -> Result {
    Result result = base();
    if constexpr (std::is_void_v<std::invoke_result_t<const F&, Result&>>) {
      function(result);
      return result;
    } else {
      return function(result);
    }
  };
}

}  // namespace polygraphy
