// The values of constants, as far as they may be shapes, axes or scales.
#pragma once

#include <optional>
#include <string_view>

#include "graphsurgeon/ir/attribute.h"
#include "graphsurgeon/sizes/known_values.h"

namespace graphsurgeon {

// Of integers and bools, and of a few floats. nullopt: of more or others, or they cannot be read.
// `name` is the tensor's, for errors of the payload.
std::optional<KnownValues> constant_values(const Payload& values, std::string_view name);
// The same for the attributes of Constant that are numbers or lists of them.
std::optional<KnownValues> constant_values(const decltype(Attribute::value)& value);

}  // namespace graphsurgeon
