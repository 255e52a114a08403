#include "tensorrt/api/description.h"

#include "common/json_text.h"
#include "tensorrt/api/names.h"
#include "tensorrt/api/network.h"
#include "tensorrt/api/option_text.h"
#include "tensorrt/api/tensor_layout.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

void put_tensor(pgb::JsonText& json, const nv::ITensor* tensor) {
  if (!tensor) return json.raw("null");
  json.open('{').put("name", tensor->getName());
  json.put("dtype", int64_t{onnx_type(tensor->getType())});
  const nv::Dims dims = tensor->getDimensions();
  json.key("shape");
  dims.nbDims < 0 ? json.raw("null") : json.value(to_vector(dims));
  if (!tensor->isExecutionTensor()) json.put("executed", false);
  json.close('}');
}

}  // namespace

std::string network_json(const Library& library, Logger& logger, const pgb_model& model,
                         const pgb::Options& options) {
  Network parsed(library, logger, model, options);
  const nv::INetworkDefinition& network = parsed.network();
  pgb::JsonText json;
  json.open('{').put("name", network.getName());
  json.put("flags", flags_of(network));
  json.put("layer_precisions", takes_layer_precisions(network));
  json.key("inputs").open('[');
  for (int32_t i = 0; i < network.getNbInputs(); ++i) put_tensor(json, network.getInput(i));
  json.close(']').key("outputs").open('[');
  for (int32_t i = 0; i < network.getNbOutputs(); ++i) put_tensor(json, network.getOutput(i));
  json.close(']').key("layers").open('[');
  for (int32_t i = 0; i < network.getNbLayers(); ++i) {
    const nv::ILayer& layer = *network.getLayer(i);
    json.open('{').put("name", layer.getName());
    json.put("type", name_of(layer_types(), layer.getType()));
    json.key("inputs").open('[');
    for (int32_t k = 0; k < layer.getNbInputs(); ++k) put_tensor(json, layer.getInput(k));
    json.close(']').key("outputs").open('[');
    for (int32_t k = 0; k < layer.getNbOutputs(); ++k) put_tensor(json, layer.getOutput(k));
    json.close(']').close('}');
  }
  json.close(']').close('}');
  return json.text();
}

}  // namespace tensorrt::TENSORRT_FAMILY
