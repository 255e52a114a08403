// What every job on a model file does around its own work: load, show, save, show.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/loaders/save_onnx.h"

namespace polygraphy {

struct SurgeryFiles {
  ModelSource model;
  OnnxSaving output = {};  // without a path: the result is returned and not saved
};

// INFO: the model's inputs, outputs and numbers under `title`.
void show_model(const graphsurgeon::Model& model, std::string_view title, Logger& log);

// Loads the model (load_onnx()), does `edit` to it, which may be empty, and shows it. Throws Error,
// also when external data that will have to be copied is not there.
std::unique_ptr<graphsurgeon::Model> load_original(
    const ModelSource& source, Logger& log,
    const std::function<void(graphsurgeon::Model&)>& edit = {});

// Saves the result (save_onnx()) and shows it; at VERBOSE, says first what changed. Where external
// data was ignored when the model was loaded, references to it stay as they are. Nothing without an
// output path. Throws Error.
void save_result(const graphsurgeon::Model& result, const SurgeryFiles& files, Logger& log);

}  // namespace polygraphy
