#include "tensorrt/api/running/callbacks.h"

#include <cstring>

#include "tensorrt/api/tensor_layout.h"

namespace tensorrt::TENSORRT_FAMILY {

bool DebugTensors::processDebugTensor(void const* address, nv::TensorLocation location,
                                      nv::DataType type, nv::Dims const& shape, char const* name,
                                      cudaStream_t stream) {
  // No exception may cross the library.
  try {
    if (onnx_type(type) == 0) return true;
    Tensor tensor{.name = name,
                  .type = type,
                  .shape = shape,
                  .bytes = std::vector<char>(bytes_of(type, volume(shape)))};
    if (location == nv::TensorLocation::kHOST) {
      std::memcpy(tensor.bytes.data(), address, tensor.bytes.size());
    } else {
      driver_.synchronize(stream);  // the output may come from another stream
      driver_.copy_to_host(tensor.bytes.data(), address, tensor.bytes.size());
      driver_.synchronize();
    }
    tensors_.push_back(std::move(tensor));
    return true;
  } catch (...) {
    failure_ = std::current_exception();
    return false;
  }
}

}  // namespace tensorrt::TENSORRT_FAMILY
