#include "polygraphy/comparison/run/output_groups.h"

#include <algorithm>

namespace polygraphy {

OutputGroups::OutputGroups(std::vector<OutputSize> outputs, uint64_t budget)
    : outputs_(std::move(outputs)), budget_(budget), unknown_(budget / 8) {}

std::vector<std::string> OutputGroups::next() {
  std::vector<std::string> names;
  uint64_t total = 0;
  while (given_ < outputs_.size()) {
    const OutputSize& output = outputs_[given_];
    total += output.bytes.value_or(unknown_);
    if (!names.empty() && total > budget_) break;
    names.push_back(output.name);
    ++given_;
  }
  return names;
}

void OutputGroups::measured(const std::string& name, uint64_t bytes) {
  for (size_t i = 0; i < given_; ++i) {
    if (outputs_[i].name != name || outputs_[i].bytes) continue;
    unknown_ = seen_unknown_ ? std::max(unknown_, bytes) : bytes;
    seen_unknown_ = true;
  }
}

void OutputGroups::adapt(uint64_t used, uint64_t limit) {
  if (used == 0) return;
  // Memory grows no faster than the outputs, because part of it is used without them.
  const double factor = 0.85 * static_cast<double>(limit) / static_cast<double>(used);
  budget_ = static_cast<uint64_t>(static_cast<double>(budget_) * std::min(factor, 2.0));
}

uint64_t OutputGroups::known_bytes() const {
  uint64_t total = 0;
  for (const OutputSize& output : outputs_) total += output.bytes.value_or(0);
  return total;
}

uint64_t OutputGroups::largest() const {
  uint64_t largest = 0;
  for (const OutputSize& output : outputs_) largest = std::max(largest, output.bytes.value_or(0));
  return largest;
}

bool OutputGroups::all_known() const {
  return std::all_of(outputs_.begin(), outputs_.end(),
                     [](const OutputSize& output) { return output.bytes.has_value(); });
}

}  // namespace polygraphy
