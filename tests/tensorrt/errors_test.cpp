// Errors: a line with the reason, and no partial files.
#include <filesystem>

#include "fixture.h"

namespace polygraphy::cli {
namespace {

using Errors = TensorRt;

TEST_F(Errors, ACrashOfTheBuilderIsOne) {
  fail("crash");
  const std::string name = model(kSum);
  const Outcome seen = run({"run", name, "--onnxrt", "--trt", "--save-engine", "m.engine"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.out, HasSubstr("tensorrt was killed by SIGSEGV"));
  EXPECT_THAT(seen.out, HasSubstr("onnxrt-runner"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/m.engine"));
  const Outcome converted = run({"convert", name, "-o", "c.engine"});
  EXPECT_EQ(converted.code, 1);
  EXPECT_THAT(converted.err, HasSubstr("[!] tensorrt was killed by SIGSEGV"));  // no runner's name
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/c.engine"));
}

TEST_F(Errors, ABuildThatHangsEnds) {
  fail("hang");
  const Outcome seen = run({"convert", model(kSum), "-o", "m.engine", "--timeout", "1"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("exceeded 1 s"));
}

TEST_F(Errors, NoImplementation) {
  fail("no-kernel");
  const Outcome seen = run({"convert", model(kSum), "-o", "m.engine"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err,
              AllOf(HasSubstr("Invalid Engine. Please ensure the engine was built correctly"),
                    HasSubstr("Could not find any implementation for node")));
}

TEST_F(Errors, ModelsThatDoNotParse) {
  const std::string name = model(
      "<ir_version: 8, opset_import: [\"\": 17, \"my\": 1]>\n"
      "g (float[4] x) => (float[4] y) { y = my.Unknown(x) }");
  const Outcome seen = run({"convert", name, "-o", "m.engine"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, AllOf(HasSubstr("Could not parse ONNX correctly: In node 0"),
                              HasSubstr("inspect capability")));
}

TEST_F(Errors, EnginesThatAreNoneOrOfOthers) {
  const std::string name = model(kSum);
  ASSERT_EQ(run({"convert", name, "-o", "ten.engine"}, "10").code, 0);
  const Outcome other = run({"run", "ten.engine", "--trt"}, "11");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("Could not deserialize engine"));
  const std::string whole = folder_.read("ten.engine");
  folder_.write("cut.engine", whole.substr(0, whole.size() / 2));
  const Outcome cut = run({"run", "cut.engine", "--trt"}, "10");
  EXPECT_EQ(cut.code, 1);
  EXPECT_THAT(cut.err, HasSubstr("Could not deserialize engine"));
  folder_.write("empty.engine", "");
  EXPECT_THAT(run({"run", "empty.engine", "--trt"}).err, HasSubstr("it is empty"));
  EXPECT_THAT(run({"run", "ten.engine", "--onnxrt"}).err, HasSubstr("its model type is engine"));
}

TEST_F(Errors, ModelsThatAreTakenForEngines) {
  model(kSum, "model.engine");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "model.engine", "--trt"},
        {"inspect", "model", "model.engine"}}) {
    const Outcome seen = run(command);
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.err, AllOf(HasSubstr("Could not deserialize engine"),
                                HasSubstr("looks like an ONNX model: try --model-type onnx"),
                                Not(HasSubstr("Build it again"))));
  }
}

TEST_F(Errors, NetworkScriptsAreNotOnnxModels) {
  folder_.write("network.py", "");
  const Outcome seen = run({"convert", "network.py", "-o", "model.onnx"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, AllOf(HasSubstr("`convert network.py -o FILE.engine`"),
                              Not(HasSubstr("--model-type onnx"))));
}

TEST_F(Errors, FilesOfTheCurrentFolderThatAreNoLibraries) {
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  folder_.write("text.so", "no library");
  const Outcome seen =
      run_in_process({"convert", model(kSum), "-o", "m.engine", "--trt-lib", "text.so"}, {});
  std::filesystem::current_path(before);
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, AllOf(HasSubstr("text.so: "), Not(HasSubstr("no library text.so on"))));
}

TEST_F(Errors, TheDriver) {
  const std::string name = model(kSum);
  fail_driver("no-device");
  EXPECT_THAT(run({"run", name, "--trt"}).err, HasSubstr("the CUDA driver finds no GPU"));
  fail_driver("too-old");
  EXPECT_THAT(run({"run", name, "--trt"}).err, HasSubstr("the CUDA driver is too old"));
  fail_driver("out-of-memory");
  EXPECT_THAT(run({"run", name, "--trt"}).err, HasSubstr("the GPU is out of memory"));
}

TEST_F(Errors, WithoutADriverEnginesAreBuiltAndNotRun) {
  const Outcome seen =
      run_in_process({"run", model(kSum), "--trt", "--trt-lib", double_of("rtx"), "--trt-driver",
                      "/nowhere/libcuda.so.1", "--save-engine", "m.engine"},
                     {.root = folder_.path()});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("no CUDA driver"));
  EXPECT_FALSE(folder_.read("m.engine").empty());
}

TEST_F(Errors, ScriptsThatAreNotThere) {
  const std::string name = model(kSum);
  for (const char* option : {"--trt-config-script", "--trt-config-postprocess-script",
                             "--trt-network-postprocess-script"}) {
    const Outcome seen = run({"convert", name, "-o", "m.engine", option, "none.py:f"});
    EXPECT_EQ(seen.code, 1) << option;
    EXPECT_THAT(seen.err,
                AllOf(HasSubstr("Could not import symbol: f from script: "), HasSubstr("none.py")))
        << option;
  }
}

TEST_F(Errors, PluginsThatDoNotLoad) {
  folder_.write("plugin.so", "no library");
  const Outcome seen = run({"convert", model(kSum), "-o", "m.engine", "--plugins", "plugin.so"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, AllOf(HasSubstr("--plugins"), HasSubstr("plugin.so")));
}

TEST_F(Errors, WhatIsWrongAboutRunningIsSaidBeforeTheBuild) {
  const std::string name = model(kSum);
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--optimization-profile", "-1"},
        {"--weight-streaming-budget", "150%"},
        {"--weight-streaming-budget", "nan"},
        {"--trt-outputs-by-type", "CONVOLUTIONN"},
        {"--trt-exclude-outputs", "q"}}) {
    std::vector<std::string> args = {"run", name, "--trt"};
    args.insert(args.end(), option.begin(), option.end());
    const Outcome seen = run(args);
    EXPECT_EQ(seen.code, 1) << option.front();
    EXPECT_THAT(seen.out, Not(HasSubstr("Building engine"))) << option.front();
  }
}

TEST_F(Errors, WeightBudgetsMayHaveUnits) {
  const std::string name = model(kSum);
  for (const std::string budget : {"1K", "8K", "1M", "1G", "512", "30%"}) {
    EXPECT_THAT(run({"run", name, "--trt", "--weight-streaming-budget", budget}).err,
                Not(HasSubstr("cannot be " + budget)));
  }
  EXPECT_THAT(run({"run", name, "--trt", "--weight-streaming-budget", "1T"}).err,
              HasSubstr("--weight-streaming-budget cannot be 1T"));
}

TEST_F(Errors, TargetsOfConvert) {
  const std::string name = model(kSum);
  EXPECT_THAT(
      run({"convert", name, "-o", "m.xyz"}).err,
      HasSubstr("Could not automatically determine model type based on output path: m.xyz"));
  EXPECT_THAT(run({"convert", name, "-o", "m.hdf5"}).err,
              HasSubstr("Cannot convert to model type: hdf5"));
}

TEST_F(Errors, AnEngineReplacesNoModel) {
  const std::string name = model(kSum), before = folder_.read(name);
  const Outcome seen = run({"convert", name, "--convert-to", "trt", "-o", name});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("would overwrite"));
  EXPECT_EQ(folder_.read(name), before);
}

TEST_F(Errors, ConvertToOnnxNeedsNoTensorRt) {
  const Outcome seen = run_in_process({"convert", model(kSum), "-o", "h.onnx", "--fp-to-fp16"},
                                      {.root = folder_.path()});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_FALSE(folder_.read("h.onnx").empty());
}

}  // namespace
}  // namespace polygraphy::cli
