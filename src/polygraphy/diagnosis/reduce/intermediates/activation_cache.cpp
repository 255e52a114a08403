#include "polygraphy/diagnosis/reduce/intermediates/activation_cache.h"

namespace polygraphy {
namespace {

constexpr int64_t kMostKept = int64_t{64} << 20;

bool equal(const ValueMap& a, const ValueMap& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [name, value] : a) {
    const Value* other = b.find(name);
    if (!other || !bitwise_equal(value, *other)) return false;
  }
  return true;
}

}  // namespace

ActivationCache::Known& ActivationCache::of(const ValueMap& inputs) {
  for (Known& known : known_) {
    if (equal(known.inputs, inputs)) return known;
  }
  Known& known = known_.emplace_back();
  known.inputs = inputs;
  for (const auto& [name, value] : tensors_of(inputs)) known.infos[name] = info_of(value);
  return known;
}

void ActivationCache::keep(Known& known, const ArrayMap& found) {
  int64_t all = 0;
  for (const auto& [name, value] : found) {
    known.infos[name] = info_of(value);
    all += value.nbytes();
  }
  for (const auto& [name, value] : found) {
    const int64_t bytes = value.nbytes();
    if (bytes > kMostKept || known.values.contains(name)) continue;
    if (bytes_ + bytes > kMostKept) {
      for (Known& each : known_) each.values = {};
      bytes_ = 0;
    }
    // A view keeps all that it is a part of.
    known.values.set(name, all > kMostKept ? value.clone() : value);
    bytes_ += bytes;
  }
}

}  // namespace polygraphy
