// Names of the arrays in sequences and maps, for places that have only named arrays: texts,
// options, reports, saved results and files of inputs. No other code writes or parses these names.
//
//   a sequence x of two   x[0], x[1]
//   a map x               x.keys, x.values
//   a sequence of maps x  x[0].keys, x[0].values, x[1].keys ...
//   an absent optional    no entry
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/arrays/array_map.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// "x[2]".
std::string item_name(std::string_view sequence, size_t index);

struct ItemName {
  std::string_view sequence;
  size_t index = 0;
};
// x and 2 for "x[2]"; nullopt for a name of another form. The result views `name`.
std::optional<ItemName> parse_item_name(std::string_view name);

// The same for an array that is an item or a part of one: "x[2].keys".
std::optional<ItemName> item_of_array(std::string_view name);

// The arrays of all values, by these names; tensors keep their names. Throws Error, which names
// both values, if two arrays would have the same name.
ArrayMap flatten(const ValueMap& values);

// The reverse, for the inputs of a model: combines the arrays of each sequence, map or optional of
// `inputs`. An array keeps its name if an input has that name, or if it cannot be a part of an
// input. A sequence given as one array stays a tensor. Values are in the order of their first
// arrays. Throws Error if an input has no array because the name of its first one is the name of
// another input, and for an array named like a part of an input while a part before it or beside it
// is missing.
ValueMap unflatten(const ArrayMap& arrays, const Metadata& inputs);

}  // namespace polygraphy
