#include "running/execution.h"

#include <dlfcn.h>
#include <onnxruntime_c_api.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace tensorrt_double {
namespace {

using polygraphy::Array;
using polygraphy::DataType;

// The library's functions; opened once, and never closed.
const OrtApi& api() {
  static const OrtApi& found = []() -> const OrtApi& {
    void* library = ::dlopen(PG_ONNXRUNTIME, RTLD_NOW | RTLD_LOCAL);
    auto* base = library
                     ? reinterpret_cast<const OrtApiBase* (*)()>(::dlsym(library, "OrtGetApiBase"))
                     : nullptr;
    if (!base) throw std::runtime_error("no ONNX Runtime at " PG_ONNXRUNTIME);
    // Without it, the library reports to its maker.
    ::setenv("ORT_DISABLE_TELEMETRY", "1", 0);
    return *base()->GetApi(ORT_API_VERSION);
  }();
  return found;
}

void check(OrtStatus* status) {
  if (!status) return;
  const std::string message = api().GetErrorMessage(status);
  api().ReleaseStatus(status);
  throw std::runtime_error(message);
}

// ONNX' numbers of the types that ONNX Runtime got in another order; elsewhere they are the same.
constexpr std::array<std::pair<int, int>, 3> kNumbers = {{{24, 26}, {25, 24}, {26, 25}}};

ONNXTensorElementDataType runtime_type(DataType type) {
  const int number = static_cast<int>(type);
  for (const auto& [onnx, runtime] : kNumbers) {
    if (number == onnx) return static_cast<ONNXTensorElementDataType>(runtime);
  }
  return static_cast<ONNXTensorElementDataType>(number);
}
DataType onnx_type(ONNXTensorElementDataType type) {
  const int number = static_cast<int>(type);
  for (const auto& [onnx, runtime] : kNumbers) {
    if (number == runtime) return static_cast<DataType>(onnx);
  }
  return static_cast<DataType>(number);
}

// Silent: what fails comes back as an error.
void drop_message(void*, OrtLoggingLevel, const char*, const char*, const char*, const char*) {}

template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

Owned<OrtValue> to_value(const Array& array) {
  OrtMemoryInfo* raw = nullptr;
  check(api().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &raw));
  const Owned<OrtMemoryInfo> memory(raw, api().ReleaseMemoryInfo);
  OrtValue* value = nullptr;
  static char nothing;
  void* data = array.nbytes() ? const_cast<std::byte*>(array.data())
                              : reinterpret_cast<std::byte*>(&nothing);
  check(api().CreateTensorWithDataAsOrtValue(raw, data, static_cast<size_t>(array.nbytes()),
                                             array.shape().data(), array.shape().size(),
                                             runtime_type(array.dtype()), &value));
  return {value, api().ReleaseValue};
}

Array to_array(OrtValue* value) {
  OrtTensorTypeAndShapeInfo* raw = nullptr;
  check(api().GetTensorTypeAndShape(value, &raw));
  const Owned<OrtTensorTypeAndShapeInfo> info(raw, api().ReleaseTensorTypeAndShapeInfo);
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  size_t rank = 0;
  check(api().GetTensorElementType(raw, &type));
  check(api().GetDimensionsCount(raw, &rank));
  polygraphy::Shape shape(rank);
  check(api().GetDimensions(raw, shape.data(), rank));
  void* data = nullptr;
  check(api().GetTensorMutableData(value, &data));
  return Array::view(onnx_type(type), shape, data, nullptr).clone();
}

}  // namespace

struct Execution::Session {
  Owned<OrtEnv> env{nullptr, api().ReleaseEnv};
  Owned<OrtSession> session{nullptr, api().ReleaseSession};
};

Execution::Execution(const std::string& onnx) : session_(std::make_unique<Session>()) {
  OrtEnv* env = nullptr;
  check(api().CreateEnvWithCustomLogger(&drop_message, nullptr, ORT_LOGGING_LEVEL_FATAL, "double",
                                        &env));
  session_->env.reset(env);
  OrtSessionOptions* raw = nullptr;
  check(api().CreateSessionOptions(&raw));
  const Owned<OrtSessionOptions> options(raw, api().ReleaseSessionOptions);
  check(api().SetIntraOpNumThreads(raw, 1));
  // Casts that round must stay.
  check(api().SetSessionGraphOptimizationLevel(raw, ORT_DISABLE_ALL));
  OrtSession* session = nullptr;
  check(api().CreateSessionFromArray(env, onnx.data(), onnx.size(), raw, &session));
  session_->session.reset(session);
}

Execution::~Execution() = default;

std::vector<Array> Execution::run(const std::map<std::string, Array>& inputs,
                                  const std::vector<std::string>& outputs) const {
  std::vector<Owned<OrtValue>> owned;
  std::vector<const OrtValue*> values;
  std::vector<const char*> names, output_names;
  for (const auto& [name, array] : inputs) {
    owned.push_back(to_value(array));
    values.push_back(owned.back().get());
    names.push_back(name.c_str());
  }
  for (const std::string& name : outputs) output_names.push_back(name.c_str());
  std::vector<OrtValue*> results(outputs.size());
  check(api().Run(session_->session.get(), nullptr, names.data(), values.data(), values.size(),
                  output_names.data(), output_names.size(), results.data()));
  std::vector<Array> arrays;
  for (OrtValue* result : results) {
    const Owned<OrtValue> keep(result, api().ReleaseValue);
    arrays.push_back(to_array(result));
  }
  return arrays;
}

}  // namespace tensorrt_double
