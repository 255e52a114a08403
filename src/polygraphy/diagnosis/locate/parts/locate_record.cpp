#include "polygraphy/diagnosis/locate/parts/locate_record.h"

#include <tuple>
#include <utility>

#include "formats/record_json.h"
#include "polygraphy/comparison/verdict/join_versions.h"

namespace polygraphy {

void add_alone(LocateRecord& whole, const LocateRecord& alone) {
  const auto facts = [](const LocateRecord& record) {
    return std::tuple(record.format, record.samples, record.parts, record.part_bytes);
  };
  if (facts(whole) != facts(alone)) {
    throw Error(kOtherParts, "The nodes alone were measured in other parts than those in place",
                "Remove the folder of the tasks, and run the command again.");
  }
  join_versions(whole.outputs.versions, alone.outputs.versions);
  for (const auto& [name, measured] : alone.measurements)
    take_alone(whole.measurements[name], measured);
}

std::string to_json(const LocateRecord& record) {
  return record_line(record);
}

LocateRecord parse_locate_record(std::string_view text, std::string source) {
  return parse_record<LocateRecord>(text, std::move(source),
                                    "this is not a record of located nodes.");
}

}  // namespace polygraphy
