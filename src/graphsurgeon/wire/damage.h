// Encoded bytes that are not what they should be.
#pragma once

#include <string>

#include "base/error.h"

namespace graphsurgeon::wire {

// Thrown by everything in wire/. `at()` points into the message that was being read: whoever knows
// which file the bytes belong to turns it into an offset and says which node or tensor it was.
class Damage : public polygraphy::FormatError {
 public:
  Damage(const char* at, const std::string& reason) : FormatError(reason), at_(at) {}
  const char* at() const noexcept { return at_; }

 private:
  const char* at_;
};

}  // namespace graphsurgeon::wire
