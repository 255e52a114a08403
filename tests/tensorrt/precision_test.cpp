// `debug precision`.
#include <filesystem>

#include "base/os/file_text.h"
#include "base/text.h"
#include "fixture.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/ir/copy.h"
#include "polygraphy/diagnosis/precision/mixed_model.h"
#include "polygraphy/diagnosis/search/fewest_kept.h"
#include "polygraphy/polygraphy.h"

namespace polygraphy::cli {
namespace {

// The second layer's result does not fit into float16.
constexpr std::string_view kTooLarge = R"(<ir_version: 8, opset_import: ["": 17]>
g (float[4] x) => (float[4] y) <float k = {1000000.0}, float one = {1.0}>
{ a = Relu(x)  b = Mul(a, k)  c = Div(b, k)  d = Add(c, one)  y = Relu(d) })";
// The third node's weight does not.
constexpr std::string_view kLargeWeight = R"(<ir_version: 8, opset_import: ["": 17]>
g (float[4] x) => (float[4] y) <float small = {0.01}, float large = {100000.0}>
{ [first] a = Relu(x)  [second] b = Mul(a, small)  [third] c = Mul(b, large)  [last] y = Relu(c) })";
// Nor do those of two nodes that stand apart.
constexpr std::string_view kLargeWeights = R"(<ir_version: 8, opset_import: ["": 17]>
g (float[4] x) => (float[4] y) <float small = {0.01}, float tiny = {0.0005}, float large = {100000.0}>
{ [first] a = Mul(x, small)  [second] b = Mul(a, large)  [third] c = Relu(b)
  [fourth] d = Mul(c, tiny)  [last] y = Mul(d, large) })";

class DebugPrecision : public TensorRt {
 protected:
  std::string in_folder(const std::string& name) const { return folder_.path() + "/" + name; }

  // Compares with what ONNX Runtime makes of the model.
  Outcome search(std::string_view text, std::vector<std::string> options,
                 const std::string& set = "10") {
    std::vector<std::string> args = {"debug", "precision", model(text)};
    args.insert(args.end(), {"--iter-artifact", in_folder("debug.engine"), "--save-debug-replay",
                             in_folder("replay.json"), "-o", in_folder("mixed.onnx")});
    args.insert(args.end(), options.begin(), options.end());
    const Outcome golden = run_in_process(
        {"run", "model.onnx", "--onnxrt", "--save-outputs", in_folder("golden.json")},
        {.root = folder_.path()});
    EXPECT_EQ(golden.code, 0) << golden.err;
    args.insert(args.end(),
                {"--check", PG_POLYGRAPHY, "run", in_folder("debug.engine"), "--trt", "--trt-lib",
                 double_of(set), "--trt-driver", PG_DOUBLES "/libcuda.so.1", "--load-outputs",
                 in_folder("golden.json"), "--atol", "0.01", "--rtol", "0.01"});
    return run(args, set);
  }
};

TEST_F(DebugPrecision, BisectsLayersFromTheBeginning) {
  const Outcome seen = search(kTooLarge, {"--fp16"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(
      seen.out,
      AllOf(HasSubstr("Using DataType.FLOAT as higher precision"),
            HasSubstr("RUNNING | Iteration 1 | Approximately 3 iteration(s) remaining"),
            HasSubstr("Selecting first 5 layer(s) to run in higher precision"),
            HasSubstr("Selecting first 2 layer(s)"), HasSubstr("Selecting first 1 layer(s)"),
            HasSubstr("To achieve acceptable accuracy, try running the first 2 layer(s) in "
                      "higher precision"),
            HasSubstr("Finished 3 iteration(s) | Passed: 2/3")))
      << seen.err;
  EXPECT_FALSE(std::filesystem::exists(in_folder("debug.engine")));
  EXPECT_FALSE(std::filesystem::exists(in_folder("mixed.onnx")));
}

TEST_F(DebugPrecision, BisectsLayersFromTheEnd) {
  const Outcome seen = search(kTooLarge, {"--fp16", "--dir", "reverse"});
  EXPECT_THAT(seen.out, HasSubstr("try running the last 4 layer(s) in higher precision"))
      << seen.err;
}

TEST_F(DebugPrecision, MarksOneLayerMoreEachTime) {
  const Outcome seen = search(kTooLarge, {"--fp16", "--mode", "linear"});
  EXPECT_THAT(seen.out, AllOf(HasSubstr("Selecting first 0 layer(s)"),
                              HasSubstr("try running the first 2 layer(s) in higher precision"),
                              HasSubstr("Finished 3 iteration(s) | Passed: 1/3")))
      << seen.err;
}

TEST_F(DebugPrecision, SaysWhereNoLayersHelp) {
  const Outcome seen =
      search(kTooLarge, {"--fp16", "--precision-constraints", "none", "--mode", "linear"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("Could not find a configuration that satisfied accuracy "
                                        "requirements."),
                              HasSubstr("Finished 6 iteration(s) | Passed: 0/6")));
}

TEST_F(DebugPrecision, LayersOfOneNameAreToldByTheirPositions) {
  std::string text(kTooLarge);
  for (const std::string name : {"a = Relu", "b = Mul", "c = Div", "d = Add", "y = Relu"})
    text.insert(text.find(name), "[same] ");
  const auto precisions_with = [&](const char* key, const char* value) {
    Logger log;
    recorded();
    build_engine({.runner = {.backend = "tensorrt",
                             .library = double_of("10"),
                             .session = {.options = {{"fp16", {}}, {key, {value}}}}},
                  .model = {.path = in_folder(model(text))},
                  .tools = {.paths = paths_of_tree(PG_TREE), .program = PG_POLYGRAPHY}},
                 in_folder("same.engine"), log);
    const std::string lines = recorded();
    size_t count = 0;
    for (size_t at = lines.find("setPrecision("); at != std::string::npos; ++count)
      at = lines.find("setPrecision(", at + 1);
    return count;
  };
  EXPECT_EQ(precisions_with("layer_precisions_by_position", "1:float32"), 1u);
  EXPECT_EQ(precisions_with("layer_precisions", "same:float32"), 5u);
  EXPECT_THROW(precisions_with("layer_precisions_by_position", "5:float32"), Error);
}

TEST_F(DebugPrecision, GoesOnFromAReplay) {
  search(kTooLarge, {"--fp16"});
  std::filesystem::rename(in_folder("replay.json"), in_folder("before.json"));
  const Outcome seen =
      run({"debug", "precision", "model.onnx", "--fp16", "--load-debug-replay",
           in_folder("before.json"), "--save-debug-replay", "", "--check", "false"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("Loading iteration information from debug replay"),
                              HasSubstr("try running the first 2 layer(s)"),
                              Not(HasSubstr("Running check command"))));
}

TEST_F(DebugPrecision, ABuildThatFailsIsARoundThatFails) {
  fail("no-kernel");
  const Outcome seen = search(kTooLarge, {"--fp16"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("Failed to create network or engine"),
                              HasSubstr("Finished 1 iteration(s) | Passed: 0/1")));
}

// A failed build of nodes is a round like others.
TEST_F(DebugPrecision, GoesOnFromAReplayOfFailedBuilds) {
  fail("no-kernel");
  search(kLargeWeight, {"--mode", "auto"});
  std::filesystem::rename(in_folder("replay.json"), in_folder("before.json"));
  const Outcome seen =
      run({"debug", "precision", "model.onnx", "--mode", "auto", "--load-debug-replay",
           in_folder("before.json"), "--save-debug-replay", "", "--check", "false"});
  EXPECT_THAT(seen.err, HasSubstr("The check also fails with all nodes in float32"));
  EXPECT_THAT(seen.out, HasSubstr("FAILED | Iteration 2")) << seen.err;
}

std::string without_times(std::string text) {
  for (size_t at = text.find(" | Duration "); at != text.npos; at = text.find(" | Duration ", at))
    text.erase(at, text.find('\n', at) - at);
  return text;
}

// The same replay, model and messages, but for the names of files in the command.
TEST_F(DebugPrecision, SearchesSideBySideLikeOneAtATime) {
  const auto search_on = [&](std::string_view text, std::vector<std::string> options) {
    std::vector<std::string> args = {"debug", "precision", model(text)};
    args.insert(args.end(), {"--iter-artifact", in_folder("debug.engine"), "--save-debug-replay",
                             in_folder("replay.json"), "-o", in_folder("mixed.onnx")});
    args.insert(args.end(), options.begin(), options.end());
    args.insert(args.end(),
                {"--check", PG_POLYGRAPHY, "run", "{model}", "--trt", "--trt-lib", double_of("10"),
                 "--trt-driver", PG_DOUBLES "/libcuda.so.1", "--load-outputs",
                 in_folder("golden.json"), "--atol", "0.01", "--rtol", "0.01"});
    const Outcome seen = run(args);
    EXPECT_EQ(seen.code, 0) << seen.err;
    std::string result = read_text(in_folder("replay.json"));
    if (std::filesystem::exists(in_folder("mixed.onnx")))
      result += read_text(in_folder("mixed.onnx"));
    std::filesystem::remove(in_folder("mixed.onnx"));
    std::string out;
    for (const std::string_view line : split_lines(without_times(seen.out))) {
      if (line.find("iteration(s) |") != line.npos || line.find("Selecting") != line.npos ||
          line.find("Keeping") != line.npos || line.find("keep ") != line.npos)
        out.append(line).append("\n");
    }
    return result + out;
  };
  for (const auto& [text, options] :
       {std::pair(kTooLarge, std::vector<std::string>{"--fp16"}),
        std::pair(kTooLarge, std::vector<std::string>{"--fp16", "--mode", "linear"}),
        std::pair(kLargeWeights, std::vector<std::string>{"--mode", "auto"})}) {
    search(text, options);  // the outputs of ONNX Runtime
    const std::string one = search_on(text, options);
    EXPECT_THAT(one, HasSubstr("Pass Rate"));
    for (const char* on : {"local:2", "local:4"}) {
      std::vector<std::string> with = options;
      with.insert(with.end(), {"--on", on});
      EXPECT_EQ(search_on(text, with), one) << on;
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_NE(entry.path().extension(), ".engine") << entry.path();
}

TEST_F(DebugPrecision, RefusesWhatCannotBeFound) {
  const auto error = [&](std::vector<std::string> options, const std::string& set = "10") {
    std::vector<std::string> args = {"debug", "precision", model(kTooLarge)};
    args.insert(args.end(), options.begin(), options.end());
    args.insert(args.end(), {"--save-debug-replay", "", "--check", "true"});
    const Outcome seen = run(args, set);
    EXPECT_EQ(seen.code, 1);
    return seen.err;
  };
  EXPECT_THAT(error({}), HasSubstr("Please enable at least one precision besides float32"));
  EXPECT_THAT(error({"-p", "float16", "--int8"}), HasSubstr("Please also specify `--fp16`"));
  EXPECT_THAT(error({"--fp16", "--strongly-typed", "--mode", "bisect"}), HasSubstr("--mode auto"));
  for (const char* set : {"11", "rtx"})
    EXPECT_THAT(error({"--mode", "linear"}, set), HasSubstr("--mode auto"));
  EXPECT_THAT(error({"--mode", "auto", "--int8"}), HasSubstr("--mode bisect"));
  EXPECT_THAT(error({"--mode", "auto", "-p", "float16", "--fp16"}), HasSubstr("--precision"));
  EXPECT_THAT(error({"--model-type", "engine"}),
              HasSubstr("Layers of an engine cannot be changed"));
}

TEST_F(DebugPrecision, FindsTheNodeThatNeedsFloat32OnAllVersions) {
  for (const std::string set : {"10", "11", "rtx"}) {
    std::vector<std::string> options;
    if (set == "10") options = {"--mode", "auto"};
    const Outcome seen = search(kLargeWeight, options, set);
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, AllOf(HasSubstr("keep 1 of 4 nodes in float32:\n"),
                                HasSubstr("'third' (Mul)"), Not(HasSubstr("'second' (Mul)"))))
        << set << seen.err;
    // It is ready for use.
    const Outcome used = run({"run", "mixed.onnx", "--trt", "--strongly-typed", "--load-outputs",
                              in_folder("golden.json"), "--atol", "0.01", "--rtol", "0.01"},
                             set);
    EXPECT_EQ(used.code, 0) << set << used.out << used.err;
    std::filesystem::remove(in_folder("mixed.onnx"));
  }
}

TEST_F(DebugPrecision, FindsNodesThatNeedFloat32Together) {
  const Outcome seen = search(kLargeWeights, {"--mode", "auto", "--fp16"});
  EXPECT_THAT(seen.out, AllOf(HasSubstr("keep 2 of 5 nodes in float32:\n"),
                              HasSubstr("'second' (Mul)"), HasSubstr("'last' (Mul)")))
      << seen.err;
  // Candidates are gone.
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".polygraphy-precision"));
}

TEST_F(DebugPrecision, SaysWhereFloat16WillDo) {
  const Outcome found = search(
      "<ir_version: 8, opset_import: [\"\": 17]>\n"
      "g (float[4] x) => (float[4] y) { y = Relu(x) }",
      {"--mode", "auto"});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out,
              AllOf(HasSubstr("no node needs float32"), HasSubstr("Finished 1 iteration(s)"),
                    HasSubstr("Saving ONNX model to")));
}

TEST_F(DebugPrecision, SaysWherePrecisionIsNotWhatIsWrong) {
  const Outcome seen = run({"debug", "precision", model(kLargeWeight), "--mode", "auto",
                            "--iter-artifact", in_folder("debug.engine"), "--save-debug-replay", "",
                            "-o", in_folder("mixed.onnx"), "--check", "false"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("The check also fails with all nodes in float32"));
  EXPECT_FALSE(std::filesystem::exists(in_folder("mixed.onnx")));
}

// The check has not run, and is not to be doubted.
TEST_F(DebugPrecision, SaysWhereNoEngineIsBuilt) {
  fail("crash");
  const Outcome seen = search(kLargeWeight, {"--mode", "auto", "--fp16"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, AllOf(HasSubstr("The build also fails with all nodes in float32"),
                              Not(HasSubstr("The check fails"))));
}

TEST_F(DebugPrecision, OfOneSearchIsNoReplayOfAnother) {
  search(kLargeWeight, {"--mode", "auto"});
  std::filesystem::rename(in_folder("replay.json"), in_folder("before.json"));
  std::filesystem::remove(in_folder("mixed.onnx"));
  const Outcome same =
      search(kLargeWeight, {"--mode", "auto", "--load-debug-replay", in_folder("before.json")});
  EXPECT_THAT(same.out, AllOf(HasSubstr("'third' (Mul)"), Not(HasSubstr("Running check command"))));
  const Outcome other =
      search(kLargeWeights, {"--mode", "auto", "--load-debug-replay", in_folder("before.json")});
  EXPECT_THAT(other.err, HasSubstr("--load-debug-replay")) << other.out;
}

// With the check as a function, on ONNX Runtime.
TEST_F(DebugPrecision, SearchesOnAnyRuntime) {
  const graphsurgeon::Model original = graphsurgeon::load_model(in_folder(model(kLargeWeight)));
  const auto outputs = [](const graphsurgeon::Model& model) {
    OnnxrtRunner runner(ModelLoader(graphsurgeon::copy(model)), {.tree = PG_TREE});
    const ActiveRunner active(runner);
    return runner.infer({{"x", full<float>({4}, 0.5F)}}).find("y")->tensor().get_double(0);
  };
  Logger silent;
  const double golden = outputs(original);
  const MixedModel mixed(original, silent);
  const auto passes = [&](const Part& part) {
    return std::abs(outputs(mixed.make(part, silent)) - golden) < 1;
  };
  EXPECT_FALSE(passes({}));
  const auto test = [&](const Part& part, const auto&) { return passes(part); };
  EXPECT_THAT(fewest_kept(mixed.operators(), test), testing::ElementsAre(2));
}

// Of a program: fails, passes with everything in float32, and is interrupted after that.
class InterruptedCheck : public Check {
 public:
  CheckResult run(const std::string&) override {
    if (++rounds_ > 2) throw Interrupted();
    return {.passed = rounds_ == 2};
  }

 private:
  int rounds_ = 0;
};

TEST_F(DebugPrecision, AnInterruptionLeavesTheBestThatWasFound) {
  const PrecisionJob job{
      .engine = {.runner = {.backend = "tensorrt", .library = double_of("11")},
                 .model = {.path = in_folder(model(kLargeWeight))},
                 .tools = {.paths = paths_of_tree(PG_TREE)}},
      .output = {.path = in_folder("mixed.onnx")},
      .loop = {.artifact = in_folder("debug.engine")},
      .check = [](Logger&, CancelToken) { return std::make_unique<InterruptedCheck>(); }};
  Logger log;
  const PrecisionResult found = find_precision(job, log);
  EXPECT_EQ(found.mode, PrecisionMode::kAuto);
  EXPECT_TRUE(found.interrupted);
  EXPECT_EQ(found.nodes.size(), 4u);
  EXPECT_TRUE(std::filesystem::exists(in_folder("mixed.onnx")));
  EXPECT_FALSE(std::filesystem::exists(in_folder("debug.engine")));
}

}  // namespace
}  // namespace polygraphy::cli
