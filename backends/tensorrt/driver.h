// The CUDA driver: memory of the GPU and a stream, by libcuda alone, opened at run time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace tensorrt {

// One GPU, with the context that all users of it in a process share. Its calls are made from one
// thread at a time; each makes the context current. Errors are pgb::Failure with the driver's name
// for them.
class Driver {
 public:
  // `library`: empty for the system's libcuda.so.1. Throws pgb::Failure(PGB_UNAVAILABLE): no
  // driver, one that is too old, no GPU.
  static std::shared_ptr<Driver> open(const std::string& library);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // "NVIDIA H200", of the GPU that is used.
  const std::string& device() const { return device_; }
  // Of TensorRT's cudaStream_t: the driver's and the runtime's are the same.
  void* stream() const { return stream_; }
  void synchronize();
  void synchronize(void* stream);  // another one

  void* allocate(size_t bytes);
  void free(void* memory) noexcept;
  // In the stream; the host's memory must live until synchronize().
  void copy_to_device(void* to, const void* from, size_t bytes);
  void copy_to_host(void* to, const void* from, size_t bytes);

 private:
  struct Api;
  Driver(std::unique_ptr<Api> api, int device);
  void check(int result, const char* doing) const;

  std::unique_ptr<Api> api_;
  std::string device_;
  int number_ = 0;
  void* context_ = nullptr;
  void* stream_ = nullptr;
};

// Memory of the GPU that grows and is never null.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(Driver& driver) : driver_(&driver) {}
  ~DeviceBuffer() { driver_->free(memory_); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : driver_(other.driver_), memory_(other.memory_), bytes_(other.bytes_) {
    other.memory_ = nullptr;
  }
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;

  // At least this number of bytes; growing discards the contents.
  void* reserve(size_t bytes) {
    if (bytes <= bytes_ && memory_) return memory_;
    driver_->free(memory_);
    memory_ = nullptr;
    bytes_ = bytes ? bytes : 1;
    memory_ = driver_->allocate(bytes_);
    return memory_;
  }
  void* memory() const { return memory_; }

 private:
  Driver* driver_;
  void* memory_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace tensorrt
