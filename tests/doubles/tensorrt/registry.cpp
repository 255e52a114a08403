#include "registry.h"

#include <dlfcn.h>

#include "forward.h"

namespace tensorrt_double {
namespace {

struct RegistryImpl {
  nvinfer1::IErrorRecorder* recorder = nullptr;
  bool searches_parent = true;

  void* loadLibrary(const char* path) { return ::dlopen(path, RTLD_NOW | RTLD_LOCAL); }
  void deregisterLibrary(void* handle) { ::dlclose(handle); }
  auto getAllCreators(int32_t* count) const {
    *count = 0;
    return nullptr;
  }
  auto getPluginCreatorList(int32_t* count) const {
    *count = 0;
    return nullptr;
  }
  void setErrorRecorder(nvinfer1::IErrorRecorder* value) { recorder = value; }
  nvinfer1::IErrorRecorder* getErrorRecorder() const { return recorder; }
  bool isParentSearchEnabled() const { return searches_parent; }
  void setParentSearchEnabled(bool value) { searches_parent = value; }
};

}  // namespace

nvinfer1::IPluginRegistry& plugin_registry() {
  static auto& registry = *new ForwardIPluginRegistry<RegistryImpl>;
  return registry;
}

}  // namespace tensorrt_double
