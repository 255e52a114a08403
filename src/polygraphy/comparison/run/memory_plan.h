// Finds outputs of a model that can be run together in little memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/arrays/array_map.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/comparison/run/output_groups.h"
#include "polygraphy/models/parts/memory_shares.h"

namespace polygraphy {

// The memory limit of a run, and its needs.
struct MemoryNeeds {
  uint64_t limit = 0;      // bytes that all processes may take together
  std::string limit_text;  // the limit as messages name it: "a limit of 512 MiB"
  size_t runners = 1;
  bool isolated = false;  // each runner has its own process
};

// Groups of outputs for inputs like `feed`; nullopt when all outputs fit together, else one INFO
// line about the groups. The model is changed by shape inference. Memory of runtimes is a rule of
// thumb: a fixed part, copies of weights and of outputs. Throws Error (kMemoryLimitTooLow).
std::optional<OutputGroups> plan_output_groups(graphsurgeon::Model& model, const ArrayMap& feed,
                                               const MemoryNeeds& needs, Logger& log);

}  // namespace polygraphy
