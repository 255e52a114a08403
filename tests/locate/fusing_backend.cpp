// A back end on the SDK, as a user would write one: an engine that fuses nodes into kernels, some
// of which are wrong. ONNX Runtime's plugin does the work, on the model with the faults in it.
//
//   polygraphy debug locate model.onnx --onnxrt --fusing --fault 'tile@Add_1|MatMul_0,Add_1'
//
// With --dies-of TENSOR it kills its process where this tensor is an output.
#include <dlfcn.h>
#include <glob.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "planted_fault.h"
#include "polygraphy/backend.h"
#include "polygraphy/models/noise/noisy_model.h"

namespace polygraphy {
namespace {

const pgb_backend* real = nullptr;
const pgb_host* host = nullptr;
std::map<pgb_session*, std::string> precisions;

pgb_status open_library(const pgb_host* given, const char*, const char* const*, size_t,
                        pgb_instance** out) {
  host = given;
  glob_t found;
  if (glob(PG_ONNXRUNTIME, 0, nullptr, &found) != 0) return PGB_UNAVAILABLE;
  const pgb_status status = real->open(given, found.gl_pathv[0], nullptr, 0, out);
  globfree(&found);
  return status;
}

graphsurgeon::Model read(const pgb_model& model) {
  if (!model.bytes) return graphsurgeon::load_model(model.path);
  const auto* bytes = static_cast<const std::byte*>(model.bytes);
  return graphsurgeon::load_model_from_bytes({bytes, model.byte_count}, nullptr, "model",
                                             model.external_data ? model.external_data : "");
}

void die_of(const graphsurgeon::Model& model, std::string_view tensor) {
  const auto& outputs = model.graph->outputs();
  const bool has = std::any_of(outputs.begin(), outputs.end(),
                               [&](const auto& output) { return output->name() == tensor; });
  if (has) std::raise(SIGFPE);
}

pgb_status load(pgb_instance* instance, const pgb_model* given, const pgb_session_options* options,
                pgb_session** out) {
  pgb_session_options rest = *options;
  std::vector<pgb_key_values> kept;
  std::string bytes, precision = "float32";
  try {
    graphsurgeon::Model model = read(*given);
    Logger quiet;
    graphsurgeon::infer_shapes(model, {}, quiet);
    for (size_t i = 0; i < options->option_count; ++i) {
      const pgb_key_values& option = options->options[i];
      if (std::string_view(option.key) == "fault") {
        plant(model, parse_fault(option.values[0]));
      } else if (std::string_view(option.key) == "precision") {
        precision = option.values[0];
      } else if (std::string_view(option.key) == "dies_of") {
        die_of(model, option.values[0]);
      } else {
        kept.push_back(option);
      }
    }
    if (precision != "float32")
      model = noisy_model(model, {.format = *parse_number_format(precision), .stochastic = false});
    bytes = graphsurgeon::encode_model(model);
  } catch (const std::exception& error) {
    host->set_error(host->context, error.what(), nullptr);
    return PGB_FAILED;
  }
  rest.options = kept.data();
  rest.option_count = kept.size();
  pgb_model model = *given;
  const std::string folder =
      given->bytes ? "" : std::filesystem::path(given->path).parent_path().string();
  if (!given->bytes) model.external_data = folder.c_str();
  model.path = nullptr;
  model.bytes = bytes.data();
  model.byte_count = bytes.size();
  const pgb_status status = real->load(instance, &model, &rest, out);
  if (status == PGB_OK) precisions[*out] = precision;
  return status;
}

const char* precision_of(pgb_session* session) {
  return precisions[session].c_str();
}

const void* extension(const char* name) {
  static const pgb_precision precision = {sizeof precision, precision_of};
  return std::strcmp(name, PGB_PRECISION) == 0 ? &precision : nullptr;
}

pgb_option_spec option(const char* spelling, const char* key, const char* metavar,
                       const char* help) {
  pgb_option_spec spec = {};
  spec.spellings = spelling;
  spec.key = key;
  spec.nargs = "1";
  spec.metavar = metavar;
  spec.help = help;
  spec.ours = 1;
  return spec;
}

std::span<const pgb_option_spec> options() {
  static pgb_option_spec specs[] = {
      option("--fault", "fault", "FAULT", "A fault in a node, or in a kernel of several nodes"),
      option("--fusing-precision", "precision", "FORMAT", "The number format to compute in"),
      option("--dies-of", "dies_of", "TENSOR", "Crash where this tensor is an output"),
  };
  specs[0].repeats = 1;
  return specs;
}

}  // namespace
}  // namespace polygraphy

extern "C" __attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(
    uint32_t host_abi_version) {
  using namespace polygraphy;
  static pgb_backend_options table = {};
  static pgb_backend backend = {};
  void* plugin = dlopen(PG_ONNXRT_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  const auto entry =
      plugin ? reinterpret_cast<pgb_backend_fn>(dlsym(plugin, PGB_ENTRY_POINT)) : nullptr;
  if (!entry || !(real = entry(host_abi_version))) return nullptr;
  table = *real->options;
  table.name = "fusing";
  table.flags = "--fusing";
  table.flags_ours = 1;
  table.runner_prefix = "fusing-runner";
  table.title = "An engine that fuses";
  table.summary = "ONNX Runtime with faults";
  table.library_env = table.library_option = nullptr;
  table.options = options().data();
  table.option_count = options().size();
  table.switches = nullptr;
  backend = *real;
  backend.options = &table;
  backend.open = open_library;
  backend.load = load;
  backend.extension = extension;
  return &backend;
}
