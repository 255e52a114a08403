// The tensors that nodes of the target's model are fed when they run without those before them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"

namespace polygraphy {

class FedValues {
 public:
  // `values`: the reference's, by sample. The arguments outlive it.
  FedValues(const LocateRun& run, const std::vector<ArrayMap>& values,
            const Measurements& measurements);

  // Null: it has no such tensor.
  const Array* reference(int64_t sample, const std::string& name) const;
  // The same as the target's nodes read it: another model may compute it in another type.
  const Array* fed(int64_t sample, const std::string& name) const;
  // Of the inputs of an exploded model.
  ValueMap feed(const ExplodedModel& exploded, int64_t sample) const;
  // As a stochastic evaluation reads them.
  ValueMap rounded(const ExplodedModel& exploded, int64_t sample, int64_t evaluation) const;

 private:
  const LocateRun& run_;
  const std::vector<ArrayMap>& values_;
  std::vector<ArrayMap> in_own_types_;  // of values of another model, by sample
};

}  // namespace polygraphy
