// A model parsed, built, read back and run, against each set of headers.
#include "checks/fixture.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/os/testdata/temporary_folder.h"

namespace tensorrt_double {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(TensorRtDouble, VersionIsThatOfTheHeaders) {
  EXPECT_EQ(symbol<int32_t()>(PG_TENSORRT, "getInferLibVersion")(), NV_TENSORRT_VERSION);
  EXPECT_EQ(
      symbol<void*(void*, int32_t)>(PG_TENSORRT, "createInferBuilder_INTERNAL")(&messages, 80601),
      nullptr);
  EXPECT_THAT(messages.errors, HasSubstr("80601"));
}

TEST_F(TensorRtDouble, NodesAreLayers) {
  ASSERT_TRUE(parse(kSum)) << messages.errors;
  ASSERT_EQ(network->getNbLayers(), 2);
  ILayer* sum = network->getLayer(0);
  EXPECT_EQ(sum->getType(), LayerType::kELEMENTWISE);
  EXPECT_EQ(static_cast<IElementWiseLayer*>(sum)->getOperation(), ElementWiseOperation::kSUM);
  EXPECT_STREQ(sum->getName(), "node_of_a");
  EXPECT_STREQ(sum->getMetadata(), "[ONNX Layer: node_of_a]");
  EXPECT_STREQ(sum->getInput(0)->getName(), "x");
  EXPECT_STREQ(sum->getOutput(0)->getName(), "a");
  EXPECT_EQ(sum->getOutput(0)->getDimensions().d[0], 4);
  EXPECT_TRUE(network->getInput(0)->isNetworkInput());
  EXPECT_STREQ(network->getOutput(0)->getName(), "y");
}

TEST_F(TensorRtDouble, PlansRunOnRealNumbers) {
  ASSERT_TRUE(parse(kSum));
  const std::string plan = build();
  ASSERT_THAT(plan, Not(IsEmpty())) << messages.errors;
  EXPECT_EQ(plan, build());
  const auto engine = read(plan);
  ASSERT_NE(engine, nullptr) << messages.errors;
  EXPECT_EQ(engine->getNbIOTensors(), 2);
  EXPECT_EQ(engine->getTensorIOMode("y"), TensorIOMode::kOUTPUT);
  EXPECT_THAT(run(*engine, {1, -5, 1, 1}, 4), ElementsAre(2, 0, 4, 5));
}

TEST_F(TensorRtDouble, EveryTensorCanBecomeAnOutput) {
  ASSERT_TRUE(parse(kSum));
  network->unmarkOutput(*network->getOutput(0));
  ITensor* inner = network->getLayer(0)->getOutput(0);
  network->markOutput(*inner);
  inner->setName("y2");
  network->getLayer(1)->getOutput(0)->setName("relu");
  inner->setName("y");
  const auto engine = read(build());
  ASSERT_NE(engine, nullptr) << messages.errors;
  EXPECT_EQ(engine->getNbLayers(), 1);  // nothing needs the other
  EXPECT_THAT(run(*engine, {1, -5, 1, 1}, 4), ElementsAre(2, -3, 4, 5));
}

TEST_F(TensorRtDouble, DynamicShapesNeedAProfile) {
  ASSERT_TRUE(parse(kDynamic));
  EXPECT_THAT(build(), IsEmpty());
  EXPECT_THAT(messages.errors, HasSubstr("no optimization profile has been defined"));
  add_profile(1, 2, 4);
  const auto engine = read(build());
  ASSERT_NE(engine, nullptr) << messages.errors;
  EXPECT_EQ(engine->getProfileShape("x", 0, OptProfileSelector::kMAX).d[0], 4);
  EXPECT_THAT(run(*engine, {1, 2, 3}, 3), ElementsAre(-1, -2, -3));
  const std::unique_ptr<IExecutionContext> context(engine->createExecutionContext());
  EXPECT_FALSE(context->setInputShape("x", dims({9})));
  EXPECT_THAT(messages.errors, HasSubstr("Valid range for profile 0: [1]..[4]."));
  EXPECT_EQ(context->getTensorShape("y").d[0], -1);
  EXPECT_TRUE(context->setInputShape("x", dims({3})));
  EXPECT_EQ(context->getTensorShape("y").d[0], 3);
}

TEST_F(TensorRtDouble, ProfilesThatContradictTheModelAreRefused) {
  ASSERT_TRUE(parse("g (float[N,3] x) => (float[N,3] y) { y = Neg(x) }"));
  IOptimizationProfile* profile = builder->createOptimizationProfile();
  for (const auto select :
       {OptProfileSelector::kMIN, OptProfileSelector::kOPT, OptProfileSelector::kMAX}) {
    EXPECT_TRUE(profile->setDimensions("x", select, dims({2, 5})));
  }
  EXPECT_EQ(config->addOptimizationProfile(profile), 0);
  EXPECT_THAT(build(), IsEmpty());
  EXPECT_THAT(messages.errors,
              HasSubstr("At dimension axis 1, profile has min=5, opt=5, max=5 but tensor has 3."));
  profile->setDimensions("x", OptProfileSelector::kMAX, dims({1, 3}));
  EXPECT_EQ(config->addOptimizationProfile(profile), -1);
}

// Shapes that depend on the data come through the allocator.
class Allocator : public IOutputAllocator {
 public:
  void* reallocateOutputAsync(const char*, void*, uint64_t size, uint64_t,
                              cudaStream_t) noexcept override {
    memory.resize((size + 7) / 8);
    return memory.data();
  }
  void notifyShape(const char*, const Dims& value) noexcept override { shape = value; }
  std::vector<int64_t> memory;
  Dims shape{};
};

TEST_F(TensorRtDouble, AllocatorsGetShapesThatDependOnData) {
  ASSERT_TRUE(parse("g (float[4] x) => (int64[1,M] y) { y = NonZero(x) }")) << messages.errors;
  const auto engine = read(build());
  ASSERT_NE(engine, nullptr) << messages.errors;
  const std::unique_ptr<IExecutionContext> context(engine->createExecutionContext());
  std::vector<float> x = {0, 1, 0, 1};
  Allocator allocator;
  context->setTensorAddress("x", x.data());
  EXPECT_FALSE(context->enqueueV3(nullptr));
  EXPECT_THAT(messages.errors,
              HasSubstr("Neither address or allocator is set for output tensor y"));
  EXPECT_TRUE(context->setOutputAllocator("y", &allocator));
  ASSERT_TRUE(context->enqueueV3(nullptr)) << messages.errors;
  EXPECT_EQ(allocator.shape.d[1], 2);
  EXPECT_THAT(allocator.memory, ElementsAre(1, 3));
}

TEST_F(TensorRtDouble, PlansOfOthersAreRefused) {
  ASSERT_TRUE(parse(kSum));
  const std::string plan = build();
  EXPECT_EQ(read("no plan at all"), nullptr);
  EXPECT_THAT(messages.errors, HasSubstr("Magic tag does not match"));
  for (const size_t size : {size_t{10}, size_t{40}, plan.size() / 2, plan.size() - 1}) {
    messages.errors.clear();
    EXPECT_EQ(read(plan.substr(0, size)), nullptr);
    EXPECT_THAT(messages.errors, HasSubstr("Serialization")) << size;
  }
  messages.errors.clear();
  const Variable other("PG_TENSORRT_DOUBLE_COMPUTE", "7.5");
  EXPECT_EQ(read(plan), nullptr);
  EXPECT_THAT(messages.errors, HasSubstr("expecting compute 7.5 got compute 8.6"));
}

TEST_F(TensorRtDouble, PlansForOtherDevicesAndVersionsAreRead) {
  ASSERT_TRUE(parse(kSum));
  config->setHardwareCompatibilityLevel(HardwareCompatibilityLevel::kAMPERE_PLUS);
  const std::string plan = build();
  const Variable other("PG_TENSORRT_DOUBLE_COMPUTE", "8.9");
  EXPECT_NE(read(plan), nullptr) << messages.errors;
  config->setFlag(BuilderFlag::kVERSION_COMPATIBLE);
  const std::string with_runtime = build();
  EXPECT_EQ(read(with_runtime), nullptr);
  EXPECT_THAT(messages.errors, HasSubstr("setEngineHostCodeAllowed"));
  runtime->setEngineHostCodeAllowed(true);
  EXPECT_NE(read(with_runtime), nullptr) << messages.errors;
}

TEST_F(TensorRtDouble, UnsupportedNodesAreNamed) {
  const std::string bytes =
      onnx("g (float[4] x) => (float[4] y) { a = Relu(x) b = mine.Foo(a) c = Neg(b) y = Relu(c) }");
  EXPECT_FALSE(parser->supportsModelV2(bytes.data(), bytes.size(), nullptr));
  ASSERT_EQ(parser->getNbErrors(), 1);
  EXPECT_EQ(parser->getError(0)->node(), 1);
  EXPECT_STREQ(parser->getError(0)->nodeOperator(), "Foo");
  EXPECT_THAT(parser->getError(0)->desc(), HasSubstr("Plugin not found"));
  ASSERT_EQ(parser->getNbSubgraphs(), 2);
  int64_t length = 0;
  const int64_t* nodes = parser->getSubgraphNodes(1, length);
  EXPECT_EQ(std::vector<int64_t>(nodes, nodes + length), (std::vector<int64_t>{2, 3}));
  parser->clearErrors();
  EXPECT_FALSE(parser->parse(bytes.data(), bytes.size(), nullptr));
  EXPECT_EQ(parser->getNbErrors(), 1);
}

TEST_F(TensorRtDouble, NodesThatContradictTheirInputsAreNamed) {
  const std::string bytes =
      onnx("g (float[2,3] x, float[4,5] z) => (float[2,5] y) { y = MatMul(x, z) }");
  EXPECT_FALSE(parser->supportsModelV2(bytes.data(), bytes.size(), nullptr));
  EXPECT_EQ(parser->getNbSubgraphs(), 0);
  parser->clearErrors();
  EXPECT_FALSE(parser->parse(bytes.data(), bytes.size(), nullptr));
  ASSERT_EQ(parser->getNbErrors(), 1);
  EXPECT_EQ(parser->getError(0)->node(), 0);
  EXPECT_THAT(parser->getError(0)->desc(), HasSubstr("Invalid Node - node_of_y"));
}

// A file is read once, and stays where it is.
TEST_F(TensorRtDouble, FilesAreParsed) {
  const polygraphy::TemporaryFolder folder;
  EXPECT_FALSE(parser->parseFromFile((folder / "m.onnx").c_str(), 0));
  EXPECT_THAT(parser->getError(0)->desc(), HasSubstr("Input file cannot be found"));
  parser->clearErrors();
  graphsurgeon::save_model(graphsurgeon::parse_onnx_text(
                               "<ir_version: 8, opset_import: [\"\" : 17]> " + std::string(kSum)),
                           folder / "m.onnx",
                           {.external_data = "m.data", .external_data_threshold = 0});
  ASSERT_TRUE(parser->parseFromFile((folder / "m.onnx").c_str(), 0)) << messages.errors;
  const std::string plan = build();
  std::filesystem::remove(folder / "m.data");
  EXPECT_THAT(run(*read(plan), {1, -5, 1, 1}, 4), ElementsAre(2, 0, 4, 5));
  EXPECT_FALSE(parser->parseFromFile((folder / "m.onnx").c_str(), 0));
}

TEST_F(TensorRtDouble, CallsAreRecorded) {
  const polygraphy::TemporaryFolder folder;
  const std::string file = folder.path() + "/calls";
  const Variable record("PG_TENSORRT_DOUBLE_RECORD", file);
  config->setFlag(BuilderFlag::kTF32);
  config->setMemoryPoolLimit(MemoryPoolType::kWORKSPACE, 4096);
  config->setBuilderOptimizationLevel(5);
  add_profile(1, 2, 4);
  std::stringstream lines;
  lines << std::ifstream(file).rdbuf();
  EXPECT_EQ(lines.str(),
            "IBuilderConfig.setFlag(kTF32)\n"
            "IBuilderConfig.setMemoryPoolLimit(kWORKSPACE, 4096)\n"
            "IBuilderConfig.setBuilderOptimizationLevel(5)\n"
            "IBuilder.createOptimizationProfile()\n"
            "IOptimizationProfile.setDimensions(\"x\", kMIN, [1])\n"
            "IOptimizationProfile.setDimensions(\"x\", kOPT, [2])\n"
            "IOptimizationProfile.setDimensions(\"x\", kMAX, [4])\n"
            "IBuilderConfig.addOptimizationProfile(object)\n");
}

}  // namespace
}  // namespace tensorrt_double
