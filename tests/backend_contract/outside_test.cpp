// External back ends from other folders: tests/install/consumer/my_backend.c.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "../cli/in_process.h"
#include "base/error.h"
#include "bench.h"

namespace polygraphy::contract {
namespace {

using cli::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kMine = PG_BINARY_DIR "/tests/plugins/mine";
constexpr const char* kOld = PG_BINARY_DIR "/tests/plugins/mine_of_another_version";

class OutsideBackEnd : public testing::Test {
 protected:
  Outcome polygraphy(std::vector<std::string> args, const std::string& folders = kMine) {
    return cli::run_in_process(
        args, {.variables = {"POLYGRAPHY_BACKEND_DIR=" PG_BINARY_DIR "/lib/polygraphy/backends",
                             "POLYGRAPHY_BACKENDS=" + folders}});
  }
  Outcome run(std::vector<std::string> options, const std::string& folders = kMine) {
    options.insert(options.begin(), {"run", model_});
    return polygraphy(std::move(options), folders);
  }

  TemporaryFolder folder_;
  std::string model_ = write(folder_, "m.scale", "2.5");
};

TEST_F(OutsideBackEnd, IsListedWithItsOptions) {
  const std::string help = polygraphy({"run", "--help"}).out;
  EXPECT_THAT(help, AllOf(HasSubstr("  --mine                Run inference by multiplying\n"),
                          HasSubstr("\nMy Own Back End:\n"), HasSubstr("  --mine-shift NUMBER"),
                          HasSubstr(",scale,scale-binary,")));
  EXPECT_THAT(polygraphy({"backends"}).out,
              HasSubstr("mine | available | Run inference by multiplying\n"
                        "        Flag:     --mine\n"
                        "        Version:  7.5\n"
                        "        Devices:  abacus\n"));
  EXPECT_THAT(polygraphy({"run", "--help"}, "").out, Not(HasSubstr("--mine")));
}

TEST_F(OutsideBackEnd, RunsModelsOfItsOwnType) {
  const std::string saved = folder_.path() + "/o.json";
  const Outcome outcome = run({"--mine", "--mine-shift", "1", "--mine-shift", "0.5", "--val-range",
                               "[2,2]", "--save-outputs", saved});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string shown = polygraphy({"inspect", "data", saved, "-s"}).out;
  EXPECT_THAT(shown, AllOf(HasSubstr("mine-runner-N0-"), HasSubstr("[6.5 6.5 6.5 6.5]")));
  EXPECT_EQ(run({"--mine", "--isolate"}).code, 0);
}

TEST_F(OutsideBackEnd, OptionsAreCheckedByTheirTypes) {
  const Outcome outcome = run({"--mine", "--mine-shift", "far"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("argument --mine-shift: invalid float value: 'far'"));
}

TEST_F(OutsideBackEnd, ModelsOfOtherTypesAreRefused) {
  EXPECT_THAT(run({"--onnxrt"}).err,
              AllOf(HasSubstr("--onnxrt cannot run " + model_ + ": its model type is scale"),
                    HasSubstr("onnxrt supports these model types: onnx.")));
  const std::string onnx =
      write(folder_, "m.onnx", encode("g (float[1] x) => (float[1] y) { y = Neg (x) }"));
  EXPECT_THAT(polygraphy({"run", onnx, "--mine"}).err,
              AllOf(HasSubstr("--mine cannot run " + onnx + ": its model type is onnx"),
                    HasSubstr("mine supports these model types: scale, scale-binary.")));
  EXPECT_THAT(run({"--mine", "--model-type", "engine"}).err, HasSubstr("its model type is engine"));
}

TEST_F(OutsideBackEnd, WhatNeedsAnOnnxGraphSaysSo) {
  EXPECT_THAT(run({"--mine", "--onnx-outputs", "mark", "all"}).err,
              HasSubstr(model_ + " is a model of type scale, but an ONNX model is needed"));
}

TEST_F(OutsideBackEnd, PluginsOfAnotherVersionAreRefusedWithASentence) {
  const std::string reason =
      std::string(kOld) +
      "/polygraphy_mine.so was built for another version of polygraphy's interface to back ends: "
      "this program has version " +
      std::to_string(PGB_ABI_VERSION) + ", the plugin version 1";
  EXPECT_THAT(polygraphy({"backends"}, kOld).out,
              AllOf(HasSubstr("mine | not available"), HasSubstr(reason)));
  const Outcome refused = run({"--mine"}, kOld);
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.out + refused.err, AllOf(HasSubstr("Back end mine cannot be used: " + reason),
                                               HasSubstr("Unrecognized Options: ['--mine']")));
}

TEST_F(OutsideBackEnd, ThatClashesWithAnotherIsAnErrorThatNamesBothFiles) {
  const Outcome outcome = run({"--mine"}, std::string(kMine) + ":" + kOld);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("two plugins implement back end 'mine': " + std::string(kMine) +
                        "/polygraphy_mine.so and " + kOld + "/polygraphy_mine.so"));
  EXPECT_THAT(run({"--mine"}, PG_BINARY_DIR "/tests/plugins/clash_with_onnxrt").err,
              AllOf(HasSubstr("two back ends have the option --providers: "),
                    HasSubstr("polygraphy_mine.so"), HasSubstr("polygraphy_onnxrt.so")));
  EXPECT_THAT(
      run({"--mine"}, PG_BINARY_DIR "/tests/plugins/clash_with_run").err,
      HasSubstr(
          "polygraphy_mine.so has the option --iterations, which `polygraphy run` already has"));
  // Commands that run no models do not read the folders.
  EXPECT_EQ(polygraphy({"inspect", "data", "--help"}, std::string(kMine) + ":" + kOld).code, 0);
}

TEST_F(OutsideBackEnd, BuildsArtefactsThatItLoads) {
  RecordingLog log;
  PluginHost host({.plugin_dirs = {kMine}}, log.log());
  const std::shared_ptr<BackendInstance> instance = host.open("mine");
  const auto artefact = instance->build({.path = model_, .format = "scale"}, {});
  EXPECT_EQ(artefact.format, "scale-binary");
  ModelBlob blob{.bytes = artefact.bytes, .format = artefact.format};
  const auto session = instance->load(blob, {});
  const ValueMap outputs = session->infer({{"x", array_of<float>({4}, {1, 2, 3, 4})}}).outputs;
  EXPECT_EQ(describe(outputs.find("y")->tensor()), "float32 (4,) [ 2.5  5.   7.5 10. ]");
  EXPECT_EQ(error_of([&] { instance->load({.path = model_}, {}); }),
            "mine does not support models of type onnx\nSupported: scale, scale-binary");
  PluginHost tree(test_paths(), log.log());
  EXPECT_EQ(error_of([&] { tree.open("onnxrt")->build({.path = "m.onnx"}, {}); }),
            "onnxrt does not support compilation without loading");
}

}  // namespace
}  // namespace polygraphy::contract
