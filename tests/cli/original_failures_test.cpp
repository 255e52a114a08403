// Failures of the original that must not happen here, item by item: exit codes, one message with a
// remedy instead of a traceback, and nothing left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class OriginalFailures : public testing::Test {
 protected:
  void model(const std::string& text, const std::string& name = "m.onnx") {
    folder_.write(name, graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(text)));
  }
  Outcome run(const std::string& line) {
    std::vector<std::string> args;
    for (const auto word : split(line, ' ')) args.emplace_back(word);
    return run_in_process(args, {.root = folder_.path()});
  }
  void passes(const std::string& line) {
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.out << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty()) << line;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryFolder folder_;
};

// 1. Shape inference gives nothing for opsets below 7, and where the default domain is not
// imported.
TEST_F(OriginalFailures, ShapesOfOldOpsets) {
  model(R"(<ir_version: 3, opset_import: ["": 6]>
      g (float[2, 3] x) => (float[N, M] y) { t = Transpose (x)  y = Relu (t) })");
  EXPECT_THAT(run("inspect model m.onnx --shape-inference --show layers").out,
              HasSubstr("t [dtype=float32, shape=(3, 2)]"));
  passes("surgeon sanitize m.onnx --fold-constants -o folded.onnx");
  passes("surgeon extract m.onnx --inputs t:auto:auto --outputs y:auto -o part.onnx");
  passes("run m.onnx --onnxrt --shape-inference");
  EXPECT_THAT(files(), ElementsAre("folded.onnx", "m.onnx", "part.onnx"));
}

TEST_F(OriginalFailures, ShapesWithoutTheDefaultDomain) {
  model(R"(<ir_version: 8, opset_import: ["ai.onnx.ml": 3]>
      g (float[2, 3] x) => (float[2, 3] y) { y = ai.onnx.ml.Scaler <offset = [1.0], scale = [2.0]> (x) })");
  passes("inspect model m.onnx --shape-inference --show layers");
  passes("surgeon sanitize m.onnx --fold-constants -o folded.onnx");
  passes("run m.onnx --onnxrt --shape-inference");
}

// 2. A newer IR version than a runtime takes.
TEST_F(OriginalFailures, ModelsOfANewIrVersion) {
  model(R"(<ir_version: 15, opset_import: ["": 17]>
      g (float[2] x) => (float[2] y) <float[2] a = {1, 2}, float[2] b = {3, 4}> {
        c = Add (a, b)  y = Mul (x, c) })");
  passes("run m.onnx --onnxrt --openvino");
  passes("surgeon sanitize m.onnx --fold-constants -o folded.onnx");
  const graphsurgeon::Model folded = graphsurgeon::load_model(folder_.path() + "/folded.onnx");
  EXPECT_EQ(folded.graph->nodes().size(), 1u);
  EXPECT_EQ(folded.ir_version, 15);
}

// 3. String inputs cannot be generated.
TEST_F(OriginalFailures, StringInputs) {
  model(R"(<ir_version: 8, opset_import: ["": 17]>
      g (string[2] s) => (string[2] y) { y = Identity (s) })");
  for (const char* mode : {"", " --sequential-runners"}) {
    passes("run m.onnx --onnxrt --onnxrt --save-inputs in.json --save-outputs out.json" +
           std::string(mode));
    passes("run m.onnx --onnxrt --load-inputs in.json --load-outputs out.json" + std::string(mode));
    folder_.write("in.json", R"({"s": ["hello", "wörld"]})");
    EXPECT_THAT(run("run m.onnx --onnxrt --load-inputs in.json --save-outputs out.json").err,
                IsEmpty());
    EXPECT_THAT(run("inspect data out.json -s").out, HasSubstr("'wörld'"));
  }
}

// 4. Sequences and optionals.
TEST_F(OriginalFailures, SequencesAndOptionals) {
  model(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, 3] x) => (int64 n) {
        s = SequenceConstruct (x, x)  n = SequenceLength (s) })");
  passes("run m.onnx --onnxrt --onnxrt --onnx-outputs mark all");
  model(R"(<ir_version: 8, opset_import: ["": 17]>
      g (optional(float[2]) x) => (float[2] y) { y = OptionalGetElement (x) })");
  passes("surgeon sanitize m.onnx --cleanup -o clean.onnx");
}

// 5. --val-range without brackets.
TEST_F(OriginalFailures, ARangeThatIsNone) {
  folder_.write("m.onnx", identity_model());
  const Outcome outcome = run("run m.onnx --onnxrt --val-range 1 2");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("expected to receive exactly 2 values, but received 1"));
}

// 6. Models that a runtime refuses.
TEST_F(OriginalFailures, ARuntimeThatHasNoSuchOperator) {
  model(R"(<ir_version: 3, opset_import: ["": 6]>
      g (float[2] x) => (float[2] y) { y = Add <axis = 0, broadcast = 1> (x, x) })");
  const Outcome outcome = run("run m.onnx --onnxrt --save-outputs out.json");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out + outcome.err, AllOf(HasSubstr("onnxrt cannot load"), HasSubstr("m.onnx"),
                                               Not(HasSubstr("internal error"))));
}

// 8. Missing parts are reported before anything runs.
TEST_F(OriginalFailures, PythonModulesThatAreNotThere) {
  folder_.write("m.onnx", identity_model());
  const Outcome outcome =
      run("run m.onnx --onnxrt --onnxrt --compare perceptual_metrics --save-outputs out.json");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("lpips"));
  EXPECT_THAT(files(), ElementsAre("m.onnx"));
}

// 9. Nothing is left in the working directory, whatever fails.
TEST_F(OriginalFailures, NoStrayFiles) {
  model(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, 3] x) => (float[7, 7] y) { t = Concat <axis = 0> (x, x)  y = MatMul (t, t) })");
  run("inspect model m.onnx --shape-inference");
  run("run m.onnx --onnxrt --shape-inference");
  run("surgeon sanitize m.onnx --fold-constants -o nowhere/deep");
  run("run m.onnx --onnxrt --save-outputs out.json --save-inputs in.json");
  for (const std::string& name : files()) {
    EXPECT_THAT(name, testing::AnyOf("m.onnx", "nowhere", "out.json", "in.json"));
  }
}

// 10. New in 0.53.
TEST_F(OriginalFailures, NewInTheLatestVersion) {
  folder_.write("m.onnx", identity_model());
  passes("run m.onnx --onnxrt --iters 0 --sequential-runners");
  const Outcome nothing = run("run m.onnx --onnxrt --openvino --iters 0 --sequential-runners");
  EXPECT_EQ(nothing.code, 1);
  EXPECT_THAT(nothing.out, HasSubstr("Nothing was compared: there are no results"));
  passes("run m.onnx --onnxrt --save-outputs results --iters 2");
  passes("run m.onnx --openvino --sequential-runners --load-outputs results --iters 2");
  folder_.write("other.json", R"({"x": [[9, 9, 9], [9, 9, 9]]})");
  run("run m.onnx --onnxrt --load-inputs other.json --save-outputs other_out.json");
  EXPECT_EQ(
      run("run m.onnx --onnxrt --load-outputs other_out.json --save-accuracy-results a.json").code,
      1);
  EXPECT_EQ(run("check accuracy a.json").code, 1);
}

// ONNX Runtime reads no weights of bodies from a file of several names. Ours gives it none, and
// says what to do where others did.
TEST_F(OriginalFailures, DataOfBodiesWithSeveralNames) {
  graphsurgeon::save_model(graphsurgeon::parse_onnx_text(R"(
          g (bool c, float[2] x) => (float[2] y) {
            a = If (c) <then_branch = t () => (float[2] s) <float[2] w = {1, 2}> { s = Add (x, w) },
                        else_branch = e () => (float[2] u) <float[2] v = {3, 4}> { u = Mul (x, v) }>
            y = Relu (a)
          })"),
                           folder_.path() + "/m.onnx",
                           {.external_data = "w.bin", .external_data_threshold = 0});
  passes("debug locate m.onnx --onnxrt --openvino");
  EXPECT_EQ(std::filesystem::hard_link_count(folder_.path() + "/w.bin"), 1u);
  std::filesystem::create_hard_link(folder_.path() + "/w.bin", folder_.path() + "/other.bin");
  const Outcome refused = run("run m.onnx --onnxrt");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.out + refused.err,
              AllOf(HasSubstr("multiple hard links"), HasSubstr("cp FILE FILE.copy")));
}

}  // namespace
}  // namespace polygraphy::cli
