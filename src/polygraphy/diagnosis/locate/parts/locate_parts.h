// locate() of a model that is larger than the memory of a machine: of its parts, one after the
// other, so that the weights and tensors of one part are in memory at a time.
//
//   LocateParts parts({.job = job, .part_bytes = 300 << 20}, factory, log);
//   LocateRecord record = parts.in_place("tensors");
//   add_alone(record, parts.alone(record, "tensors", 0, record.parts));  // or task by task
//   LocateResult result = parts.result(record);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/located_model.h"

namespace polygraphy {

struct LocatePartsJob {
  LocateJob job = {};  // without a remedy
  // The most that weights and tensors of a part may take, unless one node alone takes more. Engines
  // take several times as much.
  int64_t part_bytes = int64_t{1} << 30;
};

// All functions throw what locate() throws.
class LocateParts {
 public:
  LocateParts(const LocatePartsJob& job, RunnerFactory& factory, Logger& log);

  // Runs both sides on one part after the other, each on the values that it has computed itself.
  // Saves the reference's tensors into `folder`, a file per part, which is created if missing.
  LocateRecord in_place(const std::string& folder);
  // Runs the nodes of these parts alone and with their neighbours on the saved tensors. Only
  // errors of these are in the result. Throws IoError, FormatError of the files.
  LocateRecord alone(const LocateRecord& in_place, const std::string& folder, int64_t first,
                     int64_t count);
  // The report: without bodies, proof and remedy, which need the whole model, and with
  // fusions within parts only.
  LocateResult result(const LocateRecord& record);

 private:
  struct FirstDifference;

  const std::vector<NodePart>& parts();
  // `values`: of the tensors that the part reads, by sample. Throws Error.
  std::unique_ptr<WholeModel> model_of(const NodePart& part,
                                       const std::vector<ArrayMap>& values) const;
  // All chains that a part has as a whole, as positions in the model.
  std::vector<NodePart> whole_chains();
  LocateFusion fusion_behind(const FirstDifference& difference, const Measurements& measurements);

  LocatedModel of_;
  const int64_t part_bytes_;
  Logger quiet_;  // of files of parts
  std::vector<NodePart> parts_;
};

}  // namespace polygraphy
