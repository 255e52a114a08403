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

// Generated inputs: with the loader's shapes (an unknown dimension is 1), and for free dimensions
// twice more: a different number for each name (2, 3, 5 …), and 4 for all of them. Each shape has
// one feed per iteration of `options` and, unless a range is set, one with numbers of either sign.
// Deterministic.
//
// Leaves out inputs that cannot be generated (unknown rank, a range outside of the type); the first
// reason goes to `problem`. The loader's advice on the first feed goes to `log`.
std::vector<VerifyInput> generate_verify_inputs(const Metadata& inputs,
                                                const DataLoaderOptions& options,
                                                std::string& problem, Logger& log);

}  // namespace polygraphy
