// Edits of a parsed network by options: outputs, types, formats, debug tensors.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tensorrt/api/building/network.h"
#include "tensorrt/api/names.h"
#include "tensorrt/api/option_text.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

// All tensors of a network by name, in the order in which they are made.
class Tensors {
 public:
  explicit Tensors(nv::INetworkDefinition& network) {
    for (int32_t i = 0; i < network.getNbInputs(); ++i) add(network.getInput(i));
    for (int32_t i = 0; i < network.getNbLayers(); ++i) {
      nv::ILayer* layer = network.getLayer(i);
      for (int32_t o = 0; o < layer->getNbOutputs(); ++o) add(layer->getOutput(o));
    }
  }
  nv::ITensor* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  const std::vector<nv::ITensor*>& all() const { return all_; }

 private:
  void add(nv::ITensor* tensor) {
    if (tensor && by_name_.emplace(tensor->getName(), tensor).second) all_.push_back(tensor);
  }
  std::map<std::string, nv::ITensor*> by_name_;
  std::vector<nv::ITensor*> all_;
};

std::string hint_of(const Tensors& tensors) {
  constexpr size_t kShown = 20;
  std::vector<std::string> names;
  for (const nv::ITensor* tensor : tensors.all()) {
    if (names.size() < kShown) names.emplace_back(tensor->getName());
  }
  return "The network's tensors are: " + pgb::list_text(names) +
         (tensors.all().size() > kShown ? " …" : "");
}

// A tensor inside a loop has a value per iteration, and cannot be an output.
std::vector<nv::ITensor*> markable(nv::INetworkDefinition& network, const pgb::Host& host,
                                   const std::vector<std::string>& types) {
  std::vector<nv::ITensor*> found;
  bool in_loop = false, told = false;
  for (int32_t i = 0; i < network.getNbLayers(); ++i) {
    nv::ILayer* layer = network.getLayer(i);
    const nv::LayerType type = layer->getType();
    if (type == nv::LayerType::kTRIP_LIMIT) in_loop = true;
    const bool ends_loop = type == nv::LayerType::kLOOP_OUTPUT;
    if (ends_loop) in_loop = false;
    if (in_loop) {
      if (!told)
        host.log(pgb::kWarning, kUtilModule,
                 "Tensors inside loops cannot be outputs: skipping them.");
      told = true;
      continue;
    }
    if (type == nv::LayerType::kSHAPE || type == nv::LayerType::kCONSTANT) continue;
    if (!types.empty() && std::none_of(types.begin(), types.end(), [&](const std::string& wanted) {
          return same_but_for_case(wanted, name_of(type));
        })) {
      continue;
    }
    for (int32_t o = 0; o < layer->getNbOutputs(); ++o) {
      if (nv::ITensor* tensor = layer->getOutput(o)) found.push_back(tensor);
    }
  }
  return found;
}

std::vector<nv::ITensor*> outputs_of(nv::INetworkDefinition& network) {
  std::vector<nv::ITensor*> outputs;
  for (int32_t i = 0; i < network.getNbOutputs(); ++i) outputs.push_back(network.getOutput(i));
  return outputs;
}

bool means_all(const std::vector<std::string>& names) {
  return (names.size() == 2 && names[0] == "mark" && names[1] == "all") ||
         (names.size() == 1 && names[0] == "*");
}

void mark_outputs(nv::INetworkDefinition& network, const Library& library, const pgb::Host& host,
                  const pgb::Options& options) {
  const std::vector<std::string> names = options.values("trt_outputs");
  const std::vector<std::string> types = options.values("trt_outputs_by_type");
  for (const std::string& type : types)
    named<nv::LayerType>(type, "--trt-outputs-by-type", library);
  std::vector<nv::ITensor*> wanted;
  if (means_all(names) || !types.empty()) wanted = markable(network, host, types);
  if (!names.empty() && !means_all(names)) {
    const Tensors tensors(network);
    std::vector<std::string> missing;
    for (const std::string& name : names) {
      const size_t before = wanted.size();
      if (nv::ITensor* tensor = tensors.find(name)) {
        wanted.push_back(tensor);
      } else {
        for (nv::ITensor* each : tensors.all()) {
          if (matches(name, each->getName())) wanted.push_back(each);
        }
      }
      if (wanted.size() == before) missing.push_back(name);
    }
    if (!missing.empty()) {
      throw pgb::bad_option("The following outputs were not found: " + pgb::list_text(missing),
                            hint_of(tensors));
    }
  }
  if (!wanted.empty()) {
    for (nv::ITensor* output : outputs_of(network)) network.unmarkOutput(*output);
    for (nv::ITensor* output : wanted) {
      if (!output->isNetworkInput() && !output->isNetworkOutput()) network.markOutput(*output);
    }
  }
  for (const std::string& name : options.values("trt_exclude_outputs")) {
    bool found = false;
    for (nv::ITensor* output : outputs_of(network)) {
      if (!matches(name, output->getName())) continue;
      network.unmarkOutput(*output);
      found = true;
    }
    if (!found)
      throw pgb::bad_option("The following outputs were not found: " + pgb::list_text({name}),
                            "--trt-exclude-outputs takes names of the network's outputs.");
  }
}

// "POSITION:TYPE": programs name layers so, since several may have one name.
constexpr const char* kByPosition = "layer_precisions_by_position";

// "NAME:TYPE", with the type.
std::map<std::string, nv::DataType> typed(const pgb::Options& options, std::string_view key,
                                          const Library& library) {
  std::map<std::string, nv::DataType> types;
  for (const std::string& text : options.values(key)) {
    const auto [name, type] = split_key(text, spelling_of(key));
    types[name] = named(type, spelling_of(key), library, data_types());
  }
  return types;
}

constexpr const char* kTypesOfTheModel =
    "Types come from the model: change them there (`polygraphy surgeon sanitize --fp-to-fp16`).";

// In templates, since only TensorRT 10 has these functions.
template <typename Layer>
void set_layer_precisions_by_name(nv::INetworkDefinition& network, const Library& library,
                                  const pgb::Host& host, const pgb::Options& options) {
  auto missing = typed(options, "layer_precisions", library);
  const auto types = missing;
  for (int32_t i = 0; i < network.getNbLayers(); ++i) {
    Layer* layer = network.getLayer(i);
    const auto found = types.find(layer->getName());
    if (found == types.end()) continue;
    layer->setPrecision(found->second);
    missing.erase(layer->getName());
  }
  for (const auto& [name, type] : missing)
    host.log(pgb::kWarning, kLoaderModule,
             "--layer-precisions: the network has no layer '" + name + "'");
}

template <typename Layer>
void set_layer_precisions_by_position(nv::INetworkDefinition& network, const Library& library,
                                      const pgb::Options& options) {
  for (const auto& [text, type] : typed(options, kByPosition, library)) {
    const int64_t position = whole_number(text, kByPosition);
    if (position >= network.getNbLayers()) {
      throw pgb::bad_option("The network has " + std::to_string(network.getNbLayers()) +
                            " layers, but no layer at position " + text);
    }
    Layer* layer = network.getLayer(static_cast<int32_t>(position));
    layer->setPrecision(type);
  }
}

template <typename Layer>
void set_layer_precisions(nv::INetworkDefinition& network, Layer*, const Library& library,
                          const pgb::Host& host, const pgb::Options& options) {
  if (!options.has("layer_precisions") && !options.has(kByPosition)) return;
  if constexpr (requires(Layer layer, nv::DataType type) { layer.setPrecision(type); }) {
    set_layer_precisions_by_name<Layer>(network, library, host, options);
    set_layer_precisions_by_position<Layer>(network, library, options);
  } else {
    throw not_available("--layer-precisions", library, kTypesOfTheModel);
  }
}

template <typename Layer, typename Flag>
bool takes_precisions(const nv::INetworkDefinition& network) {
  if constexpr (requires(Layer layer, nv::DataType type) { layer.setPrecision(type); }) {
    return !network.getFlag(Flag::kSTRONGLY_TYPED);
  } else {
    return false;
  }
}

nv::ITensor& port_of(nv::INetworkDefinition& network, const std::string& name,
                     const std::string& option) {
  std::vector<std::string> names;
  for (int32_t i = 0; i < network.getNbInputs() + network.getNbOutputs(); ++i) {
    nv::ITensor* tensor = i < network.getNbInputs() ? network.getInput(i)
                                                    : network.getOutput(i - network.getNbInputs());
    if (name == tensor->getName()) return *tensor;
    names.emplace_back(tensor->getName());
  }
  throw pgb::bad_option(option + ": '" + name + "' is not an input or output of the network",
                        "Inputs and outputs: " + pgb::list_text(names) + ".");
}

template <typename Tensor>
void set_tensor_types(nv::INetworkDefinition& network, Tensor*, const Library& library,
                      const pgb::Options& options) {
  const auto all = options.value("all_tensor_dtypes");
  if (!options.has("tensor_dtypes") && !all) return;
  if constexpr (requires(Tensor tensor, nv::DataType type) { tensor.setType(type); }) {
    const auto set = [](Tensor& tensor, nv::DataType type) { tensor.setType(type); };
    if (all) {
      const nv::DataType type = named(*all, "--all-tensor-dtypes", library, data_types());
      for (int32_t i = 0; i < network.getNbInputs(); ++i) set(*network.getInput(i), type);
      for (int32_t i = 0; i < network.getNbOutputs(); ++i) set(*network.getOutput(i), type);
    }
    for (const auto& [name, type] : typed(options, "tensor_dtypes", library))
      set(port_of(network, name, "--tensor-dtypes"), type);
  } else {
    throw not_available(all ? "--all-tensor-dtypes" : "--tensor-dtypes", library, kTypesOfTheModel);
  }
}

nv::TensorFormats formats_in(const std::string& list, const std::string& option,
                             const Library& library) {
  nv::TensorFormats mask = 0;
  std::string name;
  for (const char c : list + ",") {
    if (c == '[' || c == ']' || c == ' ' || c == '\'' || c == '"') continue;
    if (c != ',') {
      name += c;
      continue;
    }
    if (!name.empty())
      mask |= 1U << static_cast<uint32_t>(named<nv::TensorFormat>(name, option, library));
    name.clear();
  }
  return mask;
}

void set_tensor_formats(nv::INetworkDefinition& network, const Library& library,
                        const pgb::Options& options) {
  nv::TensorFormats all = 0;
  for (const std::string& name : options.values("all_tensor_formats"))
    all |= formats_in(name, "--all-tensor-formats", library);
  if (all != 0) {
    for (int32_t i = 0; i < network.getNbInputs(); ++i) network.getInput(i)->setAllowedFormats(all);
    for (int32_t i = 0; i < network.getNbOutputs(); ++i)
      network.getOutput(i)->setAllowedFormats(all);
  }
  for (const std::string& text : options.values("tensor_formats")) {
    const auto [name, list] = split_key(text, "--tensor-formats");
    port_of(network, name, "--tensor-formats")
        .setAllowedFormats(formats_in(list, "--tensor-formats", library));
  }
}

void mark_debug(nv::INetworkDefinition& network, const Library& library,
                const pgb::Options& options) {
  if (options.has("mark_unfused_tensors_as_debug_tensors")) {
    require_version(101100, "--mark-unfused-tensors-as-debug-tensors", library);
    network.markUnfusedTensorsAsDebugTensors();
  }
  const std::vector<std::string> names = options.values("mark_debug");
  if (names.empty()) return;
  const Tensors tensors(network);
  for (const std::string& name : names) {
    nv::ITensor* tensor = tensors.find(name);
    if (!tensor) {
      throw pgb::bad_option("--mark-debug: the network has no tensor '" + name + "'",
                            hint_of(tensors));
    }
    if (!network.markDebug(*tensor))
      throw pgb::Failure("--mark-debug: '" + name + "' cannot be marked as a debug tensor");
  }
}

// An attention is two layers, its ends, which share it.
void decompose_attentions(nv::INetworkDefinition& network) {
  for (int32_t i = 0; i < network.getNbLayers(); ++i) {
    nv::ILayer* layer = network.getLayer(i);
    if (layer->getType() != nv::LayerType::kATTENTION_OUTPUT) continue;
    nv::IAttention* attention = static_cast<nv::IAttentionOutputLayer*>(layer)->getAttention();
    if (!attention->setDecomposable(true)) {
      throw pgb::Failure("--decomposable-attentions: TensorRT cannot decompose " +
                         std::string(layer->getName()));
    }
  }
}

}  // namespace

bool takes_layer_precisions(const nv::INetworkDefinition& network) {
  return takes_precisions<nv::ILayer, nv::NetworkDefinitionCreationFlag>(network);
}

void edit_network(nv::INetworkDefinition& network, const Library& library, const pgb::Host& host,
                  const pgb::Options& options) {
  if (const auto name = options.value("network_name")) network.setName(name->c_str());
  mark_outputs(network, library, host, options);
  set_layer_precisions(network, static_cast<nv::ILayer*>(nullptr), library, host, options);
  set_tensor_types(network, static_cast<nv::ITensor*>(nullptr), library, options);
  set_tensor_formats(network, library, options);
  mark_debug(network, library, options);
  if (options.has("decomposable_attentions")) decompose_attentions(network);
}

}  // namespace tensorrt::TENSORRT_FAMILY
