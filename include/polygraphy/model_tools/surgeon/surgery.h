// Steps that every job on a model file shares: load, log, save, log.
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
  OnnxSaving output = {};  // without a path, the result is only returned
};

// INFO: the model's inputs, outputs and counts under `title`.
void show_model(const graphsurgeon::Model& model, std::string_view title, Logger& log);

// Loads the model (load_onnx()), applies `edit`, which may be empty, and logs it. Throws Error,
// also if external data to copy is missing.
std::unique_ptr<graphsurgeon::Model> load_original(
    const ModelSource& source, Logger& log,
    const std::function<void(graphsurgeon::Model&)>& edit = {});

// Saves the result (save_onnx()) and logs it; at VERBOSE, logs the changes first. References to
// external data that loading ignored stay unchanged. Does nothing without an output path. Throws
// Error.
void save_result(const graphsurgeon::Model& result, const SurgeryFiles& files, Logger& log);

}  // namespace polygraphy
