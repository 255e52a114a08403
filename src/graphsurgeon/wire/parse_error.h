// The error of the wire format's readers.
#pragma once

#include <string>

#include "base/error.h"

namespace graphsurgeon::wire {

// Malformed protobuf; thrown by everything in wire/. `at()` points into the message that was being
// read: the caller that knows the file turns it into an offset and adds the node or tensor.
class ParseError : public polygraphy::FormatError {
 public:
  ParseError(const char* at, const std::string& reason) : FormatError(reason), at_(at) {}
  const char* at() const noexcept { return at_; }

 private:
  const char* at_;
};

}  // namespace graphsurgeon::wire
