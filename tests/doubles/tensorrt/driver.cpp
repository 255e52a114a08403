// A double of libcuda.so.1 over host memory: the functions that a program needs beside TensorRT.
// PG_CUDA_DOUBLE_FAIL is a list of what goes wrong: no-device, too-old, out-of-memory,
// out-of-memory:BYTES (what may be allocated in all).
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace {

using Result = int;
constexpr Result kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kNotInitialized = 3,
                 kNoDevice = 100, kInvalidDevice = 101, kInvalidContext = 201;
constexpr size_t kMemory = size_t{8} << 30;

struct Device {
  std::mutex mutex;
  std::map<uintptr_t, size_t> allocations;  // by address
  size_t used = 0;
  bool initialized = false;
};
Device& device() {
  static auto& one = *new Device;
  return one;
}
thread_local void* current_context = nullptr;
int the_context, the_stream, the_event;

// The text after "name:" in the list; empty for the name alone.
bool told(std::string_view name, std::string* argument = nullptr) {
  const char* variable = std::getenv("PG_CUDA_DOUBLE_FAIL");
  std::string_view list = variable ? variable : "";
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(one.size() + (one.size() < list.size() ? 1 : 0));
    if (one.substr(0, one.find(':')) != name) continue;
    if (argument && one.size() > name.size()) *argument = one.substr(name.size() + 1);
    return true;
  }
  return false;
}

size_t total_memory() {
  std::string bytes;
  if (!told("out-of-memory", &bytes)) return kMemory;
  return bytes.empty() ? 0 : std::strtoull(bytes.c_str(), nullptr, 10);
}

struct ErrorText {
  Result code;
  const char* name;
  const char* text;
};
constexpr ErrorText kErrors[] = {
    {kSuccess, "CUDA_SUCCESS", "no error"},
    {kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {kNotInitialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {kNoDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
};
const ErrorText* error_text(Result code) {
  for (const ErrorText& error : kErrors) {
    if (error.code == code) return &error;
  }
  return nullptr;
}

Result ready() {
  if (!device().initialized) return kNotInitialized;
  return current_context ? kSuccess : kInvalidContext;
}

// Whether the bytes lie in one allocation of the device.
bool is_device_memory(uintptr_t address, size_t bytes) {
  const std::lock_guard lock(device().mutex);
  auto next = device().allocations.upper_bound(address);
  if (next == device().allocations.begin()) return false;
  --next;
  return address + bytes <= next->first + next->second;
}

Result copy(void* to, const void* from, size_t bytes, uintptr_t on_device, uintptr_t also = 0) {
  if (const Result result = ready()) return result;
  if (bytes == 0) return kSuccess;
  if (!is_device_memory(on_device, bytes)) return kInvalidValue;
  if (also && !is_device_memory(also, bytes)) return kInvalidValue;
  std::memmove(to, from, bytes);
  return kSuccess;
}
void* pointer(uintptr_t address) {
  return reinterpret_cast<void*>(address);
}

}  // namespace

#define PG_CUDA extern "C" __attribute__((visibility("default"))) Result

PG_CUDA cuInit(unsigned) {
  if (told("no-device")) return kNoDevice;
  device().initialized = true;
  return kSuccess;
}
PG_CUDA cuDriverGetVersion(int* version) {
  *version = told("too-old") ? 10020 : 13000;
  return kSuccess;
}
PG_CUDA cuDeviceGetCount(int* count) {
  *count = told("no-device") ? 0 : 1;
  return device().initialized ? kSuccess : kNotInitialized;
}
PG_CUDA cuDeviceGet(int* result, int ordinal) {
  if (ordinal != 0) return kInvalidDevice;
  *result = 0;
  return device().initialized ? kSuccess : kNotInitialized;
}
PG_CUDA cuDeviceGetName(char* name, int size, int) {
  std::strncpy(name, "Double of a GPU", static_cast<size_t>(size));
  name[size - 1] = '\0';
  return kSuccess;
}
PG_CUDA cuDeviceGetAttribute(int* value, int attribute, int) {
  // Compute capability 8.6.
  *value = attribute == 75 ? 8 : attribute == 76 ? 6 : 1;
  return kSuccess;
}
PG_CUDA cuDeviceTotalMem_v2(size_t* bytes, int) {
  *bytes = total_memory();
  return kSuccess;
}
PG_CUDA cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &the_context;
  return device().initialized ? kSuccess : kNotInitialized;
}
PG_CUDA cuDevicePrimaryCtxRelease_v2(int) {
  return kSuccess;
}
PG_CUDA cuDevicePrimaryCtxRelease(int) {
  return kSuccess;
}
PG_CUDA cuCtxSetCurrent(void* context) {
  current_context = context;
  return kSuccess;
}
PG_CUDA cuCtxGetCurrent(void** context) {
  *context = current_context;
  return kSuccess;
}
PG_CUDA cuCtxPushCurrent_v2(void* context) {
  current_context = context;
  return kSuccess;
}
PG_CUDA cuCtxPopCurrent_v2(void** context) {
  if (context) *context = current_context;
  current_context = nullptr;
  return kSuccess;
}
PG_CUDA cuCtxSynchronize() {
  return ready();
}

PG_CUDA cuMemAlloc_v2(uintptr_t* address, size_t bytes) {
  if (const Result result = ready()) return result;
  if (bytes == 0) return kInvalidValue;
  Device& one = device();
  const std::lock_guard lock(one.mutex);
  if (bytes > total_memory() || one.used > total_memory() - bytes) return kOutOfMemory;
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory) return kOutOfMemory;
  // Not zeros, so that reads of memory that a program has not written show.
  std::memset(memory, 0xA5, bytes);
  *address = reinterpret_cast<uintptr_t>(memory);
  one.allocations[*address] = bytes;
  one.used += bytes;
  return kSuccess;
}
PG_CUDA cuMemFree_v2(uintptr_t address) {
  Device& one = device();
  const std::lock_guard lock(one.mutex);
  const auto found = one.allocations.find(address);
  if (found == one.allocations.end()) return address ? kInvalidValue : kSuccess;
  one.used -= found->second;
  one.allocations.erase(found);
  std::free(pointer(address));
  return kSuccess;
}
PG_CUDA cuMemAllocAsync(uintptr_t* address, size_t bytes, void*) {
  return cuMemAlloc_v2(address, bytes);
}
PG_CUDA cuMemFreeAsync(uintptr_t address, void*) {
  return cuMemFree_v2(address);
}
PG_CUDA cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
  if (const Result result = ready()) return result;
  const std::lock_guard lock(device().mutex);
  *total = total_memory();
  *free_bytes = *total > device().used ? *total - device().used : 0;
  return kSuccess;
}
PG_CUDA cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
  *memory = std::malloc(bytes ? bytes : 1);
  return *memory ? kSuccess : kOutOfMemory;
}
PG_CUDA cuMemFreeHost(void* memory) {
  std::free(memory);
  return kSuccess;
}

PG_CUDA cuMemcpyHtoD_v2(uintptr_t to, const void* from, size_t bytes) {
  return copy(pointer(to), from, bytes, to);
}
PG_CUDA cuMemcpyDtoH_v2(void* to, uintptr_t from, size_t bytes) {
  return copy(to, pointer(from), bytes, from);
}
PG_CUDA cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t bytes, void*) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}
PG_CUDA cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t bytes, void*) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}
PG_CUDA cuMemcpyDtoDAsync_v2(uintptr_t to, uintptr_t from, size_t bytes, void*) {
  return copy(pointer(to), pointer(from), bytes, to, from);
}
PG_CUDA cuMemsetD8Async(uintptr_t to, unsigned char value, size_t bytes, void*) {
  if (const Result result = ready()) return result;
  if (!is_device_memory(to, bytes)) return kInvalidValue;
  std::memset(pointer(to), value, bytes);
  return kSuccess;
}

PG_CUDA cuStreamCreate(void** stream, unsigned) {
  *stream = &the_stream;
  return ready();
}
PG_CUDA cuStreamSynchronize(void*) {
  return ready();
}
PG_CUDA cuStreamDestroy_v2(void*) {
  return kSuccess;
}
PG_CUDA cuEventCreate(void** event, unsigned) {
  *event = &the_event;
  return ready();
}
PG_CUDA cuEventRecord(void*, void*) {
  return ready();
}
PG_CUDA cuEventSynchronize(void*) {
  return ready();
}
PG_CUDA cuEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 0.25F;
  return kSuccess;
}
PG_CUDA cuEventDestroy_v2(void*) {
  return kSuccess;
}

PG_CUDA cuGetErrorName(Result code, const char** name) {
  const ErrorText* error = error_text(code);
  *name = error ? error->name : nullptr;
  return error ? kSuccess : kInvalidValue;
}
PG_CUDA cuGetErrorString(Result code, const char** text) {
  const ErrorText* error = error_text(code);
  *text = error ? error->text : nullptr;
  return error ? kSuccess : kInvalidValue;
}
