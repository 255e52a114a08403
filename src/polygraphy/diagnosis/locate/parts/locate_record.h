// Figures of the tensors of a model, measured part by part: enough for the report on its nodes,
// without any tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/diagnosis/locate/locate_job.h"
#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// Records that are not parts of one job.
inline constexpr ErrorCode kOtherParts{"other-parts"};

struct LocateRecord {
  NumberFormat format = NumberFormat::kFloat32;  // of the pair
  NumberFormat target_format = NumberFormat::kFloat32;
  int64_t samples = 0;
  int64_t parts = 0;       // of the model
  int64_t part_bytes = 0;  // the most that tensors and weights of a part take
  RunRecord outputs = {};  // the verdicts on the model's outputs, without marked tensors
  std::optional<LocateFusion> fusion = {};  // if only these differ
  std::vector<std::string> notes = {};
  // Of noise, only the largest of each sample in place.
  Measurements measurements = {};
};

constexpr auto record_of(RecordOf<LocateRecord>) {
  using Of = LocateRecord;
  return record<Of>(
      "LocateRecord", "Figures of the tensors of a model, measured part by part.",
      form("polygraphy_locate_record", 3), member("format", &Of::format, "Of the pair."),
      member("target_format", &Of::target_format, "Of the target."),
      count("samples", &Of::samples, "How many there are."),
      count("parts", &Of::parts, "Of the model."),
      count("part_bytes", &Of::part_bytes, "The most that tensors and weights of a part take."),
      member("outputs", &Of::outputs, "The verdicts on the model's outputs."),
      member("fusion", &Of::fusion, "If only the outputs differ.").if_set(),
      member("notes", &Of::notes, "Skipped steps, with reasons."),
      member("tensors", &Of::measurements, "By name.").rows());
}

// Adds the errors alone and among neighbours that a task has measured. Throws Error (kOtherParts,
// kOtherRun), and leaves `whole` as it is then.
void add_alone(LocateRecord& whole, const LocateRecord& alone);

// A JSON document of one line; the same bytes for equal records.
std::string to_json(const LocateRecord& record);
// `source` names the text in messages. Throws FormatError.
LocateRecord parse_locate_record(std::string_view json, std::string source);

}  // namespace polygraphy
