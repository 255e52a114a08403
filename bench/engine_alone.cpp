// The floor for `polygraphy run --onnxrt`: opens ONNX Runtime, loads a model and runs it once
// through the C API, with zeros as inputs and 1 for dynamic dimensions. Usage: engine_alone LIBRARY
// MODEL
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <onnxruntime_c_api.h>

namespace {

const OrtApi* api;

void check(OrtStatus* status) {
  if (status == nullptr) return;
  std::fprintf(stderr, "engine_alone: %s\n", api->GetErrorMessage(status));
  std::exit(1);
}

size_t element_bytes(ONNXTensorElementDataType type) {
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE:
      return 8;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32:
      return 4;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16:
      return 2;
    default:
      return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "engine_alone: %s\n", dlerror());
    return 1;
  }
  auto base = reinterpret_cast<const OrtApiBase* (*)()>(dlsym(library, "OrtGetApiBase"));
  api = base()->GetApi(17);
  OrtEnv* env;
  check(api->CreateEnv(ORT_LOGGING_LEVEL_WARNING, "floor", &env));
  OrtSessionOptions* options;
  check(api->CreateSessionOptions(&options));
  check(api->SetIntraOpNumThreads(options, 2));
  OrtSession* session;
  check(api->CreateSession(env, argv[2], options, &session));
  OrtAllocator* allocator;
  check(api->GetAllocatorWithDefaultOptions(&allocator));
  OrtMemoryInfo* memory;
  check(api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));

  size_t inputs, outputs;
  check(api->SessionGetInputCount(session, &inputs));
  check(api->SessionGetOutputCount(session, &outputs));
  std::vector<char*> input_names(inputs), output_names(outputs);
  std::vector<std::vector<char>> data(inputs);
  std::vector<OrtValue*> feeds(inputs), results(outputs);
  for (size_t i = 0; i < inputs; ++i) {
    check(api->SessionGetInputName(session, i, allocator, &input_names[i]));
    OrtTypeInfo* type;
    check(api->SessionGetInputTypeInfo(session, i, &type));
    const OrtTensorTypeAndShapeInfo* info;
    check(api->CastTypeInfoToTensorInfo(type, &info));
    ONNXTensorElementDataType element;
    check(api->GetTensorElementType(info, &element));
    size_t rank;
    check(api->GetDimensionsCount(info, &rank));
    std::vector<int64_t> shape(rank);
    check(api->GetDimensions(info, shape.data(), rank));
    size_t count = 1;
    for (auto& dim : shape) count *= static_cast<size_t>(dim = dim < 0 ? 1 : dim);
    data[i].resize(count * element_bytes(element));
    check(api->CreateTensorWithDataAsOrtValue(memory, data[i].data(), data[i].size(), shape.data(),
                                              rank, element, &feeds[i]));
  }
  for (size_t i = 0; i < outputs; ++i) {
    check(api->SessionGetOutputName(session, i, allocator, &output_names[i]));
  }
  check(api->Run(session, nullptr, input_names.data(), feeds.data(), inputs, output_names.data(),
                 outputs, results.data()));
  std::_Exit(0);
}
