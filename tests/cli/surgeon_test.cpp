// `surgeon` on files: overwriting, refusals, and no truncated output files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "in_process.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::load_model;
using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using graphsurgeon::save_model;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kChain = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[4] x) => (float[4] y) <float[4] v = {1, 2, 3, 4}, float[4] w = {5, 6, 7, 8}> {
  a = Mul (x, v)
  b = Add (a, w)
  y = Relu (b)
})";

class Surgeon : public testing::Test {
 protected:
  // With its weights in m.data.
  void write_external(std::string_view text = kChain) {
    graphsurgeon::SaveOptions options;
    options.external_data = "m.data";
    options.external_data_threshold = 0;
    save_model(parse_onnx_text(text), folder_.path() + "/m.onnx", options);
  }
  void write(std::string_view text) {
    save_model(parse_onnx_text(text), folder_.path() + "/m.onnx");
  }
  Outcome run(std::vector<std::string> args) {
    args.insert(args.begin(), "surgeon");
    return run_in_process(args, {.root = folder_.path()});
  }
  Model result(const std::string& name) { return load_model(folder_.path() + "/" + name); }
  bool exists(const std::string& name) {
    return std::filesystem::exists(folder_.path() + "/" + name);
  }
  std::vector<float> weight(const Model& model, size_t i) {
    const auto values = model.graph->initializers()[i]->payload()->load("w");
    const auto floats = values.as<float>();
    return {floats.begin(), floats.end()};
  }

  TemporaryFolder folder_;
};

TEST_F(Surgeon, WritesAModelThatNeedsNoChange) {
  write(kChain);
  EXPECT_EQ(run({"sanitize", "m.onnx", "-o", "out.onnx", "--no-shape-inference"}).code, 0);
  EXPECT_EQ(folder_.read("out.onnx"), folder_.read("m.onnx"));
}

TEST_F(Surgeon, OverwritesItsInput) {
  write(kChain);
  EXPECT_EQ(run({"extract", "m.onnx", "-o", "m.onnx", "--outputs", "a:float32"}).code, 0);
  EXPECT_EQ(result("m.onnx").graph->nodes().size(), 1u);
}

TEST_F(Surgeon, OverwritesItsInputAndItsData) {
  write_external();
  EXPECT_EQ(run({"extract", "m.onnx", "-o", "m.onnx", "--inputs", "a:[4]:float32",
                 "--save-external-data", "m.data", "--external-data-size-threshold", "0"})
                .code,
            0);
  const Model model = result("m.onnx");
  ASSERT_EQ(model.graph->initializers().size(), 1u);
  EXPECT_EQ(weight(model, 0), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_LT(std::filesystem::file_size(folder_.path() + "/m.data"), 64u);
}

TEST_F(Surgeon, CopiesWhatIsKeptOfExternalData) {
  write_external();
  EXPECT_EQ(run({"extract", "m.onnx", "-o", "new/part.onnx", "--inputs", "a:[4]:float32"}).code, 0);
  std::filesystem::remove(folder_.path() + "/m.data");
  EXPECT_EQ(weight(result("new/part.onnx"), 0), (std::vector<float>{5, 6, 7, 8}));
}

TEST_F(Surgeon, SharesExternalDataWhereItCan) {
  write_external();
  const std::vector<std::string> cut = {"--inputs", "a:[4]:float32", "--share-external-data"};
  std::vector<std::string> args = {"extract", "m.onnx", "-o", "part.onnx"};
  args.insert(args.end(), cut.begin(), cut.end());
  EXPECT_EQ(run(args).code, 0);
  const Model model = result("part.onnx");
  EXPECT_EQ(model.graph->initializers()[0]->payload()->external()->location, "m.data");
  EXPECT_EQ(weight(model, 0), (std::vector<float>{5, 6, 7, 8}));

  args[3] = "new/part.onnx";
  const Outcome refused = run(args);
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("not in or below the folder of"));
  EXPECT_FALSE(exists("new/part.onnx"));
}

TEST_F(Surgeon, KeepsReferencesThatItWasToldToIgnore) {
  write_external();
  std::filesystem::remove(folder_.path() + "/m.data");
  for (const char* output : {"part.onnx", "new/part.onnx"}) {
    EXPECT_EQ(
        run({"extract", "m.onnx", "-o", output, "--outputs", "b:float32", "--ignore-external-data"})
            .code,
        0);
    EXPECT_EQ(result(output).graph->initializers()[0]->payload()->external()->location, "m.data");
  }
}

TEST_F(Surgeon, MissingDataIsAnErrorBeforeAnythingIsWritten) {
  write_external();
  std::filesystem::remove(folder_.path() + "/m.data");
  folder_.write("out.onnx", "as before");
  const Outcome outcome = run({"sanitize", "m.onnx", "-o", "out.onnx", "--cleanup"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("external data 'm.data' cannot be opened"));
  EXPECT_EQ(folder_.read("out.onnx"), "as before");
}

TEST_F(Surgeon, AFullDiskIsAMessage) {
  write(kChain);
  const Outcome outcome = run({"sanitize", "m.onnx", "-o", "/dev/full", "--cleanup"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("No space left on device"));
}

constexpr std::string_view kCycle = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[4] x) => (float[4] y) {
  [n1] a = Add (x, b)
  [n2] b = Relu (a)
  [n3] y = Neg (b)
})";

TEST_F(Surgeon, CyclesAreNamed) {
  write(kCycle);
  for (const char* option : {"--toposort", "--fold-constants"}) {
    const Outcome outcome = run({"sanitize", "m.onnx", "-o", "out.onnx", option});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("'n2' (Relu) -> 'n1' (Add)")) << option;
    EXPECT_FALSE(exists("out.onnx"));
  }
}

TEST_F(Surgeon, FoldsNodesThatAreNotSorted) {
  write(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2,3] x) => (float[6] y) {
  y = Reshape (x, s)
  s = Concat <axis = 0> (k)
  k = Constant <value = int64[1] {-1}> ()
})");
  EXPECT_EQ(run({"sanitize", "m.onnx", "-o", "out.onnx", "--fold-constants"}).code, 0);
  EXPECT_EQ(result("out.onnx").graph->nodes().size(), 1u);
}

TEST_F(Surgeon, FoldsDefaultValuesOfInputsUnlessTheyAreKept) {
  write(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2,3] x, int64[1] k = {-1}) => (float[6] y) {
  s = Identity (k)
  y = Reshape (x, s)
})");
  const std::vector<std::string> args = {"sanitize", "m.onnx", "-o", "out.onnx",
                                         "--fold-constants"};
  EXPECT_THAT(run(args).out,
              HasSubstr("Took the initializers of 1 input for constants\n"
                        "    To let callers replace them, set --keep-input-defaults.\n"));
  EXPECT_EQ(result("out.onnx").graph->nodes().size(), 1u);

  std::vector<std::string> keeping = args;
  keeping.emplace_back("--keep-input-defaults");
  EXPECT_THAT(run(keeping).out, Not(HasSubstr("for constants")));
  EXPECT_EQ(result("out.onnx").graph->nodes().size(), 2u);
}

TEST_F(Surgeon, ANodeNeedsAnOperator) {
  write(kChain);
  const Outcome outcome =
      run({"insert", "m.onnx", "-o", "out.onnx", "--op", "", "--inputs", "x", "--outputs", "y"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("The new node has no operator"));
  EXPECT_FALSE(exists("out.onnx"));
}

TEST_F(Surgeon, TolerancesOfADifferenceAreNumbersThatAreNotNegative) {
  write(kChain);
  for (const std::string tolerance : {"-1", "nan", "inf"}) {
    for (const std::string option : {"--atol", "--rtol"}) {
      const Outcome outcome = run({"diff", "m.onnx", "m.onnx", option, tolerance});
      EXPECT_EQ(outcome.code, 3) << option << tolerance;
      EXPECT_THAT(outcome.err, HasSubstr(tolerance));
    }
  }
}

// An exporter numbers all nodes behind a new one anew.
TEST_F(Surgeon, ADifferenceSaysWhatNamesAloneMakeDifferent) {
  const auto write_as = [&](const std::string& name, const std::string& nodes) {
    save_model(parse_onnx_text((R"(<ir_version: 8, opset_import: ["" : 17]>
        g (float[2] x) => (float[2] y)
        <float[2] w_1 = {1, 2}, float[2] w_2 = {3, 4}, float[2] w_3 = {3, 4}> {
          [a_0] a = Neg(x) )" + nodes +
                                " }")
                                   .c_str()),
               folder_.path() + "/" + name);
  };
  write_as("before.onnx", "[r_1] b_1 = Relu(a) [m_2] c_2 = Mul(b_1, w_1) [d_3] y = Add(c_2, w_2)");
  write_as("after.onnx",
           "[s_1] s_1 = Softsign(a) [r_2] b_2 = Relu(s_1) [m_3] c_3 = Mul(b_2, w_1) "
           "[d_4] y = Add(c_3, w_3)");
  const Outcome outcome = run({"diff", "before.onnx", "after.onnx"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, testing::HasSubstr("By name only: 2 nodes"));
  EXPECT_THAT(outcome.out, testing::HasSubstr("Without names: nodes: 1 added, 1 changed"));
  EXPECT_THAT(run({"diff", "before.onnx", "after.onnx", "--ignore", "names"}).out,
              testing::Not(testing::HasSubstr("By name only")));
}

TEST_F(Surgeon, APartNeedsNothingOfInputsThatItOnlyKeeps) {
  write(R"(<ir_version: 10, opset_import: ["" : 17]>
    g (float[4] x, float[] z) => (float[] y) { a = Relu (x) y = Add (a, z) })");
  const Outcome outcome = run({"extract", "m.onnx", "-o", "out.onnx", "--outputs", "a:auto"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err + outcome.out, HasSubstr("keep the types and shapes in the model"));
  EXPECT_EQ(result("out.onnx").graph->outputs()[0]->name(), "a");
  // An input that the options name has to be known.
  EXPECT_EQ(
      run({"extract", "m.onnx", "-o", "no.onnx", "--inputs", "z:auto:auto", "a:[4]:float32"}).code,
      1);
  EXPECT_FALSE(exists("no.onnx"));
}

TEST_F(Surgeon, TheNearestNameIsSuggested) {
  write(kChain);
  const Outcome outcome = run({"extract", "m.onnx", "-o", "out.onnx", "--inputs", "yy:auto:auto"});
  EXPECT_THAT(outcome.err, HasSubstr("Tensor: yy does not exist in the model."));
  EXPECT_FALSE(exists("out.onnx"));
}

}  // namespace
}  // namespace polygraphy::cli
