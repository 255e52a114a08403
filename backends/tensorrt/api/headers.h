// TensorRT's own headers. Compiled with `nvinfer1` and `nvonnxparser` defined as names of the
// family's own, so that the classes of three families lie in one plugin and are never mixed up.
#pragma once

#include <NvInfer.h>
#include <NvOnnxParser.h>

#include <cstdint>
#include <memory>

#include "tensorrt/family.h"

namespace tensorrt::TENSORRT_FAMILY {

namespace nv = nvinfer1;

// The maker of an object of TensorRT deletes it, in the reverse order.
template <typename T>
using Owned = std::unique_ptr<T>;

// The library's return value for a failed creation: null, or a small number without a driver.
template <typename T>
T* valid(void* made) {
  constexpr uintptr_t kLeastAddress = 1 << 16;
  return reinterpret_cast<uintptr_t>(made) < kLeastAddress ? nullptr : static_cast<T*>(made);
}

}  // namespace tensorrt::TENSORRT_FAMILY
