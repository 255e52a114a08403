#include "polygraphy/data/inputs/user_shapes.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/glob.h"
#include "base/log_modules.h"
#include "base/near_names.h"
#include "polygraphy/data/inputs/data_loader_errors.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/tensors/name_match.h"

namespace polygraphy {
namespace {

constexpr size_t kMostItems = 10'000;

// The index of the item of this sequence that the user means by `name`.
std::optional<size_t> item_of(std::string_view sequence, std::string_view name) {
  const auto item = parse_item_name(name);
  if (!item || item->sequence != sequence || item->index >= kMostItems) return std::nullopt;
  return item->index;
}

[[noreturn]] void refuse_unmatched(const std::string& key, const Metadata& inputs) {
  std::vector<std::string_view> names;
  for (const auto& [name, info] : inputs) names.push_back(name);
  throw InputError(kInputShapeUnusable, key, "No input is named '" + key + "'",
                   unknown_name_hint(key, names, "Inputs"));
}

}  // namespace

Shape concrete(const DimList& dims) {
  Shape shape;
  for (const Dim& dim : dims) shape.push_back(dim.is_static() ? dim.value() : 1);
  return shape;
}

void UserShapes::match(const Metadata& inputs) {
  std::vector<std::string> unmatched;
  for (const auto& [key, info] : options_.shapes) {
    const Glob glob(key);
    bool matched = false;
    for (const auto& [name, input] : inputs) {
      const bool sequence = input.item_shape && !inputs.contains(key);
      const std::optional<size_t> item = sequence ? item_of(name, key) : std::nullopt;
      if (item) items_[name] = std::max(items_[name], *item + 1);
      // The name of an input is matched literally: its characters are not wildcards.
      if (inputs.contains(key) ? key != name : !item && !glob.matches(name)) continue;
      user_[item ? key : name] = &info;
      matched = true;
    }
    if (matched) matched_.insert(key);
    if (!matched) unmatched.push_back(key);
  }
  if (options_.strict_shapes && !options_.shapes.empty() && matched_.empty())
    refuse_unmatched(unmatched.front(), inputs);
  for (const std::string& key : unmatched) warn_about_unmatched(key, inputs);
}

const TensorInfo* UserShapes::find(const std::string& name) const {
  const TensorInfo* const* found = user_.find(name);
  return found == nullptr ? nullptr : *found;
}

size_t UserShapes::items(const std::string& sequence) const {
  const size_t* found = items_.find(sequence);
  return found == nullptr ? 0 : *found;
}

void UserShapes::inherit(const std::string& sequence, const std::string& item) {
  const TensorInfo* all = find(sequence);
  if (all != nullptr && !user_.contains(item)) user_.set(item, all);
}

std::optional<DimList> UserShapes::overridden(const std::string& name, const TensorInfo& info,
                                              const DimList& user) {
  const std::string known = info.shape ? bounded_shape_text(*info.shape) : "None";
  if (!is_static(user)) {
    log_.warning(log_modules::kDataLoader,
                 "Input tensor: " + name + " [shape=" + known +
                     "] | Provided input shape: " + bounded_shape_text(user) +
                     " is dynamic.\nDynamic shapes cannot be used to generate inference data. "
                     "Will use default shape instead.\nTo avoid this, please provide a fixed "
                     "shape to the data loader. ");
    return info.shape;
  }
  if (info.shape && !is_valid_override(concrete(user), *info.shape)) {
    if (options_.strict_shapes && options_.shapes.contains(name)) {
      throw InputError(kInputShapeUnusable, name,
                       "Input tensor: " + name + " | It cannot have the shape " +
                           shape_list_text(user) + ": its shape in the model is " +
                           shape_list_text(*info.shape),
                       "Dimensions that the model fixes cannot change.");
    }
    log_.warning(log_modules::kDataLoader,
                 "Input tensor: " + name + " [shape=" + known +
                     "] | Cannot use provided custom shape: " + bounded_shape_text(user) +
                     " to override tensor shape. Will use default shape instead.",
                 Once::kYes);
    return info.shape;
  }
  return user;
}

bool UserShapes::gives_values(const std::string& name, const TensorInfo& info,
                              DataType type) const {
  const TensorInfo* user = options_.shapes.find(name);  // no wildcards here
  if (user == nullptr || !user->shape || !is_static(*user->shape)) return false;
  if (type != DataType::kUndefined && !is_integral(type)) return false;
  return info.shape && info.shape->size() == 1 && is_static(*info.shape) &&
         (*info.shape)[0].value() == static_cast<int64_t>(user->shape->size());
}

void UserShapes::warn_about_unmatched(const std::string& key, const Metadata& inputs) {
  if (key.find_first_of("*?[]!") != std::string::npos) {
    log_.warning(log_modules::kDataLoader,
                 "Input tensor wildcard: " + key +
                     " | Metadata was provided, but none of the matched inputs exist in one "
                     "or more runners.");
    return;
  }
  std::string text =
      "Input tensor: " + key +
      " | Metadata was provided, but the input does not exist in one or more runners.";
  if (const auto close = find_name(key, inputs)) {
    text += "\nMaybe you meant to set: " + std::string(*close) + "?";
  }
  log_.warning(log_modules::kDataLoader, text);
}

}  // namespace polygraphy
