// Functions of an engine besides inference.
#include "checks/fixture.h"

namespace tensorrt_double {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kChain =
    "g (float[4] x) => (float[4] y) <float[4] w = {1,2,3,4}> { [sum] a = Add(x, w) [neg] b = "
    "Neg(a) [relu] y = Relu(b) }";

TEST_F(TensorRtDouble, InspectorNamesLayers) {
  ASSERT_TRUE(parse(kChain));
  const auto engine = read(build());
  const std::unique_ptr<IEngineInspector> inspector(engine->createEngineInspector());
  EXPECT_STREQ(inspector->getLayerInformation(1, LayerInformationFormat::kJSON), "\"neg\"");
  EXPECT_STREQ(inspector->getLayerInformation(1, LayerInformationFormat::kONELINE), "neg\n");
}

TEST_F(TensorRtDouble, InspectorTellsDetails) {
  ASSERT_TRUE(parse(kChain));
  config->setProfilingVerbosity(ProfilingVerbosity::kDETAILED);
  const auto engine = read(build());
  const std::unique_ptr<IEngineInspector> inspector(engine->createEngineInspector());
  const std::string layer = inspector->getLayerInformation(0, LayerInformationFormat::kJSON);
  EXPECT_THAT(layer, HasSubstr("\"Name\": \"sum\""));
  EXPECT_THAT(layer, HasSubstr("\"Metadata\": \"[ONNX Layer: sum]\""));
  EXPECT_THAT(layer, HasSubstr("Row major linear"));
  EXPECT_THAT(layer, HasSubstr("FP32"));
  EXPECT_THAT(inspector->getEngineInformation(LayerInformationFormat::kJSON),
              HasSubstr("\"Bindings\": [\n        \"x\",\n        \"y\"\n    ]"));
}

TEST_F(TensorRtDouble, ProfilesHaveLayersOfTheirOwn) {
  ASSERT_TRUE(parse(kDynamic));
  add_profile(1, 2, 4);
  add_profile(5, 6, 7);
  const auto engine = read(build());
  ASSERT_NE(engine, nullptr) << messages.errors;
  EXPECT_EQ(engine->getNbOptimizationProfiles(), 2);
  EXPECT_EQ(engine->getNbLayers(), 2);
  const std::unique_ptr<IEngineInspector> inspector(engine->createEngineInspector());
  EXPECT_STREQ(inspector->getLayerInformation(1, LayerInformationFormat::kJSON),
               "\"node_of_y [profile 1]\"");
  const std::unique_ptr<IExecutionContext> context(engine->createExecutionContext());
  EXPECT_FALSE(context->setInputShape("x", dims({6})));
  EXPECT_TRUE(context->setOptimizationProfileAsync(1, nullptr));
  EXPECT_TRUE(context->setInputShape("x", dims({6})));
  EXPECT_FALSE(context->setOptimizationProfileAsync(2, nullptr));
}

class Listener : public IDebugListener {
 public:
  bool processDebugTensor(const void* address, TensorLocation, DataType type, const Dims& shape,
                          const char* name, cudaStream_t) override {
    EXPECT_EQ(type, DataType::kFLOAT);
    const auto* values = static_cast<const float*>(address);
    names.emplace_back(name);
    sum = 0;
    for (int64_t i = 0; i < shape.d[0]; ++i) sum += values[i];
    return true;
  }
  std::vector<std::string> names;
  float sum = 0;
};

TEST_F(TensorRtDouble, DebugTensorsAreShown) {
  ASSERT_TRUE(parse(kChain));
  network->markDebug(*network->getLayer(0)->getOutput(0));
  const auto engine = read(build());
  EXPECT_TRUE(engine->isDebugTensor("a"));
  EXPECT_EQ(engine->getNbIOTensors(), 2);
  const std::unique_ptr<IExecutionContext> context(engine->createExecutionContext());
  Listener listener;
  std::vector<float> x(4, 1), y(4);
  context->setTensorAddress("x", x.data());
  context->setTensorAddress("y", y.data());
  context->setDebugListener(&listener);
  ASSERT_TRUE(context->enqueueV3(nullptr));
  EXPECT_THAT(listener.names, IsEmpty());
  EXPECT_TRUE(context->setTensorDebugState("a", true));
  ASSERT_TRUE(context->enqueueV3(nullptr));
  EXPECT_THAT(listener.names, ElementsAre("a"));
  EXPECT_EQ(listener.sum, 14);
}

TEST_F(TensorRtDouble, UnfusedTensorsAreShownTogether) {
  ASSERT_TRUE(parse(kChain));
  network->markUnfusedTensorsAsDebugTensors();
  const auto engine = read(build());
  const std::unique_ptr<IExecutionContext> context(engine->createExecutionContext());
  Listener listener;
  std::vector<float> x(4, 1), y(4);
  context->setTensorAddress("x", x.data());
  context->setTensorAddress("y", y.data());
  context->setDebugListener(&listener);
  EXPECT_TRUE(context->setUnfusedTensorsDebugState(true));
  ASSERT_TRUE(context->enqueueV3(nullptr)) << messages.errors;
  EXPECT_THAT(listener.names, testing::UnorderedElementsAre("a", "b", "y"));
}

TEST_F(TensorRtDouble, WeightsAreRefitted) {
  ASSERT_TRUE(parse(kChain));
  EXPECT_EQ(symbol<void*(void*, void*, int32_t)>(PG_TENSORRT, "createInferRefitter_INTERNAL")(
                read(build()).get(), &messages, NV_TENSORRT_VERSION),
            nullptr);
  EXPECT_THAT(messages.errors, HasSubstr("not refittable"));
  config->setFlag(BuilderFlag::kREFIT);
  const auto engine = read(build());
  EXPECT_THAT(run(*engine, {-5, -5, -5, -5}, 4), ElementsAre(4, 3, 2, 1));
  const std::unique_ptr<IRefitter> refitter(static_cast<IRefitter*>(
      symbol<void*(void*, void*, int32_t)>(PG_TENSORRT, "createInferRefitter_INTERNAL")(
          engine.get(), &messages, NV_TENSORRT_VERSION)));
  ASSERT_NE(refitter, nullptr);
  const char* name = nullptr;
  EXPECT_EQ(refitter->getAllWeights(1, &name), 1);
  EXPECT_STREQ(name, "w");
  const std::vector<float> zeros(4);
  EXPECT_FALSE(refitter->setNamedWeights("v", {DataType::kFLOAT, zeros.data(), 4}));
  EXPECT_TRUE(refitter->setNamedWeights("w", {DataType::kFLOAT, zeros.data(), 4}));
  EXPECT_TRUE(refitter->refitCudaEngine()) << messages.errors;
  EXPECT_THAT(run(*engine, {-5, -5, -5, -5}, 4), ElementsAre(5, 5, 5, 5));
}

TEST_F(TensorRtDouble, StrippedPlansMissTheirWeights) {
  ASSERT_TRUE(parse(kChain));
  config->setFlag(BuilderFlag::kSTRIP_PLAN);
  const auto engine = read(build());
  const std::unique_ptr<IRefitter> refitter(static_cast<IRefitter*>(
      symbol<void*(void*, void*, int32_t)>(PG_TENSORRT, "createInferRefitter_INTERNAL")(
          engine.get(), &messages, NV_TENSORRT_VERSION)));
  EXPECT_EQ(refitter->getMissingWeights(0, nullptr), 1);
  EXPECT_FALSE(refitter->refitCudaEngine());
  const std::unique_ptr<IExecutionContext> context(engine->createExecutionContext());
  std::vector<float> x(4), y(4);
  context->setTensorAddress("x", x.data());
  context->setTensorAddress("y", y.data());
  EXPECT_FALSE(context->enqueueV3(nullptr));
  EXPECT_THAT(messages.errors, HasSubstr("has not been refitted"));
  const std::unique_ptr<nvonnxparser::IParserRefitter> from_onnx(
      static_cast<nvonnxparser::IParserRefitter*>(
          symbol<void*(void*, void*, int32_t)>(PG_PARSER, "createNvOnnxParserRefitter_INTERNAL")(
              refitter.get(), &messages, NV_ONNX_PARSER_VERSION)));
  const std::string bytes = onnx(kChain);
  EXPECT_TRUE(from_onnx->refitFromBytes(bytes.data(), bytes.size(), nullptr));
  EXPECT_TRUE(refitter->refitCudaEngine());
  EXPECT_THAT(run(*engine, {-5, -5, -5, -5}, 4), ElementsAre(4, 3, 2, 1));
}

TEST_F(TensorRtDouble, WeightStreamingHasABudget) {
  ASSERT_TRUE(parse(kChain));
  EXPECT_EQ(read(build())->getStreamableWeightsSize(), 0);
  config->setFlag(BuilderFlag::kWEIGHT_STREAMING);
  const auto engine = read(build());
  EXPECT_EQ(engine->getStreamableWeightsSize(), 16);
  EXPECT_TRUE(engine->setWeightStreamingBudgetV2(8));
  EXPECT_EQ(engine->getWeightStreamingBudgetV2(), 8);
  EXPECT_FALSE(engine->setWeightStreamingBudgetV2(17));
}

TEST_F(TensorRtDouble, ShapeInputsNeedValues) {
  ASSERT_TRUE(parse("g (float[N] x, int64[2] s) => (float[A,B] y) { y = Reshape(x, s) }"));
  ITensor* shape = network->getInput(1);
  EXPECT_TRUE(shape->isShapeTensor());
  EXPECT_FALSE(shape->isExecutionTensor());
  add_profile(1, 2, 4);
  EXPECT_THAT(build(), IsEmpty());
  EXPECT_THAT(messages.errors, HasSubstr("missing values for shape input tensor s"));
  config.reset(builder->createBuilderConfig());
  IOptimizationProfile* profile = builder->createOptimizationProfile();
  const std::vector<int64_t> low = {1, 1}, high = {4, 4};
  EXPECT_FALSE(profile->setShapeValuesV2("s", OptProfileSelector::kMAX, high.data(), 2));
  EXPECT_TRUE(profile->setShapeValuesV2("s", OptProfileSelector::kMIN, low.data(), 2));
  EXPECT_TRUE(profile->setShapeValuesV2("s", OptProfileSelector::kOPT, low.data(), 2));
  EXPECT_TRUE(profile->setShapeValuesV2("s", OptProfileSelector::kMAX, high.data(), 2));
  for (const auto select :
       {OptProfileSelector::kMIN, OptProfileSelector::kOPT, OptProfileSelector::kMAX}) {
    profile->setDimensions("x", select, dims({4}));
  }
  ASSERT_EQ(config->addOptimizationProfile(profile), 0) << messages.errors;
  const auto engine = read(build());
  ASSERT_NE(engine, nullptr) << messages.errors;
  EXPECT_TRUE(engine->isShapeInferenceIO("s"));
  EXPECT_EQ(engine->getTensorLocation("s"), TensorLocation::kHOST);
  EXPECT_EQ(engine->getProfileTensorValuesV2("s", 0, OptProfileSelector::kMAX)[1], 4);
  const std::unique_ptr<IExecutionContext> context(engine->createExecutionContext());
  context->setInputShape("x", dims({4}));
  const char* missing = nullptr;
  EXPECT_EQ(context->inferShapes(1, &missing), 1);
  EXPECT_STREQ(missing, "s");
  std::vector<int64_t> s = {2, 2};
  context->setTensorAddress("s", s.data());
  EXPECT_EQ(context->inferShapes(0, nullptr), 0);
  EXPECT_EQ(context->getTensorShape("y").d[0], 2);
  EXPECT_EQ(context->getTensorShape("y").d[1], 2);
}

TEST_F(TensorRtDouble, TimingCachesKnowTheLayersOfEarlierBuilds) {
  ASSERT_TRUE(parse(kChain));
  std::unique_ptr<ITimingCache> cache(config->createTimingCache(nullptr, 0));
  ASSERT_TRUE(config->setTimingCache(*cache, false));
  config->setFlag(BuilderFlag::kERROR_ON_TIMING_CACHE_MISS);
  EXPECT_THAT(build(), IsEmpty());
  EXPECT_THAT(messages.errors, HasSubstr("Timing cache miss for node sum"));
  config->clearFlag(BuilderFlag::kERROR_ON_TIMING_CACHE_MISS);
  EXPECT_THAT(build(), Not(IsEmpty()));
  const std::unique_ptr<IHostMemory> saved(config->getTimingCache()->serialize());
  cache.reset(config->createTimingCache(saved->data(), saved->size()));
  EXPECT_EQ(cache->queryKeys(nullptr, 0), 3);
  config.reset(builder->createBuilderConfig());
  config->setTimingCache(*cache, false);
  config->setFlag(BuilderFlag::kERROR_ON_TIMING_CACHE_MISS);
  EXPECT_THAT(build(), Not(IsEmpty()));
  cache.reset(config->createTimingCache("garbage", 7));
  EXPECT_EQ(cache->queryKeys(nullptr, 0), 0);
}

class Monitor : public IProgressMonitor {
 public:
  void phaseStart(const char*, const char*, int32_t count) noexcept override { steps = count; }
  bool stepComplete(const char*, int32_t step) noexcept override { return step < last; }
  void phaseFinish(const char*) noexcept override { finished = true; }
  int32_t steps = 0, last = 99;
  bool finished = false;
};

TEST_F(TensorRtDouble, MonitorsCanEndABuild) {
  ASSERT_TRUE(parse(kChain));
  Monitor monitor;
  config->setProgressMonitor(&monitor);
  EXPECT_THAT(build(), Not(IsEmpty()));
  EXPECT_EQ(monitor.steps, 3);
  EXPECT_TRUE(monitor.finished);
  monitor.last = 1;
  EXPECT_THAT(build(), IsEmpty());
}

}  // namespace
}  // namespace tensorrt_double
