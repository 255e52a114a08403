// Common part of tests of the double: its libraries, opened as a program opens them.
#pragma once

#include <NvInfer.h>
#include <NvOnnxParser.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace tensorrt_double {

using namespace nvinfer1;

template <class Function>
Function* symbol(const char* library, const char* name) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void* found = handle ? dlsym(handle, name) : nullptr;
  EXPECT_NE(found, nullptr) << library << " " << name << " " << (handle ? "" : dlerror());
  return reinterpret_cast<Function*>(found);
}

class Messages : public ILogger {
 public:
  void log(Severity severity, const char* text) noexcept override {
    if (severity <= Severity::kERROR) errors += std::string(text) + "\n";
  }
  std::string errors;
};

// A variable of the environment, for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

inline Dims dims(std::initializer_list<int64_t> values) {
  Dims result{};
  result.nbDims = static_cast<int32_t>(values.size());
  std::copy(values.begin(), values.end(), result.d);
  return result;
}

class TensorRtDouble : public testing::Test {
 protected:
  TensorRtDouble()
      : builder(static_cast<IBuilder*>(symbol<void*(void*, int32_t)>(
            PG_TENSORRT, "createInferBuilder_INTERNAL")(&messages, NV_TENSORRT_VERSION))),
        runtime(static_cast<IRuntime*>(symbol<void*(void*, int32_t)>(
            PG_TENSORRT, "createInferRuntime_INTERNAL")(&messages, NV_TENSORRT_VERSION))),
        network(builder->createNetworkV2(0)),
        config(builder->createBuilderConfig()),
        parser(static_cast<nvonnxparser::IParser*>(
            symbol<void*(void*, void*, int)>(PG_PARSER, "createNvOnnxParser_INTERNAL")(
                network.get(), &messages, NV_ONNX_PARSER_VERSION))) {}

  static std::string onnx(const std::string& text) {
    return graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
        "<ir_version: 8, opset_import: [\"\" : 17, \"mine\" : 1]> " + text));
  }
  bool parse(const std::string& text) {
    const std::string bytes = onnx(text);
    return parser->parse(bytes.data(), bytes.size(), nullptr);
  }
  std::string build() {
    const std::unique_ptr<IHostMemory> plan(builder->buildSerializedNetwork(*network, *config));
    return plan ? std::string(static_cast<const char*>(plan->data()), plan->size()) : "";
  }
  std::unique_ptr<ICudaEngine> read(const std::string& plan) {
    return std::unique_ptr<ICudaEngine>(runtime->deserializeCudaEngine(plan.data(), plan.size()));
  }
  // Of an engine with the input x and the output y, both float32; host memory stands for a GPU's.
  std::vector<float> run(ICudaEngine& engine, std::vector<float> x, int64_t outputs) {
    const std::unique_ptr<IExecutionContext> context(engine.createExecutionContext());
    std::vector<float> y(static_cast<size_t>(outputs), -1);
    if (engine.getTensorShape("x").d[0] < 0) {
      EXPECT_TRUE(context->setInputShape("x", dims({static_cast<int64_t>(x.size())})));
    }
    context->setTensorAddress("x", x.data());
    context->setTensorAddress("y", y.data());
    EXPECT_TRUE(context->enqueueV3(nullptr)) << messages.errors;
    return y;
  }
  void add_profile(int64_t low, int64_t optimum, int64_t high) {
    IOptimizationProfile* profile = builder->createOptimizationProfile();
    profile->setDimensions("x", OptProfileSelector::kMIN, dims({low}));
    profile->setDimensions("x", OptProfileSelector::kOPT, dims({optimum}));
    profile->setDimensions("x", OptProfileSelector::kMAX, dims({high}));
    config->addOptimizationProfile(profile);
  }

  static constexpr const char* kSum =
      "g (float[4] x) => (float[4] y) <float[4] w = {1,2,3,4}> "
      "{ a = Add(x, w) y = Relu(a) }";
  static constexpr const char* kDynamic = "g (float[N] x) => (float[N] y) { y = Neg(x) }";

  Messages messages;
  std::unique_ptr<IBuilder> builder;
  std::unique_ptr<IRuntime> runtime;
  std::unique_ptr<INetworkDefinition> network;
  std::unique_ptr<IBuilderConfig> config;
  std::unique_ptr<nvonnxparser::IParser> parser;
};

}  // namespace tensorrt_double
