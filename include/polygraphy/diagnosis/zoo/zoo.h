// Runs a model of a zoo on several engines, and says how far each of them gets.
//
//   Zoo zoo({.engines = {onnxrt, openvino}}, factory, log);
//   ZooModelResult result = zoo.examine("zoo/resnet.onnx", "resnet.onnx");
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/diagnosis/zoo/zoo_result.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

struct ZooJob {
  std::vector<RunnerSpec> engines;  // of back ends; the first that runs a model is its reference
  DataLoaderOptions inputs = {};    // for models without saved ones beside them; `model` is unused
  bool valid = true;                // inputs that the graph accepts
  int64_t noise_runs = 3;
  double threshold = 3;                 // errors up to this multiple of the noise pass
  std::optional<double> timeout = 300;  // seconds for a load or an inference
  bool locate = true;                   // find the guilty nodes of outputs that differ
  double reduce_seconds = 60;           // for the search of a smaller model that crashes; 0: none
  // Of engines without a number of threads in their options, and of the noise, since results may
  // depend on it; 0: their choice.
  int64_t threads = 1;
  CancelToken cancel = {};
};

// One process per engine serves one model after another, and restarts after a crash.
class Zoo {
 public:
  // `factory` and `log` outlive it. Nothing is started yet.
  Zoo(ZooJob job, RunnerFactory& factory, Logger& log);
  ~Zoo();
  Zoo(const Zoo&) = delete;
  Zoo& operator=(const Zoo&) = delete;

  // Feeds are read from test_data_set_0 beside the model, if there is such a folder, else
  // generated. A process that a signal from outside kills is tried again, twice. `name` stands for
  // the model in the result. Throws Error if no engine can be started, Interrupted.
  ZooModelResult examine(const std::string& path, const std::string& name);
  // Of the engines that have run, by their names.
  OrderedMap<std::string> versions() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
