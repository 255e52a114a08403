#include "polygraphy/models/parts/memory_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/size_text.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/passes/constant_nodes.h"
#include "polygraphy/models/parts/part_errors.h"

namespace polygraphy {
namespace {

// Smaller parts take longer, and no less memory.
constexpr uint64_t kSmallestPart = uint64_t{1} << 20;

std::string text_of(uint64_t bytes) {
  return size_text(static_cast<int64_t>(bytes));
}

}  // namespace

uint64_t weight_bytes(const graphsurgeon::Model& model) {
  uint64_t bytes = 0;
  std::unordered_set<const graphsurgeon::Payload*> seen;
  const auto add = [&](const graphsurgeon::PayloadPtr& payload) {
    if (payload && seen.insert(payload.get()).second)
      bytes += static_cast<uint64_t>(payload->nbytes());
  };
  for (const graphsurgeon::Graph* graph : graphsurgeon::all_graphs(model)) {
    for (const auto& [name, tensor] : graph->tensor_map()) add(tensor->payload());
    for (const auto& node : graph->nodes()) add(graphsurgeon::constant_values(*node));
  }
  return bytes;
}

uint64_t bytes_left(uint64_t limit, uint64_t engines) {
  const uint64_t alone = bytes_without_model(engines);
  return limit > alone ? limit - alone : 0;
}

bool weights_fit(uint64_t weights, uint64_t limit, uint64_t engines) {
  return engines * kCopiesOfWeights * weights <=
         std::max(bytes_left(limit, engines), kSmallestPart);
}

void require_each_fits(const graphsurgeon::Model& model, uint64_t left, uint64_t limit) {
  left = std::max(left, kSmallestPart);
  for (const auto& [name, tensor] : model.graph->tensor_map()) {
    if (!tensor->payload()) continue;
    const uint64_t bytes = kCopiesOfWeights * static_cast<uint64_t>(tensor->payload()->nbytes());
    if (bytes <= left) continue;
    throw Error(kMemoryLimitTooLow,
                fmt::format("The weight '{}' alone takes {} in an engine, but the memory limit of "
                            "{} leaves {} for it",
                            name, text_of(bytes), text_of(limit), text_of(left)));
  }
}

void require_parts_suffice(const std::string& what, uint64_t weights, uint64_t limit) {
  if (what.empty()) return;
  throw Error(kNeedsWholeModel,
              fmt::format("{} needs the whole model, but its weights of {} do not fit the memory "
                          "limit of {}",
                          what, text_of(weights), text_of(limit)));
}

int64_t part_bytes_within(uint64_t limit, uint64_t engines) {
  const uint64_t alone = bytes_without_model(engines);
  if (limit <= alone) {
    throw Error(kMemoryLimitTooLow,
                fmt::format("Engines without a model take {}, but the memory limit is {}",
                            text_of(alone), text_of(limit)));
  }
  return static_cast<int64_t>(
      std::max(bytes_left(limit, engines) / (engines * kCopiesOfParts), kSmallestPart));
}

}  // namespace polygraphy
