// The layers of a model that a job examines, its samples, and what its report says of others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

namespace polygraphy {

// The first opset with QuantizeLinear and DequantizeLinear for channels.
inline constexpr int64_t kQuantizing = 13;

// find_sites(), with a note of layers in bodies. Throws Error (kNothingToQuantize) without any
// site.
std::vector<Site> examined_sites(const graphsurgeon::Model& model, bool embeddings,
                                 std::vector<std::string>& notes);

// The feeds of the job, for a model with these inputs. Throws Error (kNothingToQuantize) without
// any.
std::vector<ValueMap> samples_of(const SensitivityJob& job, const Metadata& inputs, Logger& log);

// The layer of a quantised site, with the figures that its weight alone decides. O(elements x log
// elements of a channel).
LayerSensitivity layer_of(const Site& site);

// Whether inputs of these layers can be rounded, which is wanted: in float32 only. A note if not.
bool rounds_inputs(const std::vector<Site>& sites, std::vector<std::string>& notes);

}  // namespace polygraphy
