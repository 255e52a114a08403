// The memory layout of groups of four along one axis, for checking and pruning sparsity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

// A tensor is seen as blocks of four rows: element (row, column) of a block lies at
// row * row_step + column * column_step elements from its start, and the elements of one column are
// a group. Along the innermost axis the groups themselves are neighbours: one block, with
// row_step 1.
struct GroupsOfFour {
  GroupsOfFour(const Shape& shape, size_t axis) {
    for (size_t i = 0; i < shape.size(); ++i) {
      if (i < axis) blocks *= static_cast<size_t>(shape[i]);
      if (i > axis) columns *= static_cast<size_t>(shape[i]);
    }
    blocks *= static_cast<size_t>(shape[axis]) / 4;
    row_step = columns;
    if (columns == 1) {
      columns = blocks;
      column_step = 4;
      blocks = 1;
    }
    if (columns == 0) blocks = 0;
  }

  size_t blocks = 1;
  size_t columns = 1;  // of each block
  size_t row_step = 1, column_step = 1;
};

// An element of a mapped file may lie at any address.
template <typename Bits>
Bits load_bits(const std::byte* bytes, size_t element) {
  Bits bits;
  std::memcpy(&bits, bytes + element * sizeof(Bits), sizeof(Bits));
  return bits;
}

// IEEE formats of one width order by magnitude as their bits without the sign do, NaN last.
template <typename Bits>
Bits magnitude(Bits bits) {
  return static_cast<Bits>(bits & (static_cast<Bits>(-1) >> 1));
}

// Calls `run` with an integer of the type's width, 16 or 32 bits.
template <typename Run>
auto with_bits_of(DataType dtype, Run run) {
  return dtype == DataType::kFloat32 ? run(uint32_t{}) : run(uint16_t{});
}

}  // namespace graphsurgeon
