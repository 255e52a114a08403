#include "polygraphy/diagnosis/locate/models/input_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace polygraphy {
namespace {

constexpr const char* kHint =
    "Both models must have the same inputs, but for their names and number formats.";

bool suits(const TensorInfo& a, const TensorInfo& b) {
  const DataType one = a.dtype, other = b.dtype;
  const bool known = one != DataType::kUndefined && other != DataType::kUndefined;
  const bool alike = one == other || (is_floating(one) && is_floating(other)) ||
                     (is_integral(one) && is_integral(other));
  if ((known && !alike) || a.kind != b.kind) return false;
  if (!a.shape || !b.shape) return true;
  return std::ranges::equal(*a.shape, *b.shape, [](const Dim& size, const Dim& of_other) {
    return !size.is_static() || !of_other.is_static() || size == of_other;
  });
}

std::string list_text(const Metadata& inputs) {
  std::vector<std::string> texts;
  for (const auto& [name, info] : inputs) texts.push_back(to_text(name, info));
  return texts.empty() ? "none" : join(std::span<const std::string>(texts), ", ");
}

class Pairing {
 public:
  Pairing(const NamedInputs& reference, const NamedInputs& target)
      : reference_(reference), target_(target) {}

  void add(const std::string& own, const std::string& name) {
    const TensorInfo &there = *reference_.inputs.find(own), &here = *target_.inputs.find(name);
    if (!suits(there, here)) {
      throw Error(
          fmt::format("Inputs of both models do not fit each other: '{}' has {}, and '{}' "
                      "has {}",
                      reference_.model, to_text(own, there), target_.model, to_text(name, here)),
          kHint);
    }
    taken_.insert(own);
    pairs_.push_back({own, name});
  }

  bool is_free(const std::string& own) const {
    return reference_.inputs.contains(own) && !taken_.contains(own);
  }

  // All of them, or none.
  void add_in_order(const std::vector<std::string>& names) {
    std::vector<std::string> left;
    for (const auto& [own, info] : reference_.inputs) {
      if (!taken_.contains(own)) left.push_back(own);
    }
    const bool all = std::ranges::equal(left, names, [&](const auto& own, const auto& name) {
      return suits(*reference_.inputs.find(own), *target_.inputs.find(name));
    });
    if (!all) {
      throw Error(
          fmt::format("'{}' has no input like {} of '{}'; its inputs are: {}", reference_.model,
                      to_text(names.front(), *target_.inputs.find(names.front())), target_.model,
                      list_text(reference_.inputs)),
          kHint);
    }
    for (size_t i = 0; i < left.size(); ++i) add(left[i], names[i]);
  }

  std::vector<InputPair> take() { return std::move(pairs_); }

 private:
  const NamedInputs& reference_;
  const NamedInputs& target_;
  std::unordered_set<std::string> taken_;  // of the reference
  std::vector<InputPair> pairs_;
};

}  // namespace

std::vector<InputPair> input_pairs(const NamedInputs& reference, const NamedInputs& target,
                                   const std::unordered_map<std::string, std::string>& partners) {
  Pairing pairing(reference, target);
  std::vector<std::string> others, left;
  for (const auto& [name, info] : target.inputs) {
    if (reference.inputs.contains(name)) {
      pairing.add(name, name);
    } else {
      others.push_back(name);
    }
  }
  for (const std::string& name : others) {
    const auto found = partners.find(name);
    if (found != partners.end() && pairing.is_free(found->second)) {
      pairing.add(found->second, name);
    } else {
      left.push_back(name);
    }
  }
  if (!left.empty()) pairing.add_in_order(left);
  return pairing.take();
}

std::vector<std::string> unpaired_inputs(const Metadata& reference,
                                         const std::vector<InputPair>& pairs) {
  std::vector<std::string> names;
  for (const auto& [name, info] : reference) {
    if (std::ranges::find(pairs, name, &InputPair::reference) == pairs.end()) names.push_back(name);
  }
  return names;
}

Metadata common_inputs(const Metadata& reference, const Metadata& target,
                       const std::vector<InputPair>& pairs) {
  Metadata common = reference;
  for (const InputPair& pair : pairs) {
    TensorInfo& info = common[pair.reference];
    const auto& sizes = target.find(pair.target)->shape;
    if (!info.shape) info.shape = sizes;
    for (size_t axis = 0; sizes && axis < sizes->size(); ++axis) {
      if ((*sizes)[axis].is_static()) (*info.shape)[axis] = (*sizes)[axis];
    }
  }
  return common;
}

}  // namespace polygraphy
