// The first part of a model that makes both sides differ where no tensor is marked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/measuring/measure_in_place.h"
#include "polygraphy/diagnosis/locate/parts/cut_model.h"
#include "polygraphy/diagnosis/locate/parts/side_values.h"

namespace polygraphy {

struct FirstDifference {
  size_t part = 0;
  std::string tensor = {};            // the first border of the part beyond its noise
  std::vector<ArrayMap> values = {};  // the reference's that the part reads, by sample
  FusedFeeds feeds = {};
};

// The first of the part's outputs that is off (noise_verdict.h); empty: none. `model`: the whole
// one.
std::string first_off(const WholeModel& model, const WholeModel& part, const ValuesInPlace& made,
                      double threshold);

// The fusion in this part that makes its outputs differ, if they agree with all tensors marked: its
// nodes, or a note that names the part. Throws what locate() throws.
LocateFusion fusion_behind(const FirstDifference& difference, CutModel& cut,
                           const Measurements& measurements);

}  // namespace polygraphy
