#include "polygraphy/diagnosis/sensitivity/exclusion_lists.h"

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
    if (layer.kept) nodes.insert(nodes.end(), layer.nodes.begin(), layer.nodes.end());
  }
  StringSink sink;
  Document(sink).write(nodes);
  return sink.text() + "\n";
}

}  // namespace polygraphy
