// What every `surgeon` command does around its own work: load, show, save, show.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cli/args/model.h"
#include "cli/args/onnx_saving.h"
#include "cli/session.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/tensors/metadata.h"

namespace polygraphy::cli {

// Logs the model's inputs, outputs and numbers under `title`.
void show_model(const graphsurgeon::Model& model, std::string_view title, Logger& log);

// Types and shapes of `tensors`, from running the model once on the inputs that the data loader's
// options ask for (fallback shape inference). Throws Error. The command takes the group
// args_data_loader.
Metadata observe_model(Session& session, const graphsurgeon::Model& model, const Metadata& shapes,
                       const std::vector<graphsurgeon::TensorRef>& tensors, Logger& log);

class Surgery {
 public:
  // Understands the options of the groups that all surgeon commands take: model, loading, saving.
  // Throws Error.
  explicit Surgery(Session& session);

  // The same model with other options for loading it may be asked for before load().
  ModelSource& source() { return source_; }
  const OnnxSaving& saving() const { return saving_; }
  const ModelSource& source() const { return source_; }
  const ModelArgs& model_args() const { return model_args_; }

  // Loads the model, does `more` to it, and shows it. Throws Error, also when external data that
  // will have to be copied is not there.
  using Edit = std::function<void(graphsurgeon::Model&)>;
  std::unique_ptr<graphsurgeon::Model> open(Logger& log, const Edit& more = {}) const;
  // The same; the model is the one that save() saves.
  graphsurgeon::Model& load();
  void take(std::unique_ptr<graphsurgeon::Model> model) { model_ = std::move(model); }
  // Saves the model and shows it; at VERBOSE, says first what changed. Returns the exit code.
  int save();

 private:
  void say_what_changed() const;

  Session& session_;
  ModelArgs model_args_;
  ModelSource source_;
  OnnxSaving saving_;
  std::unique_ptr<graphsurgeon::Model> model_;
};

}  // namespace polygraphy::cli
