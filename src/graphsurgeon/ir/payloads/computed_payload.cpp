#include "graphsurgeon/ir/payloads/computed_payload.h"

#include <cassert>
#include <cstring>

namespace graphsurgeon {

ComputedPayload::ComputedPayload(DataType dtype, Shape shape)
    : Payload(Kind::kComputed, dtype, std::move(shape)) {
  assert(dtype != DataType::kString);
}

Array ComputedPayload::load(std::string_view tensor) const {
  Array array = Array::uninitialized(dtype(), shape());
  std::byte* out = array.mutable_data();
  produce(tensor, [&out](std::span<const std::byte> piece) {
    if (!piece.empty()) std::memcpy(out, piece.data(), piece.size());
    out += piece.size();
  });
  return array;
}

}  // namespace graphsurgeon
