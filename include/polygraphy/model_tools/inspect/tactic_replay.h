// Tactic replays: which algorithm TensorRT chose for each layer (`--save-tactics`), up to
// TensorRT 10. Reading them needs no TensorRT.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/ordered_map.h"

namespace polygraphy {

// An input or output of a layer as an algorithm takes it.
struct TacticTensor {
  std::string dtype;  // as TensorRT's Python prints it: "DataType.FLOAT"
  std::vector<int64_t> strides = {};
  std::optional<int64_t> vectorized_dim = {}, components_per_element = {};

  bool operator==(const TacticTensor&) const = default;
};

struct TacticAlgorithm {
  int64_t implementation = 0, tactic = 0;
  std::vector<TacticTensor> inputs = {}, outputs = {};

  bool operator==(const TacticAlgorithm&) const = default;
};

// By the layers' names.
using TacticReplay = OrderedMap<TacticAlgorithm>;

// "(Implementation: 1, Tactic: 2) | Inputs: () | Outputs: ()".
std::string to_text(const TacticAlgorithm& algorithm);

// Loads a file in the original's JSON. Throws IoError, FormatError, and Error in the original's
// words for a file of another kind.
TacticReplay load_tactic_replay(const std::string& path);
// Parses a text in memory; `source` names it in messages.
TacticReplay parse_tactic_replay(std::string_view text, const std::string& source);

}  // namespace polygraphy
