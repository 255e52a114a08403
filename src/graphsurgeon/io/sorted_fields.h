// The known fields of one message in ascending order, the unknown ones sorted in.
#pragma once

#include <cstdint>
#include <string_view>

#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

// Fields that a reader kept as unknown because they say their default come before the known one of
// the same number, so that a value set since then wins.
class SortedFields {
 public:
  SortedFields(wire::Writer& out, std::string_view unknown) : out_(out), unknown_(unknown) {}

  wire::Writer& at(uint32_t number) {
    out_.raw_range(unknown_, next_, number + 1);
    next_ = number + 1;
    return out_;
  }
  // Texts that are there, though empty, have a non-null view.
  void text(uint32_t number, std::string_view value) {
    if (value.data() != nullptr) at(number).bytes(number, value);
  }
  // For std::string members, where an explicit empty one is among the unknown fields.
  void non_empty(uint32_t number, std::string_view value) {
    if (!value.empty()) at(number).bytes(number, value);
  }
  void rest() { out_.raw_range(unknown_, next_, UINT32_MAX); }

 private:
  wire::Writer& out_;
  std::string_view unknown_;
  uint32_t next_ = 0;
};

}  // namespace graphsurgeon
