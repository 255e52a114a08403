#include "polygraphy/comparison/compare/pairs/pairing.h"

#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/data/tensors/name_match.h"

namespace polygraphy {
namespace {

// Onnx test data and numpy.savez give outputs without names their numbers, from 0: output_1, arr_1.
constexpr std::string_view kPrefixes[] = {"output_", "arr_"};

}  // namespace

std::optional<OutputPairing::Partner> OutputPairing::partner(size_t index, std::string_view runner1,
                                                             Logger& log) {
  const std::string& name = outputs0_.at_index(index).first;
  if (const auto same = namesake(index, name)) return Partner{name, *same};

  std::optional<size_t> found = numbered(index);
  if (!found) found = similar(name);
  if (!found && index < outputs1_.size() && numbers().empty()) found = index;
  if (!found) return std::nullopt;

  const std::string& other = outputs1_.at_index(*found).first;
  if (outputs0_.contains(other)) {
    log.verbose(log_modules::kCompare,
                "Will not compare " + other + " with " + name +
                    ", since the former already has an exact match: " + other);
    return std::nullopt;
  }
  log.warning(log_modules::kCompare, "Output names did not match exactly. Assuming " +
                                         std::string(runner1) + " output: " + other +
                                         " corresponds to output: " + name);
  return Partner{other, *found};
}

// Most results have the same outputs at the same places.
std::optional<size_t> OutputPairing::namesake(size_t index, const std::string& name) {
  if (index < outputs1_.size() && outputs1_.at_index(index).first == name) return index;
  if (places1_.empty()) {
    for (size_t i = 0; i < outputs1_.size(); ++i) places1_[outputs1_.at_index(i).first] = i;
  }
  const auto found = places1_.find(name);
  return found == places1_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<size_t> OutputPairing::numbered(size_t index) {
  if (numbers().empty()) return std::nullopt;
  return namesake(index, std::string(numbers()) + std::to_string(index));
}

// Other outputs may be called output_1, too: names are numbers only if all are, each that of a
// place.
std::string_view OutputPairing::numbers() {
  if (numbers_) return *numbers_;
  numbers_ = "";
  for (const std::string_view prefix : kPrefixes) {
    bool all = outputs1_.size() > 0;
    for (const auto& [name, array] : outputs1_) {
      const auto number = number_after(prefix, name);
      all &= number && *number < outputs0_.size();
    }
    if (all) numbers_ = prefix;
  }
  return *numbers_;
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
