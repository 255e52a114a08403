// The original's loaders for TensorRT, as Python text: configuration, network, engine, runner.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/array.h"
#include "base/ordered_map.h"
#include "polygraphy/comparison/compare/metric_options.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/model_tools/codegen/loader_lines.h"
#include "polygraphy/model_tools/codegen/onnx_loaders.h"
#include "polygraphy/model_tools/codegen/python_text.h"

namespace polygraphy {

// An argument of CreateConfig that is given as it was typed.
struct TrtConfigArgument {
  enum class Form : uint8_t { kFlag, kNumber, kText, kEnumerator, kEnumerators, kPools };
  std::string_view keyword, option;  // "restricted", "--trt-safety-restricted"
  Form form = Form::kFlag;
  std::string_view type = {};  // TensorRT's enumeration
};

// Those that TensorRT's table of options has, in its order.
std::span<const TrtConfigArgument> trt_config_arguments();

// Options of TensorRT. Names of its enumerators are as typed, in any case.
struct TrtScript {
  using Names = std::vector<std::string>;

  struct Config {
    // Of each profile, the least, usual and greatest shape by input.
    std::vector<OrderedMap<std::array<Shape, 3>>> profiles = {};
    // By keyword, as typed; a flag has no values, and pools are pairs of a name and a size. Others
    // than trt_config_arguments() are an Error.
    OrderedMap<Names> arguments = {};
    // Of int8 calibration.
    std::string calibration_cache = {}, calibrator_base = {};
    std::optional<GivenNumber> quantile = {}, regression_cutoff = {};
    std::string load_tactics = {}, save_tactics = {};
    // A function that makes the configuration, and one that completes it.
    std::optional<ScriptSymbol> script = {}, postprocess = {};
  };
  Config config;

  struct Network {
    std::optional<ScriptSymbol> script = {};  // makes the network; nullopt: of the ONNX model
    Names plugins = {}, onnx_flags = {};
    bool plugin_instancenorm = false, strongly_typed = false, unfused_are_debug = false;
    Names outputs = {}, exclude_outputs = {}, layer_types = {};
    bool decomposable_attentions = false;
    std::vector<std::pair<std::string, std::string>> layer_precisions = {}, tensor_types = {};
    std::string all_tensor_types = {};
    std::vector<std::pair<std::string, Names>> tensor_formats = {};
    Names all_tensor_formats = {};
    std::vector<ScriptSymbol> postprocess = {};
    Names debug_tensors = {};
  };
  Network network;

  struct Engine {
    std::string path = {};  // of an engine that is built already; empty: it is built
    std::string save_path = {}, save_timing_cache = {};
    std::string load_runtime = {}, dla_workspace_allocation = {};
  };
  Engine engine;

  struct Runner {
    std::optional<int64_t> optimization_profile = {};
    std::string allocation_strategy = {};
    std::optional<int64_t> weight_streaming_budget = {};
    std::optional<double> weight_streaming_percent = {};
  };
  Runner runner;
};

// A shape of a profile: the dimensions, with 1 for open ones.
Shape profile_shape(const DimList& dims);

class TrtLoaders {
 public:
  // The references stay valid. `data_loader`: Python text of the inputs for calibration.
  TrtLoaders(const TrtScript& script, PythonImports& imports, LoaderLines& lines,
             std::string data_loader)
      : script_(script), imports_(imports), lines_(lines), data_loader_(std::move(data_loader)) {}

  // Each adds lines and returns Python text of their result.
  //
  // The configuration; empty for the default one, unless there must be one.
  std::string config(const std::string& variable, bool needed);
  // The network of `model`. `with_config`: the parser is given the configuration.
  std::string network(const OnnxLoaderOptions& model, bool with_config);
  std::string engine(const OnnxLoaderOptions& model);
  // The call that makes the runner of an engine.
  std::string runner(const std::string& engine);

 private:
  using Arguments = std::vector<std::pair<std::string, std::string>>;

  std::string parsed_network(const OnnxLoaderOptions& model, bool with_config);
  std::string typed_network(std::string network);
  // `network` itself where arguments are given, and none has a text.
  std::string edited(const std::string& network, const std::string& loader,
                     const std::string& variable, const Arguments& arguments);
  std::string data_type(const std::string& type);
  std::string tensor_formats(const TrtScript::Names& names);
  std::string with_plugins(const std::string& loader);
  std::string invoke(const ScriptSymbol& symbol);
  std::string enumerator(std::string_view type, std::string_view name);
  std::string profiles();
  std::string calibrator();
  std::string tactics();
  std::string configuration();

  const TrtScript& script_;
  PythonImports& imports_;
  LoaderLines& lines_;
  std::string data_loader_;
};

}  // namespace polygraphy
