// The layers of a part of a model: weights in memory, and a session in which they are inputs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/sensitivity/layer_sets.h"
#include "polygraphy/diagnosis/sensitivity/local_errors.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// Figures that do not depend on other parts.
struct PartFigures {
  std::map<std::string, ActivationRange> ranges = {};  // of tensors that layers read
  std::vector<LayerSensitivity> layers = {};           // without effects
  std::vector<ErrorSums> errors = {};
  std::string failure = {};  // the reason why errors are missing; empty: they are not
};

class PartLayers {
 public:
  // `part` maps files that nothing else maps, so its weights leave the memory with it. Weights are
  // quantised here. All other arguments outlive it.
  PartLayers(graphsurgeon::Model part, const SensitivityJob& job, RunnerFactory& factory,
             Logger& log);

  const std::vector<Site>& sites() const { return sites_; }

  // By two sessions, for these values of its inputs. Ranges are empty without `rounds`. Throws
  // Error, RunnerFailure, Interrupted.
  PartFigures measure(const std::vector<ValueMap>& samples, bool rounds) const;

  // Starts the session of run(). With `rounds`, quantised layers round what they read to `ranges`.
  void start(const std::map<std::string, ActivationRange>& ranges, bool rounds);
  // All outputs of the part.
  ArrayMap run(const std::vector<bool>& quantized, const ValueMap& feed);

 private:
  const SensitivityJob& job_;
  RunnerFactory& factory_;
  Logger& log_;
  const graphsurgeon::Model model_;
  std::vector<Site> sites_;
  OverridableModel overridable_;
  std::shared_ptr<Runner> runner_;
  std::optional<ActiveRunner> active_;
};

}  // namespace polygraphy
