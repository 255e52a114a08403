// Which input of a model is which of its reference: of the model before it was quantised, say.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

// A model as messages name it.
struct NamedInputs {
  std::string model;  // its file
  const Metadata& inputs;
};

struct InputPair {
  std::string reference, target;  // their names
};

// One for each input of the target: of the same name; else `partners` has it (of the target's
// tensors to the reference's); else, where as many are left on both sides, in the same place. Both
// are floating-point numbers, or both are integers, or of one type, and sizes that both fix are
// equal. Throws Error: an input without such a partner. O(inputs).
std::vector<InputPair> input_pairs(const NamedInputs& reference, const NamedInputs& target,
                                   const std::unordered_map<std::string, std::string>& partners);

// The inputs of the reference that are in no pair.
std::vector<std::string> unpaired_inputs(const Metadata& reference,
                                         const std::vector<InputPair>& pairs);

// The inputs of the reference, with the sizes that only the target fixes.
Metadata common_inputs(const Metadata& reference, const Metadata& target,
                       const std::vector<InputPair>& pairs);

}  // namespace polygraphy
