#include "building/algorithms.h"

#include <deque>

#include "log.h"

namespace tensorrt_double {

#if NV_TENSORRT_MAJOR == 10

namespace {

using nvinfer1::IAlgorithm;
using nvinfer1::IAlgorithmContext;

// One element after another, float32, whatever the layer.
struct IoImpl {
  nvinfer1::DataType getDataType() const { return nvinfer1::DataType::kFLOAT; }
  nvinfer1::Dims getStrides() const {
    nvinfer1::Dims dims{};
    dims.nbDims = 2;
    dims.d[0] = 4;
    dims.d[1] = 1;
    return dims;
  }
  int64_t getVectorizedDim() const { return -1; }
  int64_t getComponentsPerElement() const { return 1; }
};
using Io = Made<nvinfer1::IAlgorithmIOInfo, ForwardVAlgorithmIOInfo<IoImpl>>;

struct VariantImpl {
  uint64_t tactic = 0;
  int64_t getImplementation() const { return 7; }
  int64_t getTactic() const { return static_cast<int64_t>(tactic); }
};
using Variant = Made<nvinfer1::IAlgorithmVariant, ForwardVAlgorithmVariant<VariantImpl>>;

struct AlgorithmImpl {
  const Variant* variant = nullptr;
  const Io* io = nullptr;
  int32_t tensors = 0;
  const nvinfer1::IAlgorithmVariant& getAlgorithmVariant() const { return *variant; }
  const nvinfer1::IAlgorithmIOInfo* getAlgorithmIOInfoByIndex(int32_t index) const {
    return index >= 0 && index < tensors ? io : nullptr;
  }
};
using Algorithm = Made<IAlgorithm, ForwardVAlgorithm<AlgorithmImpl>>;

struct ContextImpl {
  const PlanLayer* layer = nullptr;
  const char* getName() const { return layer->name.c_str(); }
  int32_t getNbInputs() const { return static_cast<int32_t>(layer->inputs.size()); }
  int32_t getNbOutputs() const { return static_cast<int32_t>(layer->outputs.size()); }
};
using Context = Made<IAlgorithmContext, ForwardVAlgorithmContext<ContextImpl>>;

}  // namespace

std::optional<std::vector<uint64_t>> select_tactics(const Plan& plan, const ConfigImpl& config,
                                                    const std::vector<uint64_t>& tactics) {
  auto* selector = static_cast<nvinfer1::IAlgorithmSelector*>(config.algorithm_selector);
  if (!selector) return std::nullopt;
  const Io io;
  std::deque<Variant> variants;
  std::deque<Algorithm> algorithms;
  std::deque<Context> contexts;
  std::vector<const IAlgorithmContext*> reported_contexts;
  std::vector<const IAlgorithm*> reported;
  std::vector<uint64_t> chosen;
  for (const PlanLayer& layer : plan.layers) {
    const Context& context = contexts.emplace_back(ContextImpl{&layer});
    std::vector<const IAlgorithm*> choices;
    for (const uint64_t tactic : tactics) {
      const Variant& variant = variants.emplace_back(VariantImpl{tactic});
      choices.push_back(&algorithms.emplace_back(AlgorithmImpl{
          &variant, &io, context.impl().getNbInputs() + context.impl().getNbOutputs()}));
    }
    std::vector<int32_t> selection(choices.size());
    const int32_t left = selector->selectAlgorithms(
        context, choices.data(), static_cast<int32_t>(choices.size()), selection.data());
    if (left <= 0) {
      throw Refusal(10, "Internal Error",
                    fmt::format("Could not find any implementation for node {}.", layer.name));
    }
    const auto index = static_cast<size_t>(selection[0]);
    chosen.push_back(tactics[index]);
    reported.push_back(choices[index]);
    reported_contexts.push_back(&context);
  }
  selector->reportAlgorithms(reported_contexts.data(), reported.data(),
                             static_cast<int32_t>(reported.size()));
  return chosen;
}

#else

std::optional<std::vector<uint64_t>> select_tactics(const Plan&, const ConfigImpl&,
                                                    const std::vector<uint64_t>&) {
  return std::nullopt;
}

#endif

}  // namespace tensorrt_double
