// --save-input-blob: the bytes of every input as a separate file, for programs that read raw bytes
// only.
#pragma once

#include <cstdint>
#include <string>

#include "base/arrays/array_map.h"
#include "base/error.h"
#include "base/log.h"

namespace polygraphy {

// An input that cannot be a file of bytes in the folder.
inline constexpr ErrorCode kNoRawForm{"no-raw-form"};

// Writes <folder>/0000000007/<input name>.bin: elements in C order, without a header, packed types
// as ONNX packs them. Files that are there are replaced.
class InputBlobWriter {
 public:
  // Throws Error when `folder` is a file.
  InputBlobWriter(std::string folder, Logger& log);
  // The next iteration. Throws IoError; Error (kNoRawForm) for strings, which have no such form,
  // and for names that lead out of the iteration's folder.
  void add(const ArrayMap& feed);

 private:
  std::string folder_;
  int64_t written_ = 0;
};

}  // namespace polygraphy
