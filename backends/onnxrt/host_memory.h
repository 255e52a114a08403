// Outputs where the host would like them to lie: ONNX Runtime's memory for values, given by it.
#pragma once

#include <onnxruntime_c_api.h>

#include <memory>

#include "common/plugin.h"
#include "onnxrt/library.h"

namespace onnxrt {

// While this lives, the host allocates the outputs and intermediate results of its sessions.
// Weights stay in ordinary memory. One per library.
class HostMemory {
 public:
  // `host` and `library` must outlive this, and this the sessions and their outputs.
  HostMemory(Library& library, pgb::Host host);
  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  // Throws Failure.
  static void use_in(const Library& library, OrtSessionOptions* options);

 private:
  struct Allocator;

  Library& library_;
  Owned<OrtMemoryInfo> info_;
  std::unique_ptr<Allocator> allocator_;
};

}  // namespace onnxrt
