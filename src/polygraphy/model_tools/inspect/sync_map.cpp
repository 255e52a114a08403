#include "polygraphy/model_tools/inspect/sync_map.h"

#include "formats/record_json.h"

namespace polygraphy {

std::string sync_map(const graphsurgeon::DiffReport& report) {
  StringSink sink;
  JsonWriter json(sink, JsonStyle::kCompact);
  const auto put_ids = [&](std::string_view key, const std::string& id) {
    json.key(key);
    json.begin_array();
    json.string(id);
    json.end_array();
  };
  json.begin_object();
  json.key("mappingEntries");
  json.list(report.partners, [&](const auto& pair) {
    json.begin_object();
    put_ids("leftNodeIds", pair.first);
    put_ids("rightNodeIds", pair.second);
    json.end_object();
  });
  // Nodes of one name may have other partners.
  write_member(json, "disableMappingFallback", true);
  write_member(json, "showDiffHighlights", true);
  json.end_object();
  return sink.text();
}

}  // namespace polygraphy
