// Lazy loaders of TensorRT engines, composable like the model loaders of model_loaders.h:
//
//   const auto build =
//       EngineFromNetwork(NetworkFromOnnxPath("m.onnx"), CreateConfig({.fp16 = true}));
//   TrtRunner runner(SaveEngine(build, "m.engine"));   // nothing has happened yet
//
// NVIDIA's classes are not in these headers. extend() edits descriptions of a network and of a
// configuration; `options` sets options without a member, by key:
//
//   auto network = extend(NetworkFromOnnxPath("m.onnx"), [](TrtNetwork& n) { n.name = "Mine"; });
//
// Every call repeats the work. Engines are built in this process; build_engine() of engine_job.h
// builds them in a separate one, where a crash of the builder is an error.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/arrays/array.h"
#include "base/ordered_map.h"
#include "polygraphy/facade/backend_runners.h"
#include "polygraphy/facade/data_source.h"
#include "polygraphy/facade/model_loaders.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy {

// Anything that provides a T: a T, a loader below, a result of extend(), a function.
template <typename T>
class Loader {
 public:
  Loader(T value) : load_([value = std::move(value)] { return value; }) {}
  template <typename F>
    requires(std::is_invocable_r_v<T, const F&> && !std::derived_from<F, Loader>)
  Loader(F load) : load_(std::move(load)) {}

  T operator()() const { return load_(); }

 private:
  std::function<T()> load_;
};

// The description of a network. Types and formats have the names of TensorRT's Python module, in
// any case: "float16", "chw4". Tensor names may be patterns where the command line allows them.
// Further members stand in the file of rows, with the help text of their options; a list that is
// optional may be set and empty.
struct TrtNetwork {
#define PGB_OPTION(type, member, ...) type member = {};
#include "polygraphy/options/tensorrt/network_options.inc"
  BackendOptions options = {};  // options without a member, by key
  ModelLoader model = ModelLoader("");
};
using NetworkLoader = Loader<TrtNetwork>;

// TensorRT's parser reads the model from this file, and its weights beside it.
class NetworkFromOnnxPath : public NetworkLoader {
 public:
  explicit NetworkFromOnnxPath(std::string path, TrtNetwork network = {});
};
// From bytes, or from any model loader: ModifyOutputs(...).
class NetworkFromOnnxBytes : public NetworkLoader {
 public:
  explicit NetworkFromOnnxBytes(std::string bytes, TrtNetwork network = {});
};
class NetworkFromOnnx : public NetworkLoader {
 public:
  explicit NetworkFromOnnx(ModelLoader model, TrtNetwork network = {});
};

// Input shapes that an engine is optimized for; values for shape inputs.
class Profile {
 public:
  struct Range {
    Shape min, opt, max;
  };
  // `input`: a name or a pattern. Other inputs have the shapes of the previous profile; in the
  // first profile, the model's with open dimensions of 1.
  Profile& add(std::string input, Shape min, Shape opt, Shape max);

  const OrderedMap<Range>& inputs() const { return inputs_; }

 private:
  OrderedMap<Range> inputs_;
};

// Calibration data for int8, for networks without quantized layers (TensorRT 10).
struct Calibrator {
  DataSource data = DataSource();  // batches of the optimum shapes of the last profile
  std::string cache = {};          // a file: read if it exists, else written; empty: no cache
  std::string base_class = {};     // "IInt8MinMaxCalibrator"; empty: IInt8EntropyCalibrator2
  std::optional<double> quantile = {}, regression_cutoff = {};  // for IInt8LegacyCalibrator
};

// The builder's configuration. Members without a value leave TensorRT's default, except that TF32
// is off. Further members stand in the file of rows, as those of TrtNetwork. Sizes of pools are
// bytes: {{"workspace", 1 << 30}}.
struct TrtConfig {
  std::vector<Profile> profiles = {};
#define PGB_OPTION(type, member, ...) type member = {};
#include "polygraphy/options/tensorrt/config_options.inc"
  std::optional<Calibrator> calibrator = {};
  std::string save_timing_cache = {};  // a file
  BackendOptions options = {};         // options without a member, by key
};
using ConfigLoader = Loader<TrtConfig>;

class CreateConfig : public ConfigLoader {
 public:
  explicit CreateConfig(TrtConfig config = {}) : ConfigLoader(std::move(config)) {}
};

using Bytes = std::shared_ptr<const std::string>;
using BytesLoader = Loader<Bytes>;

// Throws IoError when called.
class BytesFromPath : public BytesLoader {
 public:
  explicit BytesFromPath(std::string path);
};

// A compiled engine. Copies share it.
struct TrtEngine {
  Bytes bytes;
};
using EngineLoader = Loader<TrtEngine>;

// Builds when called. `options`: the library, and options that follow the options of the network
// and of the configuration. Throws Error for an option; RunnerFailure if the library fails.
class EngineFromNetwork : public EngineLoader {
 public:
  explicit EngineFromNetwork(NetworkLoader network, ConfigLoader config = CreateConfig(),
                             BackendRunnerOptions options = {});
};
class EngineBytesFromNetwork : public BytesLoader {
 public:
  explicit EngineBytesFromNetwork(NetworkLoader network, ConfigLoader config = CreateConfig(),
                                  BackendRunnerOptions options = {});
};
class EngineFromBytes : public EngineLoader {
 public:
  explicit EngineFromBytes(BytesLoader bytes);
  explicit EngineFromBytes(std::string bytes);
};
class EngineFromPath : public EngineLoader {
 public:
  explicit EngineFromPath(std::string path);
};
class BytesFromEngine : public BytesLoader {
 public:
  explicit BytesFromEngine(EngineLoader engine);
};
// Saves the engine and passes it on. Throws IoError.
class SaveEngine : public EngineLoader {
 public:
  SaveEngine(EngineLoader engine, std::string path);
};

// Builds an engine of a model in this process on activation, or calls a loader for it.
class TrtRunner : public BackendRunner {
 public:
  explicit TrtRunner(ModelLoader model, BackendRunnerOptions options = {})
      : BackendRunner("tensorrt", std::move(model), std::move(options)) {}
  explicit TrtRunner(const char* path) : TrtRunner(ModelLoader(path)) {}
  // `options`: for running the engine: "optimization_profile", "allocation_strategy" ...
  explicit TrtRunner(EngineLoader engine, BackendRunnerOptions options = {});
};

}  // namespace polygraphy
