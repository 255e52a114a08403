// Writes the known fields of one message in ascending order and merges the unknown ones in.
#pragma once

#include <cstdint>
#include <string_view>

#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

// A field that the reader kept as unknown because it is an explicit default is written before the
// known one of the same number, so that a value set after loading wins.
class FieldMerger {
 public:
  FieldMerger(wire::Writer& out, std::string_view unknown) : out_(out), unknown_(unknown) {}

  wire::Writer& at(uint32_t number) {
    out_.raw_range(unknown_, next_, number + 1);
    next_ = number + 1;
    return out_;
  }
  // Written if the view is not null; an explicit empty text has a non-null view.
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
