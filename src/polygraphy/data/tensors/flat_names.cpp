#include "polygraphy/data/tensors/flat_names.h"

#include <charconv>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"

namespace polygraphy {
namespace {

constexpr std::string_view kKeys = ".keys", kValues = ".values";

std::string keys_name(std::string map) {
  return map.append(kKeys);
}

std::string values_name(std::string map) {
  return map.append(kValues);
}

[[noreturn]] void fail_alike(const std::string& value, const std::string& other,
                             const std::string& array) {
  throw Error("The model's '" + value + "' and '" + other +
                  "' are ambiguous: both have an array named '" + array + "'",
              "A sequence s has the arrays s[0], s[1] and so on, a map m has m.keys and m.values. "
              "Rename one of the two in the model.");
}

// Calls visit(name, array) for each array of the value.
template <typename Visit>
void visit_arrays(const std::string& name, const Value& value, const Visit& visit) {
  if (const Array* tensor = value.as_tensor()) {
    visit(name, *tensor);
  } else if (const Value::Map* map = value.as_map()) {
    visit(keys_name(name), map->keys);
    visit(values_name(name), map->values);
  } else if (const Value::Sequence* items = value.as_sequence()) {
    for (size_t i = 0; i < items->size(); ++i) visit_arrays(item_name(name, i), (*items)[i], visit);
  }
}

// The first value that has an array of this name.
std::string owner_of(const std::string& array, const ValueMap& values) {
  std::string owner;
  for (const auto& [name, value] : values) {
    visit_arrays(name, value, [&](const std::string& part, const Array&) {
      if (part == array && owner.empty()) owner = name;
    });
  }
  return owner;
}

// Puts tensors, maps and sequences of them together, and keeps account of the arrays they are made
// of.
class Assembly {
 public:
  Assembly(const ArrayMap& arrays, const Metadata& inputs) : arrays_(arrays), inputs_(inputs) {}

  ValueMap values() {
    for (const auto& [name, info] : inputs_) {
      if (info.kind != ValueKind::kTensor && !arrays_.contains(name)) assemble(name);
    }
    ValueMap values;
    for (const auto& [name, array] : arrays_) {
      const auto part = part_of_.find(name);
      if (part == part_of_.end()) {
        check_left_over(name);
        values.set(name, array);
      } else if (!values.contains(part->second)) {
        values.set(part->second, std::move(whole_[part->second]));
      }
    }
    return values;
  }

 private:
  void assemble(const std::string& input) {
    std::vector<std::string> parts;
    Value value = read(input, parts);
    if (value.is_absent()) {
      Value::Sequence items;
      while (true) {
        Value item = read(item_name(input, items.size()), parts);
        if (item.is_absent()) break;
        items.push_back(std::move(item));
      }
      if (items.empty()) return check_own_names(input);
      value = std::move(items);
    }
    whole_[input] = std::move(value);
    for (std::string& part : parts) part_of_.emplace(std::move(part), input);
  }

  // Throws Error if an array of the missing input goes by the name of another input.
  void check_own_names(const std::string& input) const {
    const std::string item = item_name(input, 0);
    for (const std::string& part :
         {item, keys_name(input), values_name(input), keys_name(item), values_name(item)}) {
      if (inputs_.contains(part) && arrays_.contains(part)) fail_alike(input, part, part);
    }
  }

  // Throws Error for arrays that look like parts of an input but are not: an item behind a gap,
  // keys without values.
  void check_left_over(const std::string& array) const {
    if (inputs_.contains(array)) return;
    for (const auto& [input, info] : inputs_) {
      if (info.kind == ValueKind::kTensor || !array.starts_with(input)) continue;
      const std::string_view rest = std::string_view(array).substr(input.size());
      if (!rest.starts_with('[') && rest != kKeys && rest != kValues) continue;
      throw Error("'" + array + "' cannot be a part of the input '" + input + "'",
                  "A sequence s needs the arrays s[0], s[1] and so on without a gap, a map m needs "
                  "m.keys and m.values.");
    }
  }

  // An array whose name is not that of an input.
  const Array* find_part(const std::string& name) const {
    return inputs_.contains(name) ? nullptr : arrays_.find(name);
  }

  // A tensor or a map; absent if its arrays are missing. Adds their names to `parts`.
  Value read(const std::string& name, std::vector<std::string>& parts) const {
    if (const Array* array = find_part(name)) {
      parts.push_back(name);
      return *array;
    }
    const std::string keys = keys_name(name), values = values_name(name);
    if (!find_part(keys) || !find_part(values)) return {};
    parts.insert(parts.end(), {keys, values});
    return Value::Map{*find_part(keys), *find_part(values)};
  }

  const ArrayMap& arrays_;
  const Metadata& inputs_;
  std::unordered_map<std::string, Value> whole_;          // by input
  std::unordered_map<std::string, std::string> part_of_;  // array -> input
};

}  // namespace

std::string item_name(std::string_view sequence, size_t index) {
  return std::string(sequence) + "[" + std::to_string(index) + "]";
}

std::optional<ItemName> parse_item_name(std::string_view name) {
  const size_t open = name.rfind('[');
  if (open == std::string_view::npos) return std::nullopt;
  ItemName item{name.substr(0, open)};
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + open + 1, end, item.index);
  if (read.ec != std::errc() || item_name(item.sequence, item.index) != name) return std::nullopt;
  return item;
}

std::optional<ItemName> item_of_array(std::string_view name) {
  for (const std::string_view part : {kKeys, kValues}) {
    if (name.ends_with(part)) name.remove_suffix(part.size());
  }
  return parse_item_name(name);
}

ArrayMap flatten(const ValueMap& values) {
  ArrayMap arrays;
  for (const auto& [name, value] : values) {
    visit_arrays(name, value, [&](const std::string& array_name, const Array& array) {
      if (arrays.contains(array_name)) fail_alike(owner_of(array_name, values), name, array_name);
      arrays.set(array_name, array);
    });
  }
  return arrays;
}

ValueMap unflatten(const ArrayMap& arrays, const Metadata& inputs) {
  return Assembly(arrays, inputs).values();
}

}  // namespace polygraphy
