// Encoded fields picked out of a message: the ones a reader does not model, so that they survive a
// round trip, or repeated ones that are decoded later.
#pragma once

#include <string>
#include <string_view>

#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon::wire {

// Fields that follow each other in the message (as writers that sort by number leave them) stay one
// view of it; only scattered ones are copied together. The order is kept.
class FieldGather {
 public:
  // `raw` is Reader::raw().
  void add(std::string_view raw) {
    if (fields_.empty()) {
      fields_ = raw;
    } else if (copy_.empty() && raw.data() == fields_.data() + fields_.size()) {
      fields_ = {fields_.data(), fields_.size() + raw.size()};
    } else {
      add_scattered(raw);
    }
  }

  void clear() {
    fields_ = {};
    copy_.clear();
  }
  bool empty() const { return fields_.empty(); }
  // A view of the message itself: valid as long as its bytes. Otherwise as long as this object.
  bool in_place() const { return copy_.empty(); }
  std::string_view fields() const { return fields_; }

 private:
  void add_scattered(std::string_view raw) {
    if (copy_.empty()) copy_ = fields_;
    copy_ += raw;
    fields_ = copy_;
  }

  std::string_view fields_;
  std::string copy_;
};

}  // namespace graphsurgeon::wire
