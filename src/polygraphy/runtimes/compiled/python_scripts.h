// Engines and networks that the user's own Python makes, with its `tensorrt` module: for scripts
// that make or change that module's objects, which a builder of ours does not have.
#pragma once

#include <string>
#include <string_view>

#include "base/log.h"
#include "polygraphy/runtimes/compiled/engine_job.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// The format of models that TensorRT has compiled.
inline constexpr std::string_view kEngineFormat = "engine";
// The format of models that are a script: FILE.py:FUNCTION.
inline constexpr std::string_view kNetworkScriptFormat = "trt-network-script";
// The function of the script, unless another one is given.
inline constexpr std::string_view kNetworkFunction = "load_network";

// Whether the job has a script of TensorRT's module: as its model, or among its options. An engine
// is built already.
bool needs_python(const EngineJob& job);
// The same, of scripts that make or change the network.
bool network_needs_python(const EngineJob& job);

// Of the options of TensorRT, those that an engine is loaded and run with.
BackendOptions options_of_running(const BackendOptions& options);

// build_engine() of a job that needs it. The scripts run in the order network, its post-processing,
// configuration, its post-processing; a configuration script replaces all options of the builder.
// Throws Error: the job has no interpreter; RunnerFailure: no Python, no `tensorrt` there, a script
// that fails (with its traceback as hint), more time than the job has, an option that cannot be
// combined with scripts; Error: the model cannot be read.
void build_in_python(const EngineJob& job, const std::string& path, Logger& log);
// describe_network() of a job with a network that needs it. Throws as build_in_python().
NetworkDescription describe_in_python(const EngineJob& job, Logger& log, bool weights);

}  // namespace polygraphy
