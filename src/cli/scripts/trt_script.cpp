#include "cli/scripts/trt_script.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/py_numbers.h"
#include "base/text.h"
#include "cli/syntax/script_args.h"
#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

// Templates take some of the options of runs; options that a command lacks are not set.
class GivenOptions {
 public:
  explicit GivenOptions(const ParsedArgs& args) : args_(args) {}

  bool has(std::string_view key) const { return args_.syntax().find(key) && args_.has(key); }
  std::vector<std::string> list(std::string_view key) const { return of(key, &ParsedArgs::list); }
  std::vector<std::vector<std::string>> all(std::string_view key) const {
    return of(key, &ParsedArgs::all);
  }
  std::optional<std::string> text(std::string_view key) const { return of(key, &ParsedArgs::text); }
  std::optional<int64_t> integer(std::string_view key) const {
    return of(key, &ParsedArgs::integer);
  }
  std::optional<double> number(std::string_view key) const { return of(key, &ParsedArgs::number); }
  std::optional<ScriptSymbol> symbol(std::string_view key, std::string_view fallback) const {
    return typed_symbol(args_, key, fallback);
  }

 private:
  template <typename Result>
  Result of(std::string_view key, Result (ParsedArgs::*get)(std::string_view) const) const {
    return has(key) ? (args_.*get)(key) : Result();
  }

  const ParsedArgs& args_;
};

// A name in a script must be an identifier.
std::string name_in(std::string_view option, const std::string& text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const bool is_name = !text.empty() && is_letter(text.front()) &&
                       std::all_of(text.begin(), text.end(),
                                   [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
  if (is_name) return text;
  throw Error(std::string(option) + ": " + py_str_repr(text) + " is not a name.",
              "Use the names of TensorRT's Python module, in upper or lower case.");
}

std::vector<std::string> names_in(const GivenOptions& args, std::string_view option) {
  std::vector<std::string> names = args.list(option);
  for (const std::string& name : names) name_in(option, name);
  return names;
}

// "KEY:VALUE", with a key each.
OrderedMap<std::string> keyed(const GivenOptions& args, std::string_view option) {
  OrderedMap<std::string> values = parse_key_values(args.list(option));
  if (const std::string* nameless = values.find("")) {
    throw Error(std::string(option) + ": " + py_str_repr(*nameless) + " has no name.",
                "Write NAME:" + *nameless + ".");
  }
  return values;
}

// Shapes by input: the known ones, replaced by later ones. A profile starts with the shapes of the
// previous one.
class ProfileShapes {
 public:
  ProfileShapes(const Metadata& shapes, Logger& log) : shapes_(shapes), log_(log) {}

  OrderedMap<Shape> next(const std::vector<std::vector<std::string>>& given, size_t profile) {
    if (profile < given.size()) {
      for (const auto& [input, info] : parse_metadata(given[profile], {})) shapes_.set(input, info);
    }
    OrderedMap<Shape> result;
    for (const auto& [input, info] : shapes_) {
      const DimList dims = info.shape.value_or(DimList());
      Shape shape = profile_shape(dims);
      if (!is_static(dims)) {
        log_.warning(
            log_modules::kTrtConfig,
            "Input tensor: " + input + " | For TensorRT profile, overriding dynamic shape: " +
                shape_list_text(dims) + " to: " + py_list_repr(std::span<const int64_t>(shape)),
            Once::kYes);
      }
      result.set(input, std::move(shape));
    }
    return result;
  }

 private:
  Metadata shapes_;
  Logger& log_;
};

std::string names_of(const OrderedMap<Shape>& shapes) {
  std::vector<std::string> names;
  for (const auto& entry : shapes) names.push_back(entry.first);
  return py_list_repr(std::span<const std::string>(names));
}

void require_same_inputs(const OrderedMap<Shape>& a, std::string_view which_a,
                         const OrderedMap<Shape>& b, std::string_view which_b) {
  bool same = a.size() == b.size();
  for (const auto& entry : a) same &= b.contains(entry.first);
  if (same) return;
  throw Error("Mismatch in input names between " + std::string(which_a) + " shapes (" +
              names_of(a) + ") and " + std::string(which_b) + " shapes (" + names_of(b) + ")");
}

std::vector<OrderedMap<std::array<Shape, 3>>> resolve_profiles(const GivenOptions& args,
                                                               const Metadata& shapes,
                                                               Logger& log) {
  const auto least = args.all("--trt-min-shapes"), usual = args.all("--trt-opt-shapes"),
             greatest = args.all("--trt-max-shapes");
  size_t count = std::max({least.size(), usual.size(), greatest.size()});
  if (count == 0 && !shapes.empty()) count = 1;
  ProfileShapes known(shapes, log);
  std::vector<OrderedMap<std::array<Shape, 3>>> profiles;
  for (size_t i = 0; i < count; ++i) {
    const OrderedMap<Shape> min = known.next(least, i), opt = known.next(usual, i),
                            max = known.next(greatest, i);
    require_same_inputs(min, "minimum", opt, "optimum");
    require_same_inputs(opt, "optimum", max, "maximum");
    auto& profile = profiles.emplace_back();
    for (const auto& [input, shape] : min)
      profile.set(input, {shape, *opt.find(input), *max.find(input)});
  }
  return profiles;
}

TrtScript::Config resolve_config(const GivenOptions& args, const Metadata& shapes, Logger& log) {
  TrtScript::Config config;
  config.profiles = resolve_profiles(args, shapes, log);
  using Form = TrtConfigArgument::Form;
  for (const TrtConfigArgument& argument : trt_config_arguments()) {
    const std::string option(argument.option);
    if (!args.has(option)) continue;
    TrtScript::Names values = args.list(option);
    if (argument.keyword == "precision_constraints" && values.front() == "none") continue;
    if (argument.form == Form::kPools) {
      values.clear();
      for (const auto& [pool, size] : keyed(args, option)) {
        values.push_back(name_in(option, pool));
        values.push_back(std::to_string(parse_bytes(size)));
      }
    } else if (argument.form == Form::kEnumerator || argument.form == Form::kEnumerators) {
      for (const std::string& value : values) name_in(option, value);
    }
    config.arguments.set(std::string(argument.keyword), std::move(values));
  }
  if (args.has("--exclude-lean-runtime") && !args.has("--version-compatible")) {
    throw Error("`--exclude-lean-runtime` requires `--version-compatible` to be enabled.");
  }
  config.calibration_cache = args.text("--calibration-cache").value_or("");
  if (const auto base = args.text("--calib-base-cls"))
    config.calibrator_base = name_in("--calib-base-cls", *base);
  const auto number = [&](std::string_view option) -> std::optional<GivenNumber> {
    const auto value = args.number(option);
    return value ? std::optional<GivenNumber>(*value) : std::nullopt;
  };
  config.quantile = number("--quantile");
  config.regression_cutoff = number("--regression-cutoff");
  if ((args.has("--calibration-cache") || args.has("--calib-base-cls")) && !args.has("--int8")) {
    log.warning(log_modules::kTrtConfig,
                "Some int8 calibrator options were set, but int8 precision is not enabled. "
                "Calibration options will be ignored. Please set --int8 to enable calibration. ");
  }
  config.load_tactics = args.text("--load-tactics").value_or("");
  config.save_tactics = args.text("--save-tactics").value_or("");
  config.script = args.symbol("--trt-config-script",
                              args.text("--trt-config-func-name").value_or("load_config"));
  config.postprocess = args.symbol("--trt-config-postprocess-script", "postprocess_config");
  return config;
}

// Those of the parser; some come of other options.
TrtScript::Names resolve_onnx_flags(const GivenOptions& args, Logger& log) {
  TrtScript::Names flags = names_in(args, "--onnx-flags");
  const auto add = [&](const std::string& flag) {
    const bool has = std::any_of(flags.begin(), flags.end(), [&](const std::string& known) {
      return to_upper(known) == to_upper(flag);
    });
    if (!has) flags.push_back(flag);
    return !has;
  };
  if (args.has("--enable-uint8-asymmetric-quantization-dla")) {
    log.warning(log_modules::kTrtNetwork,
                "--enable-uint8-asymmetric-quantization-dla is deprecated. Use --onnx-flags "
                "ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA instead.");
    add("ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA");
  }
  if ((args.has("--hardware-compatibility-level") || args.has("--version-compatible")) &&
      add("native_instancenorm")) {
    log.warning(log_modules::kTrtNetwork,
                "Version or hardware compatibility mode is enabled. Automatically enabling "
                "`NATIVE_INSTANCENORM` ONNX parser flag.");
  }
  return flags;
}

TrtScript::Network resolve_network(const GivenOptions& args, Logger& log) {
  TrtScript::Network network;
  network.plugins = args.list("--plugins");
  network.onnx_flags = resolve_onnx_flags(args, log);
  network.plugin_instancenorm = args.has("--plugin-instancenorm");
  network.strongly_typed = args.has("--strongly-typed");
  network.unfused_are_debug = args.has("--mark-unfused-tensors-as-debug-tensors");
  network.outputs = args.list("--trt-outputs");
  network.exclude_outputs = args.list("--trt-exclude-outputs");
  network.layer_types = args.list("--trt-outputs-by-type");
  network.decomposable_attentions = args.has("--decomposable-attentions");
  for (const auto& [layer, type] : keyed(args, "--layer-precisions"))
    network.layer_precisions.emplace_back(layer, name_in("--layer-precisions", type));
  for (const auto& [tensor, type] : keyed(args, "--tensor-dtypes"))
    network.tensor_types.emplace_back(tensor, name_in("--tensor-dtypes", type));
  if (const auto type = args.text("--all-tensor-dtypes")) {
    network.all_tensor_types = name_in("--all-tensor-dtypes", *type);
    if (!network.tensor_types.empty()) {
      log.warning(log_modules::kTrtNetwork,
                  "Both --all-tensor-datatypes and --tensor-datatypes were provided. Only types "
                  "in --all-tensor-datatypes will be applied.");
    }
  }
  for (const auto& [tensor, text] : keyed(args, "--tensor-formats")) {
    const Value value = cast_value(text);
    const auto* list = std::get_if<std::vector<Value>>(&value.data);
    TrtScript::Names formats;
    if (!list) formats.push_back(name_in("--tensor-formats", text));
    for (size_t i = 0; list && i < list->size(); ++i) {
      const auto* name = std::get_if<std::string>(&(*list)[i].data);
      formats.push_back(name_in("--tensor-formats", name ? *name : (*list)[i].repr()));
    }
    network.tensor_formats.emplace_back(tensor, std::move(formats));
  }
  network.all_tensor_formats = names_in(args, "--all-tensor-formats");
  if (!network.all_tensor_formats.empty() && !network.tensor_formats.empty()) {
    log.warning(log_modules::kTrtNetwork,
                "Both --all-tensor-formats and --tensor-formats were provided. Only formats in "
                "--all-tensor-formats will be applied.");
  }
  for (const std::string& typed : args.list("--trt-network-postprocess-script"))
    network.postprocess.push_back(parse_script_symbol(typed, "postprocess"));
  network.debug_tensors = args.list("--mark-debug");
  return network;
}

TrtScript::Runner resolve_runner(const GivenOptions& args) {
  TrtScript::Runner runner;
  runner.optimization_profile = args.integer("--optimization-profile");
  runner.allocation_strategy = args.text("--allocation-strategy").value_or("");
  const auto budget = args.text("--weight-streaming-budget");
  if (!budget) return runner;
  if (budget->ends_with('%')) {
    const auto percent = parse_float(budget->substr(0, budget->size() - 1));
    if (!percent || !(*percent >= 0 && *percent <= 100)) {
      throw Error("--weight-streaming-budget: " + py_str_repr(*budget) + " is not 0% to 100%.",
                  "Give a percentage, a size such as 1G, -1 (TensorRT chooses) or -2 (none).");
    }
    runner.weight_streaming_percent = percent;
  } else if (*budget == "-1" || *budget == "-2") {
    runner.weight_streaming_budget = parse_int(*budget);
  } else {
    runner.weight_streaming_budget = parse_bytes(*budget);
  }
  return runner;
}

}  // namespace

TrtScript resolve_trt_script(const ParsedArgs& parsed, const Metadata& shapes, Logger& log) {
  const GivenOptions args(parsed);
  TrtScript script{.config = resolve_config(args, shapes, log),
                   .network = resolve_network(args, log),
                   .engine = {},
                   .runner = resolve_runner(args)};
  script.engine.save_path = args.text("--save-engine").value_or("");
  script.engine.save_timing_cache = args.text("--save-timing-cache").value_or("");
  if (const auto typed = args.text("--load-runtime")) {
    std::error_code failed;
    const bool is_there = std::filesystem::exists(*typed, failed);
    script.engine.load_runtime = is_there ? std::filesystem::absolute(*typed).string() : *typed;
    if (!is_there) log.warning(log_modules::kArgUtil, "Runtime path does not exist: " + *typed);
  }
  if (const auto strategy = args.text("--dla-workspace-allocation-strategy")) {
    script.engine.dla_workspace_allocation =
        name_in("--dla-workspace-allocation-strategy", *strategy);
  }
  return script;
}

}  // namespace polygraphy::cli
