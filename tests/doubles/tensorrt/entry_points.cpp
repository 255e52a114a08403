// The exported functions of libnvinfer and of libtensorrt_rtx.
#include <NvInfer.h>

#include "building/builder.h"
#include "building/parser.h"
#include "registry.h"
#include "running/engine.h"
#include "running/refitter.h"
#include "running/runtime.h"

namespace {

// Programs of another major version see other functions behind the same slots.
bool fits(nvinfer1::ILogger* logger, int32_t version) {
  if (version / 10000 == NV_TENSORRT_MAJOR) return true;
  const std::string text = fmt::format(
      "Error Code 6: API Usage Error (The version {} of the program does not fit the library's, "
      "{}.)",
      version, NV_TENSORRT_VERSION);
  if (logger) logger->log(nvinfer1::ILogger::Severity::kINTERNAL_ERROR, text.c_str());
  return false;
}

}  // namespace

extern "C" {

TENSORRTAPI int32_t getInferLibVersion() noexcept {
  return NV_TENSORRT_VERSION;
}
TENSORRTAPI int32_t getInferLibMajorVersion() noexcept {
  return NV_TENSORRT_MAJOR;
}
TENSORRTAPI int32_t getInferLibMinorVersion() noexcept {
  return NV_TENSORRT_MINOR;
}
TENSORRTAPI int32_t getInferLibPatchVersion() noexcept {
  return NV_TENSORRT_PATCH;
}
TENSORRTAPI int32_t getInferLibBuildVersion() noexcept {
  return NV_TENSORRT_BUILD;
}

TENSORRTAPI void* createInferBuilder_INTERNAL(void* logger, int32_t version) noexcept {
  auto* log = static_cast<nvinfer1::ILogger*>(logger);
  if (!fits(log, version)) return nullptr;
  return static_cast<nvinfer1::IBuilder*>(new tensorrt_double::BuilderObject(log));
}
TENSORRTAPI void* createInferRuntime_INTERNAL(void* logger, int32_t version) noexcept {
  auto* log = static_cast<nvinfer1::ILogger*>(logger);
  if (!fits(log, version)) return nullptr;
  return static_cast<nvinfer1::IRuntime*>(new tensorrt_double::RuntimeObject(log));
}
TENSORRTAPI void* createInferRefitter_INTERNAL(void* engine, void* logger,
                                               int32_t version) noexcept {
  auto* log = static_cast<nvinfer1::ILogger*>(logger);
  if (!fits(log, version)) return nullptr;
  return tensorrt_double::refitter_of(
      tensorrt_double::EngineObject::impl_of(*static_cast<nvinfer1::ICudaEngine*>(engine)),
      tensorrt_double::Log(log));
}
TENSORRTAPI nvinfer1::IPluginRegistry* getPluginRegistry() noexcept {
  return &tensorrt_double::plugin_registry();
}
TENSORRTAPI nvinfer1::IPluginRegistry* getBuilderPluginRegistry(
    nvinfer1::EngineCapability) noexcept {
  return &tensorrt_double::plugin_registry();
}
TENSORRTAPI nvinfer1::ILogger* getLogger() noexcept {
  return nullptr;
}
TENSORRTAPI bool setInternalLibraryPath(const char*) noexcept {
  return true;
}

// For the libraries of the parser and of the plugins, which contain no code.
TENSORRTAPI void* pg_tensorrt_double_parser(void* network, void* logger) noexcept {
  return static_cast<nvonnxparser::IParser*>(
      new tensorrt_double::ParserObject(*static_cast<nvinfer1::INetworkDefinition*>(network),
                                        static_cast<nvinfer1::ILogger*>(logger)));
}
TENSORRTAPI void* pg_tensorrt_double_refitter(void* refitter, void* logger) noexcept {
  return tensorrt_double::onnx_refitter_of(*static_cast<nvinfer1::IRefitter*>(refitter),
                                           static_cast<nvinfer1::ILogger*>(logger));
}

TENSORRTAPI bool pg_tensorrt_double_plugins(const char* name_space) noexcept {
  tensorrt_double::record_line(
      fmt::format("initLibNvInferPlugins({})", tensorrt_double::text_of(name_space)));
  return true;
}

}  // extern "C"
