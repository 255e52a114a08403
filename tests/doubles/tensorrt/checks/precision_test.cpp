// Types: lower precision by flags and by layer, types of inputs and outputs, calibration. Only
// version 10 has them; later ones take the types of the model.
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/arrays/convert.h"
#include "base/os/testdata/temporary_folder.h"
#include "checks/fixture.h"

namespace tensorrt_double {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// 2049 is not a float16, 257 no bfloat16, and 70001 is more than any float16.
constexpr const char* kPlusOne =
    "g (float[3] x) => (float[3] y) <float[1] one = {1}> { [sum] a = Add(x, one) [neg] y = Neg(a) "
    "}";

#if NV_TENSORRT_MAJOR == 10

TEST_F(TensorRtDouble, FlagsRoundResultsOfLayers) {
  ASSERT_TRUE(parse(kPlusOne)) << messages.errors;
  EXPECT_THAT(run(*read(build()), {2048, 256, 70000}, 3), ElementsAre(-2049, -257, -70001));
  config->setFlag(BuilderFlag::kFP16);
  EXPECT_THAT(run(*read(build()), {2048, 256, 70000}, 3), ElementsAre(-2048, -257, -INFINITY));
  config->clearFlag(BuilderFlag::kFP16);
  config->setFlag(BuilderFlag::kBF16);
  EXPECT_THAT(run(*read(build()), {2048, 256, 70000}, 3), ElementsAre(-2048, -256, -70144));
}

TEST_F(TensorRtDouble, LayersKeepThePrecisionThatTheyAskFor) {
  ASSERT_TRUE(parse(kPlusOne));
  config->setFlag(BuilderFlag::kFP16);
  for (int i = 0; i < network->getNbLayers(); ++i) {
    network->getLayer(i)->setPrecision(DataType::kFLOAT);
  }
  EXPECT_EQ(run(*read(build()), {2048, 256, 70000}, 3)[0], -2048) << "constraints are not obeyed";
  config->setFlag(BuilderFlag::kOBEY_PRECISION_CONSTRAINTS);
  EXPECT_EQ(run(*read(build()), {2048, 256, 70000}, 3)[0], -2049);
  network->getLayer(0)->resetPrecision();
  EXPECT_EQ(run(*read(build()), {2048, 256, 70000}, 3)[0], -2048);
}

TEST_F(TensorRtDouble, BindingsHaveTheTypeThatIsSet) {
  ASSERT_TRUE(parse(kPlusOne));
  network->getInput(0)->setType(DataType::kHALF);
  const auto engine = read(build());
  ASSERT_EQ(engine->getTensorDataType("x"), DataType::kHALF);
  std::vector<uint16_t> x;
  for (const float value : {1.F, 2.F, 3.F}) x.push_back(polygraphy::float_to_float16(value));
  std::vector<float> y(3);
  const std::unique_ptr<IExecutionContext> context(engine->createExecutionContext());
  context->setTensorAddress("x", x.data());
  context->setTensorAddress("y", y.data());
  ASSERT_TRUE(context->enqueueV3(nullptr)) << messages.errors;
  EXPECT_THAT(y, ElementsAre(-2, -3, -4));
}

class Calibrator : public IInt8EntropyCalibrator2 {
 public:
  int32_t getBatchSize() const noexcept override { return 1; }
  bool getBatch(void* bindings[], const char* names[], int32_t count) noexcept override {
    if (batches == 2 || count != 1 || std::strcmp(names[0], "x") != 0) return false;
    ++batches;
    data = {1, -127.F * static_cast<float>(batches), 3};
    bindings[0] = data.data();
    return true;
  }
  const void* readCalibrationCache(size_t& length) noexcept override {
    length = cache.size();
    return cache.data();
  }
  void writeCalibrationCache(const void* bytes, size_t length) noexcept override {
    cache.assign(static_cast<const char*>(bytes), length);
  }
  int batches = 0;
  std::vector<float> data;
  std::string cache;
};

TEST_F(TensorRtDouble, CalibratorsAreAskedForBatchesOnce) {
  ASSERT_TRUE(parse(kPlusOne));
  Calibrator calibrator;
  config->setInt8Calibrator(&calibrator);
  ASSERT_NE(read(build()), nullptr);
  EXPECT_EQ(calibrator.batches, 0) << "no flag for int8";
  config->setFlag(BuilderFlag::kINT8);
  ASSERT_NE(read(build()), nullptr) << messages.errors;
  EXPECT_EQ(calibrator.batches, 2);
  // The largest magnitude is 254: the scale is 2.
  EXPECT_EQ(calibrator.cache, "TRT-101600-ENTROPY_CALIBRATION_2\nx: 40000000\n");
  calibrator.batches = 0;
  ASSERT_NE(read(build()), nullptr);
  EXPECT_EQ(calibrator.batches, 0) << "the cache is there";
}

#else

TEST_F(TensorRtDouble, TypesAreThoseOfTheModel) {
  ASSERT_TRUE(
      parse("g (float[3] x) => (float[3] y) { h = Cast<to = 10>(x) n = Neg(h) y = "
            "Cast<to = 1>(n) }"));
  EXPECT_EQ(network->getLayer(1)->getOutput(0)->getType(), DataType::kHALF);
  EXPECT_THAT(run(*read(build()), {2049, 1, 70000}, 3), ElementsAre(-2048, -1, -INFINITY));
}

TEST_F(TensorRtDouble, NothingRoundsWithoutTheModel) {
  ASSERT_TRUE(parse(kPlusOne)) << messages.errors;
  EXPECT_THAT(run(*read(build()), {2048, 256, 70000}, 3), ElementsAre(-2049, -257, -70001));
}

#endif

TEST_F(TensorRtDouble, BindingsHaveTypesThatOnnxRuntimeNumbersOtherwise) {
  const std::string bytes = graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
      "<ir_version: 12, opset_import: [\"\" : 24]> g (float[2] x) => (float8e8m0[2] y) { y = "
      "Cast<to = 24>(x) }"));
  ASSERT_TRUE(parser->parse(bytes.data(), bytes.size(), nullptr)) << messages.errors;
  const auto engine = read(build());
  ASSERT_NE(engine, nullptr) << messages.errors;
  EXPECT_EQ(engine->getTensorDataType("y"), DataType::kE8M0);
  std::vector<float> x = {1, 4};
  std::vector<uint8_t> y(2);
  const std::unique_ptr<IExecutionContext> context(engine->createExecutionContext());
  context->setTensorAddress("x", x.data());
  context->setTensorAddress("y", y.data());
  ASSERT_TRUE(context->enqueueV3(nullptr)) << messages.errors;
  EXPECT_THAT(y, ElementsAre(127, 129));  // the exponents, with their bias
}

}  // namespace
}  // namespace tensorrt_double
