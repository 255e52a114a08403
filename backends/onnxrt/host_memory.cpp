#include "onnxrt/host_memory.h"

#include <onnxruntime_session_options_config_keys.h>

#include <cstdlib>

namespace onnxrt {
namespace {

constexpr size_t kAlignment = 64;

}  // namespace

// The table that ONNX Runtime calls, and members for its functions.
struct HostMemory::Allocator : OrtAllocator {
  Allocator(uint32_t api_version, pgb::Host the_host, const OrtMemoryInfo* the_info)
      : OrtAllocator{}, host(the_host), memory_info(the_info) {
    version = api_version;
    Alloc = [](OrtAllocator* self, size_t bytes) -> void* {
      if (bytes == 0) return nullptr;
      const pgb_host& raw = static_cast<Allocator*>(self)->host.raw();
      return raw.allocate(raw.context, bytes, kAlignment);
    };
    // For memory that a session keeps.
    Reserve = [](OrtAllocator*, size_t bytes) -> void* {
      return bytes == 0 ? nullptr
                        : std::aligned_alloc(kAlignment,
                                             (bytes + kAlignment - 1) / kAlignment * kAlignment);
    };
    Free = [](OrtAllocator* self, void* memory) {
      const pgb_host& raw = static_cast<Allocator*>(self)->host.raw();
      if (memory) raw.deallocate(raw.context, memory);
    };
    Info = [](const OrtAllocator* self) {
      return static_cast<const Allocator*>(self)->memory_info;
    };
  }

  pgb::Host host;
  const OrtMemoryInfo* memory_info;
};

HostMemory::HostMemory(Library& library, pgb::Host host)
    : library_(library), info_(nullptr, library.api().ReleaseMemoryInfo) {
  const OrtApi& api = library.api();
  OrtMemoryInfo* info = nullptr;
  library.check(api.CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &info));
  info_.reset(info);
  allocator_ = std::make_unique<Allocator>(library.api_version(), host, info);
  library.check(api.RegisterAllocator(library.env(), allocator_.get()));
}

HostMemory::~HostMemory() {
  const OrtApi& api = library_.api();
  if (OrtStatus* ignored = api.UnregisterAllocator(library_.env(), info_.get()))
    api.ReleaseStatus(ignored);
}

void HostMemory::use_in(const Library& library, OrtSessionOptions* options) {
  library.check(
      library.api().AddSessionConfigEntry(options, kOrtSessionOptionsConfigUseEnvAllocators, "1"));
}

}  // namespace onnxrt
