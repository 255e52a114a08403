#include "polygraphy/compare/pairing.h"

#include "base/text.h"
#include "polygraphy/compare/log_modules.h"

namespace polygraphy {

std::optional<OutputPairing::Partner> OutputPairing::partner(size_t index, std::string_view runner1,
                                                             Logger& log) {
  const std::string& name = outputs0_.at_index(index).first;
  if (const Array* same = outputs1_.find(name)) return Partner{name, same};

  std::optional<size_t> found = similar(name);
  if (!found && index < outputs1_.size()) found = index;
  if (!found) return std::nullopt;

  const auto& [other, array] = outputs1_.at_index(*found);
  if (outputs0_.contains(other)) {
    log.verbose(log_modules::kCompare,
                "Will not compare " + other + " with " + name +
                    ", since the former already has an exact match: " + other);
    return std::nullopt;
  }
  log.warning(log_modules::kCompare, "Output names did not match exactly. Assuming " +
                                         std::string(runner1) + " output: " + other +
                                         " corresponds to output: " + name);
  return Partner{other, &array};
}

std::optional<size_t> OutputPairing::similar(const std::string& name) {
  if (lower1_.empty()) {
    for (const auto& [other, array] : outputs1_) lower1_.push_back(to_lower(other));
  }
  const std::string lower = to_lower(name);
  for (size_t i = 0; i < lower1_.size(); ++i) {
    if (lower1_[i].find(lower) != std::string::npos || lower.find(lower1_[i]) != std::string::npos)
      return i;
  }
  return std::nullopt;
}

}  // namespace polygraphy
