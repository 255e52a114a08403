// The exported function of libnvinfer_plugin, which TensorRT-RTX does not have.
#include <NvInferPlugin.h>

extern "C" TENSORRTAPI bool pg_tensorrt_double_plugins(const char* name_space) noexcept;

extern "C" TENSORRTAPI bool initLibNvInferPlugins(void*, const char* libNamespace) {
  return pg_tensorrt_double_plugins(libNamespace);
}
