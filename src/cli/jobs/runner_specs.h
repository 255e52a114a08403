// The runners that a command line asks for, as values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/args/data_loader.h"
#include "cli/session/session.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy::cli {

// Runners in the order of their flags, in separate processes with --isolate or --timeout. `shapes`:
// of the model's inputs. Throws Error: an option that a back end needs is missing, or a program is.
std::vector<RunnerSpec> resolve_runner_specs(const ParsedArgs& args, const Environment& env,
                                             const Metadata& shapes);
// A runner of a back end whose flag may be absent. Throws Error: no back end has this name.
RunnerSpec resolve_runner_spec(const ParsedArgs& args, const Environment& env,
                               const std::string& backend, const Metadata& shapes);

// The input data, for the calibration of int8.
void set_calibration(std::vector<RunnerSpec>& specs, const DataLoaderArgs& inputs,
                     const std::shared_ptr<UserPython>& python, Logger& log);

// Throws Error where there is no model, or a runner takes it in no form; before anything is
// converted. `onnx_too`: something else needs the ONNX model.
void require_runnable(Session& session, const std::vector<RunnerSpec>& specs,
                      const ModelSource& model, bool onnx_too = false);

// Whether one of the runners needs an ONNX model to be made of one of TensorFlow.
bool needs_conversion(const ParsedArgs& args, const std::vector<RunnerSpec>& specs,
                      const ModelSource& model);

}  // namespace polygraphy::cli
