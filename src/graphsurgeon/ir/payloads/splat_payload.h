// One value for every element.
#pragma once

#include <string_view>

#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

class SplatPayload final : public Payload {
 public:
  SplatPayload(Array value, Shape shape);

  const Array& value() const { return value_; }

  int64_t nbytes() const override;
  // Strides of zero: costs nothing but for packed types and strings.
  Array load(std::string_view tensor) const override;
  // The byte that packed elements of this value repeat.
  uint8_t packed_byte() const;

 private:
  Array value_;
};

}  // namespace graphsurgeon
