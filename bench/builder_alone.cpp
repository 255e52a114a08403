// The floor for `polygraphy convert` with TensorRT-RTX: opens the library and its parser, parses a
// model of static shapes from its file, builds and writes the plan. Usage: builder_alone LIBRARY
// PARSER MODEL PLAN
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include <NvInfer.h>
#include <NvOnnxParser.h>

namespace {

class Logger final : public nvinfer1::ILogger {
  void log(Severity severity, const char* text) noexcept override {
    if (severity <= Severity::kERROR) std::fprintf(stderr, "builder_alone: %s\n", text);
  }
};

template <typename Function>
Function symbol(const char* library, const char* name) {
  void* opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void* found = opened ? dlsym(opened, name) : nullptr;
  if (found == nullptr) {
    std::fprintf(stderr, "builder_alone: %s\n", dlerror());
    std::exit(1);
  }
  return reinterpret_cast<Function>(found);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  Logger logger;
  auto* builder = static_cast<nvinfer1::IBuilder*>(symbol<void* (*)(void*, int)>(
      argv[1], "createInferBuilder_INTERNAL")(&logger, NV_TENSORRT_VERSION));
  nvinfer1::INetworkDefinition* network = builder->createNetworkV2(0);
  auto* parser = static_cast<nvonnxparser::IParser*>(symbol<void* (*)(void*, void*, int)>(
      argv[2], "createNvOnnxParser_INTERNAL")(network, &logger, NV_ONNX_PARSER_VERSION));
  if (!parser->parseFromFile(argv[3], 0)) return 1;
  nvinfer1::IBuilderConfig* config = builder->createBuilderConfig();
  config->clearFlag(nvinfer1::BuilderFlag::kTF32);
  config->setProfilingVerbosity(nvinfer1::ProfilingVerbosity::kDETAILED);
  nvinfer1::IHostMemory* plan = builder->buildSerializedNetwork(*network, *config);
  std::FILE* file = plan ? std::fopen(argv[4], "wb") : nullptr;
  if (file == nullptr || std::fwrite(plan->data(), 1, plan->size(), file) != plan->size()) return 1;
  std::fclose(file);
  std::_Exit(0);
}
