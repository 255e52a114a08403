// The safetensors format: 8 bytes with the length of a JSON header, the header, and the arrays'
// bytes, little endian, one behind the other. Source: the format section of the README of
// huggingface/safetensors.
//
// Types that the format lacks (int4, uint4, int2, uint2, float8 …FNUZ, complex128, strings) are
// written as bytes (U8, one dimension), and the caller notes type and shape (result_store.h):
// numbers as ONNX packs them; strings as their lengths, 8 bytes each, and then the texts.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/arrays/array.h"
#include "base/os/atomic_file.h"
#include "formats/stored_tensor.h"

namespace polygraphy {

// Whether the bytes begin as a safetensors file does.
bool is_safetensors(std::span<const std::byte> file);

// Reads the header. Arrays view `file`; those at an odd address are copied. Throws FormatError: a
// header beyond the file or beyond 100 MiB, types and shapes that do not fit the bytes.
TensorFile read_safetensors(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                            const std::string& path);

// Whether the format has the type, and whole bytes for as many elements.
bool safetensors_has(const Array& array);
// The bytes of an array that it has not, and back. from_bytes throws FormatError naming `what`.
Array to_bytes(const Array& array);
Array from_bytes(const Array& bytes, DataType type, Shape shape, const std::string& what);

// Writes a file array by array, with the arrays' memory and the header's only. The header comes
// first in the file and is known last: room for it is kept, and made where it was too little.
class SafetensorsWriter {
 public:
  // `room`: bytes that the header is expected to take; counts before the first add(). Throws
  // IoError, also for pipes, which cannot be written out of order.
  explicit SafetensorsWriter(const std::string& path, size_t room = 4096);
  // The caller sees to it that keys differ and types are of the format.
  void add(std::string_view key, const Array& array);
  // The file is there after this. `metadata`: texts by name for `__metadata__`.
  void finish(const std::map<std::string, std::string>& metadata);

 private:
  AtomicFile file_;
  uint64_t data_ = 0;  // where the arrays begin
  std::string entries_;
};

}  // namespace polygraphy
