// How sequences and maps are spelled where there are only named arrays: in texts, options, reports,
// saved results and files of inputs. Nothing else in the tree spells or reads these names.
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
// x and 2 for "x[2]"; nullopt for a name of another form. Views `name`.
std::optional<ItemName> parse_item_name(std::string_view name);

// The same for an array that is an item or a part of one: "x[2].keys".
std::optional<ItemName> item_of_array(std::string_view name);

// The arrays of all values, by these names; of a map without sequences and maps, the same map.
// Throws Error, which names both values, if two arrays would have the same name.
ArrayMap flatten(const ValueMap& values);

// The reverse, for the inputs of a model: what `inputs` calls a sequence, map or optional is put
// together from its arrays. An array is taken by its own name if that is the name of an input, if
// there is no input that it could be a part of. A sequence that is given as one array stays a
// tensor. Values are in the order of their first arrays. Throws Error if an input has no array
// because the first one goes by the name of another input, and for an array that is called like a
// part of an input while a part before it or beside it is missing.
ValueMap unflatten(const ArrayMap& arrays, const Metadata& inputs);

}  // namespace polygraphy
