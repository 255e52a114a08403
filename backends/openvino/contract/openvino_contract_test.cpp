// Features of OpenVINO only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.h"

namespace polygraphy::contract {
namespace {

using testing::HasSubstr;

constexpr std::string_view kNegate = "g (float[N] x) => (float[N] y) { y = Neg (x) }";

class OpenVino : public testing::Test {
 protected:
  std::string error(BackendOptions options) {
    return error_of([&] { bench_.session(kNegate, std::move(options)); });
  }
  Bench bench_{"openvino"};
};

TEST_F(OpenVino, SaysDeviceAndEffectivePrecision) {
  bench_.session(kNegate);
  EXPECT_EQ(bench_.log().messages(),
            (std::vector<std::string>{"[I] Compiling OpenVINO model for device: CPU",
                                      "[I] OpenVINO inference precision: f32"}));
}

TEST_F(OpenVino, PrecisionIsWhatWasAskedForOrAWarning) {
  bench_.session(kNegate, {{"precision", {"bf16"}}});
  EXPECT_TRUE(bench_.log().has("[I] OpenVINO inference precision: bf16") ||
              bench_.log().has("[W] OpenVINO inference precision: f32; bf16 was requested, but"));
}

TEST_F(OpenVino, TellsWhichPrecisionItComputesIn) {
  for (const auto& [asked, told] :
       {std::pair("f32", "float32"), {"f16", "float16"}, {"bf16", "bfloat16"}}) {
    const std::string said = bench_.session(kNegate, {{"precision", {asked}}})->precision();
    if (bench_.log().has("; " + std::string(asked))) continue;  // not on this processor
    EXPECT_EQ(said, told);
  }
}

TEST_F(OpenVino, NativePrecisionIsTheLibrarysChoice) {
  bench_.session(kNegate, {{"precision", {"native"}}});
  EXPECT_TRUE(bench_.log().has("[I] OpenVINO inference precision: "));
}

TEST_F(OpenVino, PropertiesWinOverOurHint) {
  bench_.session(kNegate, {{"precision", {"f32"}},
                           {"properties", {"INFERENCE_PRECISION_HINT=f32", "NUM_STREAMS=1"}}});
  EXPECT_TRUE(bench_.log().has("OpenVINO inference precision: f32"));
}

TEST_F(OpenVino, PropertiesThatAreNone) {
  EXPECT_EQ(error({{"properties", {"NUM_STREAMS"}}}),
            "--openvino-properties takes KEY=VALUE, but received: NUM_STREAMS");
  EXPECT_THAT(error({{"properties", {"NO_SUCH_PROPERTY=1"}}}), HasSubstr("NO_SUCH_PROPERTY"));
}

TEST_F(OpenVino, UnknownDevicesAreAnsweredWithTheFoundOnes) {
  EXPECT_THAT(error({{"device", {"ABACUS"}}}),
              testing::AllOf(HasSubstr("ABACUS"),
                             HasSubstr("Devices found by OpenVINO on this machine: CPU")));
}

TEST_F(OpenVino, ThreadsAreTaken) {
  const ValueMap outputs =
      bench_.run(kNegate, {{"x", array_of<float>({1}, {2})}}, {{"threads", {"1"}}});
  EXPECT_EQ(outputs.find("y")->tensor().get_double(0), -2);
}

// It writes a byte per element to outputs that it allocates packed.
TEST_F(OpenVino, PackedOutputsOfUnknownShapeAreRefused) {
  EXPECT_THAT(
      error_of([&] { bench_.session("g (uint4[N] x) => (uint4[N] y) { y = Identity (x) }"); }),
      HasSubstr("output 'y' has elements smaller than a byte and a dynamic shape"));
}

}  // namespace
}  // namespace polygraphy::contract
