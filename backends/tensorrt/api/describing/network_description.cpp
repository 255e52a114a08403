#include "common/json_text.h"
#include "tensorrt/api/building/network.h"
#include "tensorrt/api/describing/attribute_json.h"
#include "tensorrt/api/describing/descriptions.h"
#include "tensorrt/api/names.h"
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

void put_layer(pgb::JsonText& json, AttributeJson& attributes, nv::ILayer& layer) {
  json.open('{').put("name", layer.getName());
  json.put("type", name_of(layer.getType())).put("op", operation_of(layer));
  json.key("inputs").open('[');
  for (int32_t i = 0; i < layer.getNbInputs(); ++i) put_tensor(json, layer.getInput(i));
  json.close(']').key("outputs").open('[');
  for (int32_t i = 0; i < layer.getNbOutputs(); ++i) put_tensor(json, layer.getOutput(i));
  json.close(']').key("attributes").open('[');
  put_attributes(attributes, layer);
  json.close(']').close('}');
}

void put_network(pgb::JsonText& json, AttributeJson& attributes,
                 const nv::INetworkDefinition& network) {
  json.open('{').put("name", network.getName());
  json.put("flags", flags_of(network));
  json.put("layer_precisions", takes_layer_precisions(network));
  json.key("inputs").open('[');
  for (int32_t i = 0; i < network.getNbInputs(); ++i) put_tensor(json, network.getInput(i));
  json.close(']').key("outputs").open('[');
  for (int32_t i = 0; i < network.getNbOutputs(); ++i) put_tensor(json, network.getOutput(i));
  json.close(']').key("layers").open('[');
  for (int32_t i = 0; i < network.getNbLayers(); ++i)
    put_layer(json, attributes, *network.getLayer(i));
  json.close(']').close('}');
}

// Bytes up to the next multiple of the alignment.
size_t gap_after(size_t bytes) {
  return (AttributeJson::kAlignment - bytes % AttributeJson::kAlignment) %
         AttributeJson::kAlignment;
}

}  // namespace

std::string network_json(const Library& library, Logger& logger, const pgb_model& model,
                         const pgb::Options& options) {
  Network parsed(library, logger, model, options);
  pgb::JsonText json;
  AttributeJson attributes(json, library);
  put_network(json, attributes, parsed.network());
  return json.text();
}

void deliver_network(const Library& library, Logger& logger, const pgb_model& model,
                     const pgb::Options& options, pgb_bytes_fn deliver, void* context) {
  Network parsed(library, logger, model, options);
  pgb::JsonText json;
  AttributeJson attributes(json, library);
  put_network(json, attributes, parsed.network());
  const std::string blanks = std::string(gap_after(json.text().size() + 1), ' ') + "\n";
  if (deliver(context, json.text().data(), json.text().size()) != 0) return;
  if (deliver(context, blanks.data(), blanks.size()) != 0) return;
  for (const nv::Weights& weights : attributes.weights()) {
    const size_t bytes = bytes_of(weights.type, weights.count);
    const std::string gap(gap_after(bytes), '\0');
    if (bytes > 0 && deliver(context, weights.values, bytes) != 0) return;
    if (!gap.empty() && deliver(context, gap.data(), gap.size()) != 0) return;
  }
}

}  // namespace tensorrt::TENSORRT_FAMILY
