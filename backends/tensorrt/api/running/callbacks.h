// Callbacks of TensorRT while an engine runs.
#pragma once

#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/tensor_layout.h"
#include "tensorrt/driver.h"

namespace tensorrt::TENSORRT_FAMILY {

// The memory of one output; its size may depend on data. (Whether one of the functions that make it
// is virtual depends on the family.)
class OutputMemory final : public nv::IOutputAllocator {
 public:
  explicit OutputMemory(Driver& driver) : buffer_(driver) {}

  void* reallocateOutput(char const*, void*, uint64_t size, uint64_t) noexcept {
    return reserve(size);
  }
  void* reallocateOutputAsync(char const*, void*, uint64_t size, uint64_t, cudaStream_t) noexcept {
    return reserve(size);
  }
  void notifyShape(char const*, nv::Dims const& shape) noexcept override { shape_ = shape; }

  // nbDims is -1 until it is known.
  const nv::Dims& shape() const { return shape_; }
  const void* memory() const { return buffer_.memory(); }
  // Why the last allocation failed; null: none did.
  std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }
  void reset() {
    shape_.nbDims = -1;
    failure_ = nullptr;
  }

 private:
  void* reserve(uint64_t size) noexcept {
    try {
      return buffer_.reserve(size);
    } catch (...) {
      failure_ = std::current_exception();
      return nullptr;
    }
  }

  DeviceBuffer buffer_;
  nv::Dims shape_{-1, {}};
  std::exception_ptr failure_;
};

// Debug tensors, copied to the host's memory one after another.
class DebugTensors final : public nv::IDebugListener {
 public:
  struct Tensor {
    std::string name;
    nv::DataType type;
    nv::Dims shape;
    std::vector<char> bytes;
  };
  explicit DebugTensors(Driver& driver) : driver_(driver) {}

  bool processDebugTensor(void const* address, nv::TensorLocation location, nv::DataType type,
                          nv::Dims const& shape, char const* name, cudaStream_t stream) override {
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

  void clear() {
    tensors_.clear();
    failure_ = nullptr;
  }
  std::vector<Tensor> take() { return std::exchange(tensors_, {}); }
  // Why a tensor could not be copied; null: all were.
  std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }

 private:
  Driver& driver_;
  std::vector<Tensor> tensors_;
  std::exception_ptr failure_;
};

// The time of each layer.
class LayerTimes final : public nv::IProfiler {
 public:
  void reportLayerTime(char const* layer, float milliseconds) noexcept override {
    try {
      times_.emplace_back(layer, milliseconds);
    } catch (...) {  // out of memory: a row is lost
    }
  }
  const std::vector<std::pair<std::string, float>>& all() const { return times_; }
  void clear() { times_.clear(); }

 private:
  std::vector<std::pair<std::string, float>> times_;
};

}  // namespace tensorrt::TENSORRT_FAMILY
