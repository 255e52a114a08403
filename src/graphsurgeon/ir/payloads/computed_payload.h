// Values that are computed while they are read: converted, pruned or random ones. A model with only
// weights of this kind is written in bounded memory.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

class ComputedPayload : public Payload {
 public:
  using Take = std::function<void(std::span<const std::byte>)>;

  // Hands the dense, packed, little-endian bytes to `take`: nbytes() of them, front to back, in
  // pieces of about kPieceBytes. Any number of times, always the same bytes. Throws as loading of
  // the values that it works on.
  virtual void produce(std::string_view tensor, const Take& take) const = 0;
  static constexpr size_t kPieceBytes = 256 * 1024;

  Array load(std::string_view tensor) const override;  // O(bytes), owned

 protected:
  // Not for strings.
  ComputedPayload(DataType dtype, Shape shape);
};

}  // namespace graphsurgeon
