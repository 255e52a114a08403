// Encoded models with large values elsewhere: removes and restores them, without a graph and
// without the values in memory. Values here are `raw_data` of the model's own initializers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace graphsurgeon::wire {

struct DetachedValue {
  size_t initializer = 0;  // which of the model's
  uint64_t offset = 0;     // where its values begin in the model
  uint64_t length = 0;     // bytes
};

struct ModelWithoutValues {
  std::string model;                  // encoded
  std::vector<DetachedValue> values;  // in their order
};

// Removes values of `least` bytes and more; everything else stays as it is, unknown fields too.
// O(structure): no byte of these values is read. Throws ParseError.
ModelWithoutValues detach_values(std::string_view model, uint64_t least);

struct AttachedValue {
  size_t initializer = 0;
  uint64_t length = 0;  // bytes
};

// The encoded model with values in initializers that have none, in ascending order: the piece
// before each of them and, as the last piece, the rest. Throws ParseError. O(structure).
std::vector<std::string> pieces_around_values(std::string_view model,
                                              std::span<const AttachedValue> values);

}  // namespace graphsurgeon::wire
