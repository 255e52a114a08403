#include "running/refitter.h"

#include <algorithm>
#include <list>

#include "building/parser.h"
#include "forward.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "running/engine.h"

namespace tensorrt_double {
namespace {

using polygraphy::Array;

struct RefitterImpl {
  RefitterImpl(Log l, std::shared_ptr<Plan> p) : log(l), plan(std::move(p)) {}
  nvinfer1::IRefitter* self = nullptr;
  Log log;
  std::shared_ptr<Plan> plan;
  std::map<std::string, Array> values;
  int32_t threads = 1;
  bool validates = true;

  nvinfer1::IRefitter* getPImpl() { return self; }
  nvinfer1::ILogger* getLogger() const { return log.logger(); }
  void setErrorRecorder(nvinfer1::IErrorRecorder* recorder) { log.recorder = recorder; }
  nvinfer1::IErrorRecorder* getErrorRecorder() const { return log.recorder; }
  bool setMaxThreads(int32_t value) { return value > 0 && (threads = value, true); }
  int32_t getMaxThreads() const { return threads; }
  void setWeightsValidation(bool value) { validates = value; }
  bool getWeightsValidation() const { return validates; }

  bool set(const std::string& name, const Array& array) {
    const auto& known = plan->refittable_weights;
    if (std::find(known.begin(), known.end(), name) == known.end()) return false;
    values[name] = array;
    return true;
  }
  bool setNamedWeights(const char* name, nvinfer1::Weights weights) {
    const polygraphy::DataType type = to_onnx(weights.type);
    return set(name, Array::view(type, {weights.count}, weights.values, nullptr).clone());
  }
  bool setNamedWeightsWithLocation(const char* name, nvinfer1::Weights weights,
                                   nvinfer1::TensorLocation) {
    return setNamedWeights(name, weights);
  }
  bool unsetNamedWeights(const char* name) { return values.erase(name) > 0; }
  int32_t list(int32_t size, const char** names, bool only_missing) const {
    int32_t count = 0;
    for (const std::string& name : plan->refittable_weights) {
      // A plan with its weights misses none; a stripped one all that have not been set.
      if (only_missing && (!plan->is_stripped || values.contains(name))) continue;
      if (names && count < size) names[count] = name.c_str();
      ++count;
    }
    return count;
  }
  int32_t getAllWeights(int32_t size, const char** names) const { return list(size, names, false); }
  int32_t getMissingWeights(int32_t size, const char** names) const {
    return list(size, names, true);
  }
  bool refitCudaEngine() {
    return log.guarded("IRefitter::refitCudaEngine", [&] { return refit(); }, false);
  }
  bool refitCudaEngineAsync(cudaStream_t) { return refitCudaEngine(); }

 private:
  bool refit() {
    if (list(0, nullptr, true) > 0) throw usage_error("There are missing weights.");
    const auto bytes = std::as_bytes(std::span(plan->onnx.data(), plan->onnx.size()));
    graphsurgeon::Model model =
        graphsurgeon::load_model_from_bytes(bytes, nullptr, "the plan's model");
    for (const auto& weight : model.graph->initializers()) {
      const auto found = values.find(std::string(weight->name()));
      if (found == values.end()) continue;
      weight->replace_values(
          graphsurgeon::owned_payload(found->second.reshaped(weight->payload()->shape())));
    }
    plan->onnx = graphsurgeon::encode_model(model);
    plan->is_stripped = false;
    return true;
  }
};
using RefitterObject = Made<nvinfer1::IRefitter, ForwardVRefitter<RefitterImpl>>;

struct OnnxRefitterImpl {
  OnnxRefitterImpl(RefitterImpl& r, nvinfer1::ILogger* logger) : refitter(r), log(logger) {}
  RefitterImpl& refitter;
  Log log;
  std::list<ParserErrorObject> errors;

  bool take(const graphsurgeon::Model& model) {
    for (const auto& weight : model.graph->initializers()) {
      refitter.set(std::string(weight->name()), weight->values());
    }
    return true;
  }
  bool fail(const std::exception& failure) {
    errors.emplace_back(ParserErrorImpl{nvonnxparser::ErrorCode::kREFIT_FAILED, failure.what(),
                                        "ModelRefitter.cpp", 1, "refitFromFile", -1, "", ""});
    log.error(1, failure.what());
    return false;
  }
  bool refitFromFile(const char* path) {
    try {
      return take(graphsurgeon::load_model(path));
    } catch (const std::exception& failure) {
      return fail(failure);
    }
  }
  bool refitFromBytes(const void* bytes, size_t size, const char*) {
    try {
      return take(graphsurgeon::load_model_from_bytes({static_cast<const std::byte*>(bytes), size},
                                                      nullptr, "model"));
    } catch (const std::exception& failure) {
      return fail(failure);
    }
  }
  int32_t getNbErrors() const { return static_cast<int32_t>(errors.size()); }
  const nvonnxparser::IParserError* getError(int32_t index) const {
    return &*std::next(errors.begin(), index);
  }
  void clearErrors() { errors.clear(); }
};

}  // namespace

nvinfer1::IRefitter* refitter_of(const EngineImpl& engine, Log log) {
  if (engine.plan->is_refittable) return new RefitterObject(log, engine.plan);
  log.error(3,
            "createInferRefitter: Error Code 3: API Usage Error (Cannot refit an engine that is "
            "not refittable.)");
  return nullptr;
}

void* onnx_refitter_of(nvinfer1::IRefitter& refitter, nvinfer1::ILogger* logger) {
  return static_cast<nvonnxparser::IParserRefitter*>(
      new ForwardIParserRefitter<OnnxRefitterImpl>(RefitterObject::impl_of(refitter), logger));
}

}  // namespace tensorrt_double
