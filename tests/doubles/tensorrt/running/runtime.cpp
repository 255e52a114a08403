#include "running/runtime.h"

#include <unistd.h>

#include "registry.h"
#include "running/engine.h"

namespace tensorrt_double {
namespace {

constexpr nvinfer1::ICudaEngine* kNoEngine = nullptr;

}  // namespace

nvinfer1::ICudaEngine* RuntimeImpl::deserializeCudaEngine(const void* blob, size_t size) {
  return log.guarded(
      "IRuntime::deserializeCudaEngine",
      [&] {
        return engine_from_plan({static_cast<const char*>(blob), size}, log, host_code_allowed);
      },
      kNoEngine);
}

nvinfer1::ICudaEngine* RuntimeImpl::deserializeCudaEngineV2(nvinfer1::IStreamReaderV2& reader) {
  return log.guarded(
      "IRuntime::deserializeCudaEngine",
      [&] {
        std::string bytes;
        std::string part(1 << 16, '\0');
        while (true) {
          const int64_t read = reader.read(part.data(), static_cast<int64_t>(part.size()), nullptr);
          if (read <= 0) break;
          bytes.append(part.data(), static_cast<size_t>(read));
        }
        return engine_from_plan(bytes, log, host_code_allowed);
      },
      kNoEngine);
}

nvinfer1::IPluginRegistry& RuntimeImpl::getPluginRegistry() const {
  return plugin_registry();
}

nvinfer1::IRuntime* RuntimeImpl::loadRuntime(const char* path) {
  if (path && ::access(path, R_OK) == 0) return new RuntimeObject(log.logger());
  log.error(3, fmt::format("IRuntime::loadRuntime: Error Code 3: API Usage Error (Could not load "
                           "{}.)",
                           path ? path : "null"));
  return nullptr;
}

}  // namespace tensorrt_double
