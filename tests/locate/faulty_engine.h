// An engine that gets nodes wrong: ONNX Runtime, on a model in which faults are planted. It can
// compute in another format.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "planted_fault.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

// Of the tree that the tests are built in.
PluginPaths built_paths();

// The model of the source, with the faults in it, in ONNX Runtime. Without a format: in the model's
// own types.
// It refuses models with more outputs than `most_outputs`.
std::shared_ptr<Runner> faulty_engine(const ModelSource& source, std::vector<Fault> faults,
                                      std::optional<NumberFormat> format,
                                      size_t most_outputs = SIZE_MAX);

}  // namespace polygraphy
