// How many iterations of a Loop it takes to fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"

namespace polygraphy {

// The value of a tensor on the sample, as far as it can be known: the order and the number of
// questions is all that it is for.
std::optional<Array> value_on_sample(const graphsurgeon::Tensor& tensor,
                                     const graphsurgeon::Model& model,
                                     Intermediates& intermediates);

// How often a node of the main graph goes round at most, if it is a Loop; 0: that is not known.
int64_t iterations_of(const graphsurgeon::Model& model, const graphsurgeon::Node& node,
                      Intermediates& intermediates);

// The least number of iterations after which the Loop at `position` of the main graph fails, where
// it fails with `most`. About log2(most) questions.
int64_t least_failing_iterations(const graphsurgeon::Model& model, size_t position, int64_t most,
                                 SearchTools& tools);

}  // namespace polygraphy
