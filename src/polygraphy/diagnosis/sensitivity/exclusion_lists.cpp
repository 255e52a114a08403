#include "polygraphy/diagnosis/sensitivity/exclusion_lists.h"

#include <algorithm>

#include "formats/json_fields.h"

namespace polygraphy {
namespace {

class Document : JsonFields {
 public:
  explicit Document(TextSink& sink) : JsonFields(sink) {}

  void write(const std::vector<std::string>& nodes) {
    json_.begin_object();
    for (const std::string_view tool : {"modelopt", "onnxruntime", "olive"}) {
      json_.key(tool);
      json_.begin_object();
      list("nodes_to_exclude", nodes);
      json_.end_object();
    }
    json_.end_object();
  }
};

}  // namespace

std::string exclusion_lists(const SensitivityResult& result) {
  std::vector<std::string> nodes;
  for (const LayerSensitivity& layer : result.layers) {
    if (!layer.kept) continue;
    for (const std::string& node : layer.nodes) {
      // A node may have several layers.
      if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
    }
  }
  StringSink sink;
  Document(sink).write(nodes);
  return sink.text() + "\n";
}

}  // namespace polygraphy
