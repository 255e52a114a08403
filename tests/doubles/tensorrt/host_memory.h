// Bytes that a call gives back.
#pragma once

#include <NvInfer.h>

#include <string>

#include "forward.h"

namespace tensorrt_double {

struct HostMemoryImpl {
  explicit HostMemoryImpl(std::string b) : bytes(std::move(b)) {}
  void* data() { return bytes.data(); }
  size_t size() const { return bytes.size(); }
  nvinfer1::DataType type() const { return nvinfer1::DataType::kINT8; }
  std::string bytes;
};

inline nvinfer1::IHostMemory* host_memory(std::string bytes) {
  return new Made<nvinfer1::IHostMemory, ForwardVHostMemory<HostMemoryImpl>>(std::move(bytes));
}

}  // namespace tensorrt_double
