// A model with some weights quantised, as runtimes read it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/sensitivity/formats/quantized_weight.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"

namespace polygraphy {

// The sites, which are those of this model and whose nodes have names, without those that are
// kept. A weight becomes a constant behind a DequantizeLinear (a Cast of bfloat16 and float16); one
// of int4 of a MatMul that MatMulNBits can do, that. `ranges`: of activations that are rounded, by
// name; empty: none. The model gets a newer opset where the format needs one. Throws Error: there
// is no way to that opset.
graphsurgeon::Model mixed_quantization(const graphsurgeon::Model& model,
                                       const std::vector<Site>& sites,
                                       const std::vector<bool>& kept, const WeightFormat& format,
                                       const std::map<std::string, ActivationRange>& ranges);

// True if the nodes of this site become MatMulNBits.
bool becomes_nbits(const Site& site, const WeightFormat& format);

}  // namespace polygraphy
