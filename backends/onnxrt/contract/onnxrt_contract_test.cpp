// Features of ONNX Runtime only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.h"

namespace polygraphy::contract {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kNegate = "g (float[N] x) => (float[N] y) { y = Neg (x) }";

class OnnxRuntime : public testing::Test {
 protected:
  std::string error(BackendOptions options) {
    return error_of([&] { bench_.session(kNegate, std::move(options)); });
  }
  double run(BackendOptions options) {
    return bench_.run(kNegate, {{"x", array_of<float>({1}, {2})}}, std::move(options))
        .find("y")
        ->tensor()
        .get_double(0);
  }

  Bench bench_{"onnxrt"};
};

TEST_F(OnnxRuntime, SaysWhichProvidersItUses) {
  run({});
  EXPECT_EQ(
      bench_.log().messages(),
      std::vector<std::string>{
          "[I] Creating ONNX-Runtime Inference Session with providers: ['CPUExecutionProvider']"});
}

TEST_F(OnnxRuntime, ProvidersByNameAndByPartOfItInAnyCase) {
  for (const char* name : {"CPUExecutionProvider", "cpu", "CPU", "MyCPUExecutionProvider"}) {
    EXPECT_EQ(run({{"providers", {name}}}), -2) << name;
  }
  // The first that matches, in the library's order: both contain it.
  EXPECT_THAT(error({{"providers", {"ExecutionProvider"}}}), Not(HasSubstr("Could not find")));
  EXPECT_EQ(run({{"providers", {"cpu", "cpu"}}}), -2);
}

TEST_F(OnnxRuntime, UnknownProvidersAreAnsweredWithTheAvailableOnes) {
  EXPECT_THAT(error({{"providers", {"warp"}}}),
              AllOf(testing::StartsWith(
                        "Could not find specified ONNX-Runtime execution provider.\n"
                        "Note: Requested provider was: warp, but available providers are: ["),
                    HasSubstr("'CPUExecutionProvider'")));
}

TEST_F(OnnxRuntime, ProviderLibrariesThatAreNone) {
  EXPECT_THAT(error({{"providers", {"/nowhere/libprovider.so"}}}),
              HasSubstr("/nowhere/libprovider.so"));
  EXPECT_THAT(error({{"providers", {PG_BINARY_DIR "/tests/plugins/old/libonnxruntime.so"}}}),
              HasSubstr("cannot be used as an execution provider"));
}

TEST_F(OnnxRuntime, OptimizationLevelsByTheirExactNames) {
  for (const char* level : {"ORT_DISABLE_ALL", "ORT_ENABLE_BASIC", "ORT_ENABLE_EXTENDED",
                            "ORT_ENABLE_LAYOUT", "ORT_ENABLE_ALL"}) {
    EXPECT_EQ(run({{"graph_optimization_level", {level}}}), -2) << level;
  }
  EXPECT_EQ(error({{"graph_optimization_level", {"ort_enable_all"}}}),
            "--graph-optimization-level: unknown level 'ort_enable_all'\nLevels (letter case "
            "matters): ['ORT_DISABLE_ALL', 'ORT_ENABLE_BASIC', 'ORT_ENABLE_EXTENDED', "
            "'ORT_ENABLE_LAYOUT', 'ORT_ENABLE_ALL']");
}

TEST_F(OnnxRuntime, OptimizationLevelsHaveAnEffect) {
  // Two Neg in a row: a level above DISABLE_ALL takes the Identity out.
  const auto kernels = [&](const char* level) {
    const auto session = bench_.session(
        "g (float[N] x) => (float[N] y) { a = Neg (x) b = Identity (a) y = Abs (b) }",
        {{"graph_optimization_level", {level}}}, /*profile=*/true);
    session->infer({{"x", array_of<float>({1}, {2})}});
    return session->profile().size();
  };
  EXPECT_EQ(kernels("ORT_DISABLE_ALL"), 3u);
  EXPECT_EQ(kernels("ORT_ENABLE_BASIC"), 2u);
}

TEST_F(OnnxRuntime, ThreadsAreTaken) {
  EXPECT_EQ(run({{"threads", {"1"}}}), -2);
}

TEST_F(OnnxRuntime, ItsWarningsComeThroughTheLog) {
  bench_.session(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[1] x, float[1] w, float[1] v) => "
      "(float[1] y) "
      "<float[1] w = {2}, float[1] v = {2}> { a = Add (x, w) y = Add (a, v) }");
  size_t warnings = 0;
  for (const std::string& message : bench_.log().messages()) {
    warnings += message.starts_with("[W] ONNX Runtime: ");
  }
  EXPECT_EQ(warnings, 1u) << "one of a kind";
}

TEST_F(OnnxRuntime, TwoLibrariesLiveSideBySide) {
  // Another file is another library to the loader, whatever it calls itself.
  const std::string original = bench_.host().open("onnxrt")->info().library_path;
  const std::string copy = bench_.folder() / "libonnxruntime.so.1";
  std::filesystem::copy_file(original, copy);
  const std::shared_ptr<BackendInstance> other = bench_.host().open("onnxrt", copy);
  EXPECT_EQ(other->info().library_path, copy);
  const std::string bytes = encode(kNegate);
  ModelBlob blob;
  blob.bytes = bytes;
  const auto in_other = other->load(blob, {});
  const auto in_original = bench_.session_of_bytes(bytes);
  for (const auto* session : {&in_other, &in_original}) {
    EXPECT_EQ((*session)
                  ->infer({{"x", array_of<float>({1}, {2})}})
                  .outputs.find("y")
                  ->tensor()
                  .get_double(0),
              -2);
  }
}

TEST_F(OnnxRuntime, ANewerModelThanItTakesIsStampedOnceWithALine) {
  bench_.run(
      "<ir_version: 15, opset_import: [\"\": 20]> g (float[1] x) => (float[1] y) { y = Neg (x) }",
      {{"x", array_of<float>({1}, {2})}});
  EXPECT_TRUE(bench_.log().has("[I] The model has IR version 15, newer than the runtime supports"));
}

}  // namespace
}  // namespace polygraphy::contract
