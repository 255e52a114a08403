// Inputs on which a model and its rewritten form are compared.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

struct VerifyInput {
  std::string what;  // for messages: "x (2, 3), y (2,); seed 1", "saved inputs 1"
  ValueMap feed;
};

// Generated inputs: with the loader's own shapes (a dimension that is not known is 1), and where
// dimensions are free twice more: each name of a dimension a number of its own (2, 3, 5 …), and all
// of them 4. Of each shape one feed per iteration of `options` and, unless a range is set, one
// whose numbers are of either sign. Deterministic.
//
// What cannot be generated (an input of unknown rank, a range that a type does not have) is left
// out; the first reason goes to `problem`.
std::vector<VerifyInput> generate_verify_inputs(const Metadata& inputs,
                                                const DataLoaderOptions& options,
                                                std::string& problem);

}  // namespace polygraphy
