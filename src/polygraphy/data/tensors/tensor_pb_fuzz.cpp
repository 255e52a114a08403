// Input: a TensorProto, SequenceProto or OptionalProto.
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "polygraphy/data/tensors/tensor_pb.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polygraphy;
  try {
    const TensorFile file =
        read_tensor_pb({reinterpret_cast<const std::byte*>(data), size}, nullptr, "input.pb");
    for (const StoredTensor& tensor : file.tensors) {
      try {
        tensor.load();
      } catch (const Error&) {
      }
    }
  } catch (const FormatError&) {
  }
  return 0;
}
