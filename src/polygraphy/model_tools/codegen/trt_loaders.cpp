#include "polygraphy/model_tools/codegen/trt_loaders.h"

#include <algorithm>
#include <iterator>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/text.h"
#include "polygraphy/models/loaders/mark_outputs.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy {
namespace {

constexpr std::string_view kTrtBackend = "polygraphy.backend.trt";
constexpr std::string_view kCommonBackend = "polygraphy.backend.common";

using Form = TrtConfigArgument::Form;

Form form_of(const pgb_option_spec& option) {
  const std::string_view nargs = option.nargs;
  if (nargs == "0") return Form::kFlag;
  if (option.type == PGB_SIZE) return Form::kPools;
  if (option.enumeration) return nargs == "1" ? Form::kEnumerator : Form::kEnumerators;
  return option.type == PGB_INTEGER ? Form::kNumber : Form::kText;
}

std::vector<TrtConfigArgument> make_config_arguments() {
  std::vector<TrtConfigArgument> arguments;
  for (const pgb_option_spec& option : options_of("tensorrt")) {
    if (!option.loader || option.loader != std::string_view("CreateConfig")) continue;
    arguments.push_back({.keyword = option.argument ? option.argument : option.key,
                         .option = split(option.spellings, ' ').front(),
                         .form = form_of(option),
                         .type = option.enumeration ? option.enumeration : ""});
  }
  return arguments;
}

// As TensorRT gets the model: outputs are marked in its network, where types are known.
OnnxLoaderOptions for_tensorrt(OnnxLoaderOptions model) {
  model.source.outputs.clear();
  model.source.exclude_outputs.clear();
  model.source.outputs_by_type.clear();
  return model;
}

std::string text_or_nothing(const std::string& text) {
  return text.empty() ? std::string() : py_str_repr(text);
}

std::string names_or_nothing(const TrtScript::Names& list) {
  return list.empty() ? std::string() : py_names(list);
}

}  // namespace

std::span<const TrtConfigArgument> trt_config_arguments() {
  static const std::vector<TrtConfigArgument> arguments = make_config_arguments();
  return arguments;
}

Shape profile_shape(const DimList& dims) {
  Shape shape;
  for (const Dim& dim : dims)
    shape.push_back(dim.is_static() && dim.value() >= 0 ? dim.value() : 1);
  return shape;
}

std::string TrtLoaders::with_plugins(const std::string& loader) {
  const TrtScript::Names& plugins = script_.network.plugins;
  if (plugins.empty()) return loader;
  imports_.add(std::string(kTrtBackend), "LoadPlugins");
  return lines_.add(
      "load_plugins",
      PythonCall("LoadPlugins").arg("plugins", py_names(plugins)).arg("obj", loader).text());
}

std::string TrtLoaders::invoke(const ScriptSymbol& symbol) {
  imports_.add(std::string(kCommonBackend), "InvokeFromScript");
  return PythonCall("InvokeFromScript")
      .arg(py_str_repr(symbol.path))
      .arg("name", py_str_repr(symbol.name))
      .text();
}

std::string TrtLoaders::enumerator(std::string_view type, std::string_view name) {
  imports_.add_lazy("trt", "tensorrt>=8.5");
  return "trt." + std::string(type) + "." + to_upper(name);
}

std::string TrtLoaders::profiles() {
  if (script_.config.profiles.empty()) return {};
  imports_.add(std::string(kTrtBackend), "Profile");
  std::string text = "[\n";
  for (const auto& profile : script_.config.profiles) {
    text += "    Profile()";
    for (const auto& [input, shapes] : profile) {
      const auto shape = [](const Shape& dims) {
        return py_list_repr(std::span<const int64_t>(dims));
      };
      text += "." + PythonCall("add")
                        .arg(py_str_repr(input))
                        .arg("min", shape(shapes[0]))
                        .arg("opt", shape(shapes[1]))
                        .arg("max", shape(shapes[2]))
                        .text();
    }
    text += ",\n";
  }
  return lines_.add("profiles", text + "]");
}

std::string TrtLoaders::calibrator() {
  const TrtScript::Config& config = script_.config;
  if (!config.arguments.contains("int8")) return {};
  imports_.add(std::string(kTrtBackend), "Calibrator");
  std::string inputs = data_loader_;
  if (inputs.empty()) {
    imports_.add("polygraphy.comparator", "DataLoader");
    inputs = "DataLoader()";
  }
  PythonCall call("Calibrator");
  call.arg("data_loader", inputs).arg_if("cache", text_or_nothing(config.calibration_cache));
  if (!config.calibrator_base.empty()) {
    imports_.add_lazy("trt", "tensorrt>=8.5");
    call.arg("BaseClass", "trt." + config.calibrator_base);
  }
  const auto number = [](const std::optional<GivenNumber>& given) {
    if (!given) return std::string();
    return given->typed.empty() ? py_number(given->value) : given->typed;
  };
  return call.arg_if("quantile", number(config.quantile))
      .arg_if("regression_cutoff", number(config.regression_cutoff))
      .text();
}

std::string TrtLoaders::tactics() {
  const TrtScript::Config& config = script_.config;
  const auto selector = [&](const std::string& name, std::string_view keyword,
                            const std::string& path) {
    imports_.add(std::string(kTrtBackend), name);
    return PythonCall(name).arg(keyword, py_str_repr(path)).text();
  };
  if (!config.load_tactics.empty())
    return selector("TacticReplayer", "replay", config.load_tactics);
  if (!config.save_tactics.empty())
    return selector("TacticRecorder", "record", config.save_tactics);
  return {};
}

// The call of CreateConfig, with the arguments that are not the default.
std::string TrtLoaders::configuration() {
  const std::span<const TrtConfigArgument> arguments = trt_config_arguments();
  for (const auto& [keyword, values] : script_.config.arguments) {
    const bool known = std::any_of(arguments.begin(), arguments.end(),
                                   [&](const auto& each) { return each.keyword == keyword; });
    if (!known) throw Error("CreateConfig has no argument '" + keyword + "'.");
  }
  PythonCall call("CreateTrtConfig");
  call.arg_if("profiles", profiles())
      .arg_if("calibrator", calibrator())
      .arg_if("algorithm_selector", tactics());
  for (const TrtConfigArgument& argument : arguments) {
    const TrtScript::Names* values = script_.config.arguments.find(argument.keyword);
    if (!values) continue;
    std::vector<std::string> texts;
    switch (argument.form) {
      case Form::kFlag:
        call.arg(argument.keyword, "True");
        break;
      case Form::kNumber:
        call.arg(argument.keyword, values->front());
        break;
      case Form::kText:
        call.arg(argument.keyword, py_str_repr(values->front()));
        break;
      case Form::kEnumerator:
        call.arg(argument.keyword, enumerator(argument.type, values->front()));
        break;
      case Form::kEnumerators:
        for (const std::string& name : *values) texts.push_back(enumerator(argument.type, name));
        call.arg(argument.keyword, py_list(texts));
        break;
      case Form::kPools: {  // "workspace", "1024", "tactic_dram", "5" …
        std::string text;
        for (size_t i = 0; i + 1 < values->size(); i += 2) {
          text += (text.empty() ? "" : ", ") + enumerator(argument.type, (*values)[i]) + ": " +
                  (*values)[i + 1];
        }
        call.arg(argument.keyword, "{" + text + "}");
        break;
      }
    }
  }
  return call.has_arguments() ? call.text() : std::string();
}

std::string TrtLoaders::config(const std::string& variable, bool needed) {
  const TrtScript::Config& config = script_.config;
  std::string text = config.script ? invoke(*config.script) : configuration();
  if (text.empty() && (needed || config.postprocess)) text = "CreateTrtConfig()";
  if (text.empty()) return {};
  if (!config.script) imports_.add(std::string(kTrtBackend), "CreateConfig as CreateTrtConfig");
  std::string last = lines_.add(variable, text);
  if (config.postprocess) {
    imports_.add(std::string(kTrtBackend), "PostprocessConfig as PostprocessTrtConfig");
    last = lines_.add("postprocess_trt_config", PythonCall("PostprocessTrtConfig")
                                                    .arg(last)
                                                    .arg("func", invoke(*config.postprocess))
                                                    .text());
  }
  return last;
}

std::string TrtLoaders::parsed_network(const OnnxLoaderOptions& model, bool with_config) {
  const TrtScript::Network& network = script_.network;
  if (network.script) {
    if (with_config) config("parser_trt_config", true);
    return lines_.add("load_network", invoke(*network.script));
  }
  std::vector<std::string> flags;
  for (const std::string& flag : network.onnx_flags)
    flags.push_back(enumerator("OnnxParserFlag", flag));
  const std::string config_of_parser =
      with_config ? config("parser_trt_config", true) : std::string();
  OnnxLoaders loaders(for_tensorrt(model), imports_, lines_);
  const std::string name = loaders.any() ? "NetworkFromOnnxBytes" : "NetworkFromOnnxPath";
  if (loaders.any()) loaders.add("serialize_onnx", "BytesFromOnnx");
  imports_.add(std::string(kTrtBackend), name);
  return lines_.add("parse_network_from_onnx",
                    PythonCall(name)
                        .arg(with_plugins(loaders.last()))
                        .arg_if("flags", flags.empty() ? "" : py_list(flags))
                        .flag_if("plugin_instancenorm", network.plugin_instancenorm)
                        .flag_if("strongly_typed", network.strongly_typed)
                        .flag_if("mark_unfused_tensors_as_debug_tensors", network.unfused_are_debug)
                        .arg_if("config", config_of_parser)
                        .text());
}

std::string TrtLoaders::edited(const std::string& network, const std::string& loader,
                               const std::string& variable, const Arguments& arguments) {
  PythonCall call(loader);
  call.arg(network);
  bool any = arguments.empty();
  for (const auto& [keyword, text] : arguments) {
    call.arg_if(keyword, text);
    any |= !text.empty();
  }
  if (!any) return network;
  imports_.add(std::string(kTrtBackend), loader);
  return lines_.add(variable, call.text());
}

std::string TrtLoaders::data_type(const std::string& type) {
  imports_.add_lazy("trt", "tensorrt>=8.5");
  return "trt." + type;
}

std::string TrtLoaders::tensor_formats(const TrtScript::Names& names) {
  std::vector<std::string> texts;
  for (const std::string& name : names) texts.push_back(enumerator("TensorFormat", name));
  return py_list(texts);
}

std::string TrtLoaders::network(const OnnxLoaderOptions& model, bool with_config) {
  const TrtScript::Network& network = script_.network;
  std::string last = parsed_network(model, with_config);
  for (size_t i = 0; i < network.postprocess.size(); ++i) {
    const ScriptSymbol& symbol = network.postprocess[i];
    last =
        edited(last, "PostprocessNetwork", "postprocess_step_" + std::to_string(i),
               {{"func", invoke(symbol)}, {"name", py_str_repr(symbol.path + ":" + symbol.name)}});
  }
  std::string outputs = names_or_nothing(network.outputs);
  if (selects_all(network.outputs)) {
    imports_.add("polygraphy", "constants");
    outputs = "constants.MARK_ALL";
  }
  last = edited(last, "ModifyNetworkOutputs", "set_network_outputs",
                {{"outputs", outputs},
                 {"exclude_outputs", names_or_nothing(network.exclude_outputs)},
                 {"mark_layer_types", names_or_nothing(network.layer_types)}});
  last = typed_network(last);
  return edited(last, "MarkDebug", "mark_debug",
                {{"mark_debug", names_or_nothing(network.debug_tensors)}});
}

// Precisions, types and formats of layers and tensors.
std::string TrtLoaders::typed_network(std::string last) {
  const TrtScript::Network& network = script_.network;
  std::vector<std::pair<std::string, std::string>> precisions, types, formats;
  for (const auto& [layer, type] : network.layer_precisions)
    precisions.emplace_back(layer, data_type(type));
  last = edited(last, "SetLayerPrecisions", "set_layer_precisions",
                {{"layer_precisions", precisions.empty() ? "" : py_dict(precisions)}});
  if (network.decomposable_attentions)
    last = edited(last, "SetDecomposableAttentions", "set_decomposable_attentions", {});
  for (const auto& [tensor, type] : network.tensor_types)
    types.emplace_back(tensor, data_type(type));
  std::string all_types = types.empty() ? "" : py_dict(types);
  if (!network.all_tensor_types.empty()) all_types = data_type(network.all_tensor_types);
  last =
      edited(last, "SetTensorDatatypes", "set_tensor_datatypes", {{"tensor_datatypes", all_types}});
  for (const auto& [tensor, list] : network.tensor_formats)
    formats.emplace_back(tensor, tensor_formats(list));
  std::string all_formats = formats.empty() ? "" : py_dict(formats);
  if (!network.all_tensor_formats.empty()) all_formats = tensor_formats(network.all_tensor_formats);
  return edited(last, "SetTensorFormats", "set_tensor_formats", {{"tensor_formats", all_formats}});
}

std::string TrtLoaders::engine(const OnnxLoaderOptions& model) {
  const TrtScript::Engine& engine = script_.engine;
  std::string last;
  if (engine.path.empty()) {
    const std::string built_of = with_plugins(network(model, true));
    const std::string configured = config("create_trt_config", false);
    imports_.add(std::string(kTrtBackend), "EngineBytesFromNetwork");
    last = lines_.add("build_engine",
                      PythonCall("EngineBytesFromNetwork")
                          .arg(built_of)
                          .arg_if("config", configured)
                          .arg_if("save_timing_cache", text_or_nothing(engine.save_timing_cache))
                          .text());
    if (!engine.save_path.empty()) {
      imports_.add(std::string(kCommonBackend), "SaveBytes");
      last = lines_.add(
          "save_engine_bytes",
          PythonCall("SaveBytes").arg(last).arg("path", py_str_repr(engine.save_path)).text());
    }
  } else {
    imports_.add(std::string(kCommonBackend), "BytesFromPath");
    last = lines_.add("load_engine_bytes",
                      PythonCall("BytesFromPath").arg(py_str_repr(engine.path)).text());
  }
  std::string runtime;
  if (!engine.load_runtime.empty()) {
    imports_.add(std::string(kTrtBackend), "LoadRuntime");
    runtime = lines_.add("load_runtime",
                         PythonCall("LoadRuntime").arg(py_str_repr(engine.load_runtime)).text());
  }
  imports_.add(std::string(kTrtBackend), "EngineFromBytes");
  PythonCall call("EngineFromBytes");
  call.arg(with_plugins(last)).arg_if("runtime", runtime);
  if (!engine.dla_workspace_allocation.empty()) {
    call.arg("dla_workspace_allocation_strategy",
             enumerator("DLAWorkspaceAllocationStrategy", engine.dla_workspace_allocation));
  }
  return lines_.add("deserialize_engine", call.text());
}

std::string TrtLoaders::runner(const std::string& engine) {
  const TrtScript::Runner& runner = script_.runner;
  imports_.add(std::string(kTrtBackend), "TrtRunner");
  PythonCall call("TrtRunner");
  call.arg(engine);
  if (runner.optimization_profile)
    call.arg("optimization_profile", std::to_string(*runner.optimization_profile));
  call.arg_if("allocation_strategy", text_or_nothing(runner.allocation_strategy));
  if (runner.weight_streaming_budget)
    call.arg("weight_streaming_budget", std::to_string(*runner.weight_streaming_budget));
  if (runner.weight_streaming_percent)
    call.arg("weight_streaming_percent", py_number(*runner.weight_streaming_percent));
  return call.text();
}

}  // namespace polygraphy
