#include <vector>

#include "common/files.h"
#include "common/json_text.h"
#include "tensorrt/api/building/network.h"
#include "tensorrt/api/describing/descriptions.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

void put_errors(const nvonnxparser::IParser& parser, pgb::JsonText& json) {
  json.key("errors").open('[');
  for (int i = 0; i < parser.getNbErrors(); ++i) {
    const nvonnxparser::IParserError& error = *parser.getError(i);
    json.open('{');
    json.put("node", int64_t{error.node()});
    json.put("name", error.nodeName());
    json.put("operator", error.nodeOperator());
    json.put("reason", text_of(error));
    json.key("functions").open('[');
    for (int32_t f = 0; f < error.localFunctionStackSize(); ++f)
      json.value(error.localFunctionStack()[f]);
    json.close(']').close('}');
  }
  json.close(']');
}

}  // namespace

std::string capability_json(const Library& library, Logger& logger, const pgb_model& model,
                            const pgb::Options& options) {
  EmptyNetwork network(library, logger, options);
  nvonnxparser::IParser& parser = network.parser();
  const pgb::FileBytes file =
      model.bytes ? pgb::FileBytes(model.bytes, model.byte_count) : pgb::FileBytes(model.path);
  const std::string beside = model.bytes ? external_data_beside(model) : std::string(model.path);
  const bool supported = parser.supportsModelV2(file.data(), file.size(), beside.c_str());
  pgb::JsonText json;
  json.open('{').put("supported", supported);
  put_errors(parser, json);
  json.key("subgraphs").open('[');
  for (int64_t i = 0; i < parser.getNbSubgraphs(); ++i) {
    int64_t count = 0;
    const int64_t* nodes = parser.getSubgraphNodes(i, count);
    json.open('{').put("supported", parser.isSubgraphSupported(i));
    json.put("nodes", std::vector<int64_t>(nodes, nodes + count)).close('}');
  }
  json.close(']').close('}');
  return json.text();
}

}  // namespace tensorrt::TENSORRT_FAMILY
