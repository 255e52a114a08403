#include "polygraphy/diagnosis/sensitivity/exclusion_lists.h"

#include <algorithm>

#include "formats/record_json.h"

namespace polygraphy {
std::string exclusion_lists(const SensitivityResult& result) {
  std::vector<std::string> nodes;
  for (const LayerSensitivity& layer : result.layers) {
    if (!layer.kept) continue;
    for (const std::string& node : layer.nodes) {
      // A node may have several layers.
      if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
    }
  }
  const OrderedMap<std::vector<std::string>> list{{"nodes_to_exclude", nodes}};
  StringSink sink;
  JsonWriter json(sink);
  write_value(json, OrderedMap<OrderedMap<std::vector<std::string>>>{
                        {"modelopt", list}, {"onnxruntime", list}, {"olive", list}});
  return sink.text() + "\n";
}

}  // namespace polygraphy
