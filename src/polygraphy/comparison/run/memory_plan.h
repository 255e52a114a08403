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

struct MemoryPlan {
  std::optional<OutputGroups> groups = {};  // nullopt: all outputs fit together
  // The most that weights and tensors of a part may take, where the weights do not fit together;
  // runners then run one part after the other. nullopt: the model runs as a whole.
  std::optional<int64_t> part_bytes = {};
};

// The plan for inputs like `feed`, with one INFO line about the groups. The model is changed by
// shape inference. Memory of runtimes is a rule of thumb: a fixed part, copies of weights and of
// outputs. Throws Error (kMemoryLimitTooLow).
MemoryPlan plan_memory(graphsurgeon::Model& model, const ArrayMap& feed, const MemoryNeeds& needs,
                       Logger& log);

}  // namespace polygraphy
