// The model of a job of locate() with its samples: where each record of it begins.
#pragma once

#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/parts/locate_record.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

class LocatedModel {
 public:
  // The arguments outlive it.
  LocatedModel(const LocateJob& job, RunnerFactory& factory, Logger& logger);
  LocatedModel(const LocatedModel&) = delete;
  LocatedModel& operator=(const LocatedModel&) = delete;

  // A record without figures: of a job that asks for them, the formats that the runners report for
  // a model of one node, or, without a report of a known format, those that their options request.
  // Refuses what the model and the formats do not permit. Throws what locate() throws.
  LocateRecord begin();
  // The samples that all sides have, not empty; read once. With a model of the reference, they are
  // made for its inputs, which may have the names of the target's. Throws Error (kNothingToLocate:
  // no sample), Interrupted.
  const std::vector<ValueMap>& feeds();
  bool leaves_samples() const { return left_; }  // some sides have more

  LocateRun run;
  const WholeModel model;
  const std::vector<NodePart> chains;
  Logger& log;

 private:
  void ask_formats(std::vector<std::string>& notes);
  void check_quantization(std::vector<std::string>& notes);
  void use_reference_model();

  std::vector<ValueMap> feeds_;
  bool left_ = false;
};

}  // namespace polygraphy
