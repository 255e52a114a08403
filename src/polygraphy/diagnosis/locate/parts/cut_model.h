// The model of a job of locate(), cut into parts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/locate_samples.h"
#include "polygraphy/diagnosis/locate/parts/locate_parts.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

class CutModel {
 public:
  CutModel(const LocatePartsJob& asked, RunnerFactory& factory, Logger& logger);
  CutModel(const CutModel&) = delete;
  CutModel& operator=(const CutModel&) = delete;

  const LocateJob& job() const { return run.job; }
  // Read once. Throw what locate_samples() throws.
  const std::vector<ValueMap>& feeds();
  bool leaves_samples();  // some sides have more
  const std::vector<NodePart>& parts();

  // `values`: of the tensors that the part reads, by sample. Throws Error.
  std::unique_ptr<WholeModel> model_of(const NodePart& part,
                                       const std::vector<ArrayMap>& values) const;
  // The chains that the part has as a whole, as positions in its model.
  std::vector<NodePart> chains_of(const NodePart& part) const;
  // All chains that a part has as a whole, as positions in the model.
  std::vector<NodePart> whole_chains();
  LocateRecord empty_record();

  LocateRun run;
  const WholeModel model;
  const std::vector<NodePart> chains;
  const int64_t part_bytes;
  Logger& log;
  Logger quiet;  // of files of parts

 private:
  const LocateSamples& samples();

  std::optional<LocateSamples> samples_;
  std::vector<NodePart> groups_;
};

// All nodes of the part, as positions in its model.
NodePart all_of(const NodePart& part);

}  // namespace polygraphy
