#include "polygraphy/model_tools/inspect/sync_map.h"

#include <string>
#include <vector>

#include "base/ordered_map.h"
#include "formats/record_json.h"

namespace polygraphy {

std::string sync_map(const graphsurgeon::DiffReport& report) {
  OrderedMap<std::vector<std::string>> entries;  // by node after the change
  for (const auto& [before, after] : report.partners) entries[after].push_back(before);
  // Inputs, outputs and constants are nodes there.
  for (const auto& [before, after] : report.tensors)
    entries["[value] " + after].push_back("[value] " + before);
  StringSink sink;
  JsonWriter json(sink, JsonStyle::kCompact);
  json.begin_object();
  json.key("mappingEntries");
  json.list(entries, [&](const auto& entry) {
    json.begin_object();
    write_member(json, "leftNodeIds", entry.second);
    write_member(json, "rightNodeIds", std::vector<std::string>{entry.first});
    json.end_object();
  });
  // Nodes of one name may have other partners.
  write_member(json, "disableMappingFallback", true);
  write_member(json, "showDiffHighlights", true);
  json.end_object();
  return sink.text();
}

}  // namespace polygraphy
