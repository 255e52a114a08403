#include "tensorrt/driver.h"

#include <dlfcn.h>

#include <cstdint>
#include <initializer_list>

#include "common/vendor_library.h"

namespace tensorrt {
namespace {

// CUresult, CUdevice are ints, CUcontext, CUstream pointers, CUdeviceptr an address.
using Address = uint64_t;

constexpr int kNoDevice = 100;   // CUDA_ERROR_NO_DEVICE
constexpr int kOutOfMemory = 2;  // CUDA_ERROR_OUT_OF_MEMORY
constexpr int kLeastVersion = 12000;
constexpr size_t kNameLength = 256;

Address address_of(const void* memory) {
  return reinterpret_cast<Address>(memory);
}

[[noreturn]] void unavailable(const std::string& what, const std::string& hint) {
  throw pgb::Failure(what, hint, PGB_UNAVAILABLE);
}

}  // namespace

// The used functions of the driver, by the names that its library exports.
struct Driver::Api : pgb::Functions {
  explicit Api(void* handle) : Functions(handle) {
    if (!missing().empty())
      unavailable("the CUDA driver has no " + missing(), "Update the driver.");
  }

  int (*init)(unsigned) = find("cuInit");
  int (*driver_version)(int*) = find("cuDriverGetVersion");
  int (*error_name)(int, const char**) = find("cuGetErrorName");
  int (*device_count)(int*) = find("cuDeviceGetCount");
  int (*device_get)(int*, int) = find("cuDeviceGet");
  int (*device_name)(char*, int, int) = find("cuDeviceGetName");
  int (*retain_context)(void**, int) = find("cuDevicePrimaryCtxRetain");
  int (*release_context)(int) = find("cuDevicePrimaryCtxRelease_v2");
  int (*set_context)(void*) = find("cuCtxSetCurrent");
  int (*create_stream)(void**, unsigned) = find("cuStreamCreate");
  int (*destroy_stream)(void*) = find("cuStreamDestroy_v2");
  int (*synchronize_stream)(void*) = find("cuStreamSynchronize");
  int (*allocate)(Address*, size_t) = find("cuMemAlloc_v2");
  int (*free)(Address) = find("cuMemFree_v2");
  int (*to_device)(Address, const void*, size_t, void*) = find("cuMemcpyHtoDAsync_v2");
  int (*to_host)(void*, Address, size_t, void*) = find("cuMemcpyDtoHAsync_v2");
  int (*memory_info)(size_t*, size_t*) = find("cuMemGetInfo_v2");
};

std::shared_ptr<Driver> Driver::open(const std::string& library) {
  void* handle = nullptr;
  std::string reason;
  const auto attempt = [&](const std::string& path) {
    if (handle) return;
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* error = handle ? nullptr : dlerror();
    if (error && reason.empty()) reason = error;
  };
  if (!library.empty()) {
    attempt(library);
  } else {
    attempt("libcuda.so.1");
    attempt("/usr/lib/wsl/lib/libcuda.so.1");  // where no loader looks
  }
  if (!handle) {
    unavailable("no CUDA driver: " + reason,
                "Running an engine needs an NVIDIA GPU and its driver; building one with "
                "TensorRT-RTX (convert) does not.");
  }
  auto api = std::make_unique<Api>(handle);
  const int started = api->init(0);
  int count = 0;
  if (started == kNoDevice || (started == 0 && (api->device_count(&count) != 0 || count == 0)))
    unavailable("the CUDA driver finds no GPU", "Run `nvidia-smi` for details.");
  if (started != 0)
    unavailable("the CUDA driver failed to start: error " + std::to_string(started),
                "Run `nvidia-smi` for details.");
  int version = 0;
  api->driver_version(&version);
  if (version < kLeastVersion) {
    unavailable("the CUDA driver is too old: it is for CUDA " + std::to_string(version / 1000) +
                    "." + std::to_string(version % 1000 / 10),
                "Update the driver to one for CUDA 12 or newer.");
  }
  return std::shared_ptr<Driver>(new Driver(std::move(api), 0));
}

Driver::Driver(std::unique_ptr<Api> api, int device) : api_(std::move(api)) {
  check(api_->device_get(&number_, device), "choosing the GPU");
  char name[kNameLength] = {};
  check(api_->device_name(name, kNameLength, number_), "reading the GPU's name");
  device_ = name;
  check(api_->retain_context(&context_, number_), "acquiring the GPU");
  try {
    check(api_->set_context(context_), "acquiring the GPU");
    check(api_->create_stream(&stream_, 1 /* CU_STREAM_NON_BLOCKING */), "creating a stream");
  } catch (...) {
    api_->release_context(number_);
    throw;
  }
}

Driver::~Driver() {
  api_->set_context(context_);
  if (stream_) api_->destroy_stream(stream_);
  if (context_) api_->release_context(number_);
}

void Driver::check(int result, const char* doing) const {
  if (result == 0) return;
  const char* name = nullptr;
  api_->error_name(result, &name);
  throw pgb::Failure(std::string(name ? name : "error " + std::to_string(result)) + " when " +
                     doing);
}

void Driver::synchronize() {
  synchronize(stream_);
}

void Driver::synchronize(void* stream) {
  check(api_->set_context(context_), "acquiring the GPU");
  check(api_->synchronize_stream(stream), "running on the GPU");
}

void* Driver::allocate(size_t bytes) {
  check(api_->set_context(context_), "acquiring the GPU");
  Address memory = 0;
  const int result = api_->allocate(&memory, bytes);
  if (result == kOutOfMemory) {
    size_t left = 0, all = 0;
    api_->memory_info(&left, &all);
    throw pgb::Failure("the GPU is out of memory: " + std::to_string(bytes) + " bytes requested, " +
                           std::to_string(left) + " of " + std::to_string(all) + " free",
                       "Use smaller inputs, or free memory of the GPU (`nvidia-smi`).");
  }
  check(result, "allocating memory of the GPU");
  return reinterpret_cast<void*>(memory);
}

void Driver::free(void* memory) noexcept {
  if (!memory) return;
  api_->set_context(context_);
  api_->free(address_of(memory));
}

void Driver::copy_to_device(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  check(api_->set_context(context_), "acquiring the GPU");
  check(api_->to_device(address_of(to), from, bytes, stream_), "copying to the GPU");
}

void Driver::copy_to_host(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  check(api_->set_context(context_), "acquiring the GPU");
  check(api_->to_host(to, address_of(from), bytes, stream_), "copying from the GPU");
}

}  // namespace tensorrt
