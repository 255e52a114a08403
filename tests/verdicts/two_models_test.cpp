// Two models side by side: nodes that only one has, wrong weights, their order, their names.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class TwoModels : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& nodes) const {
    folder_.write(name, graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
                            (R"(<ir_version: 10, opset_import: ["": 21]>
      g (float[2,4] x) => (float[2,4] y)
      <float[4,4] w = {1, 2, -3, 4, 2, -1, 1, 3, -2, 1, 2, 1, 1, 1, -1, 2},
       int8[4,4] q = {8, 16, -24, 32, 16, -8, 8, 24, -16, 8, 16, 8, 8, 8, -8, 16},
       float[4] s = {0.125, 0.125, 0.125, 0.125}, float[4] wrong = {0.125, 0.25, 0.125, 0.125},
       float sx = {0.01}, int8 zero = {0}, int64[4] turned = {3, 2, 1, 0}, int64[2] same = {2, 4}>
      { )" + nodes + " }")
                                .c_str())));
  }
  std::string run(const std::vector<std::string>& args, int code) const {
    const Outcome outcome = run_in_process(args, {.root = folder_.path(), .columns = 300});
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    return outcome.out + outcome.err;
  }
  std::string locate(const std::string& model, int code,
                     const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args = {"debug",      "locate",   model,    "--float-model",
                                     "float.onnx", "--onnxrt", "--json", "j.json"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, code);
  }

  const TemporaryFolder folder_;
};

TEST_F(TwoModels, AnInsertedNodeIsNamedFirst) {
  write("float.onnx", "m = MatMul(x, w) a = Add(m, x) r = Relu(a) y = MatMul(r, w)");
  write("m.onnx", "m = MatMul(x, w) a = Add(m, x) t = Softsign(a) r = Relu(t) y = MatMul(r, w)");
  const std::string text = locate("m.onnx", 1, {"--report", "p.html"});
  EXPECT_THAT(text, HasSubstr("  guilty: 't' (Softsign), which the float model lacks, with 'r': "));
  EXPECT_THAT(text, Not(HasSubstr("  guilty: 'r' (Relu)")));
  EXPECT_THAT(text, HasSubstr("--inputs a:auto:auto --outputs r:auto"));
  EXPECT_THAT(text, HasSubstr("Proof: with the reference's results of 1 node(s)"));
  const std::string json = folder_.read("j.json");
  EXPECT_LT(json.find("\"node\": \"t\""), json.find("\"node\": \"r\""));
  const std::string page = folder_.read("p.html");
  EXPECT_THAT(page, HasSubstr(R"("models":[{"title":"float.onnx",)"));
  EXPECT_THAT(page, HasSubstr(R"({"title":"m.onnx",)"));
  EXPECT_THAT(page, HasSubstr("<title>Guilty nodes of m.onnx</title>"));
}

TEST_F(TwoModels, APageWithoutAGuiltyNodeHasNoneInItsTitle) {
  write("float.onnx", "m = MatMul(x, w) y = Relu(m)");
  write("m.onnx", "n = MatMul(x, w) y = Relu(n)");
  locate("m.onnx", 0, {"--report", "p.html"});
  EXPECT_THAT(folder_.read("p.html"),
              HasSubstr("<title>Search for guilty nodes of m.onnx</title>"));
  locate("m.onnx", 3, {"--report", "p.html", "--onnxrt-lib", "nosuch.so"});
  EXPECT_THAT(folder_.read("p.html"),
              HasSubstr("<title>Search for guilty nodes of m.onnx</title>"));
}

// As of prompts: the guilty node's result has another shape in each sample.
TEST_F(TwoModels, AProofOfSamplesOfSeveralSizes) {
  const auto write_open = [&](const std::string& name, const std::string& nodes) {
    folder_.write(name, graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
                            (R"(<ir_version: 10, opset_import: ["": 21]>
      g (float[n,4] x) => (float[n,4] y)
      <float[4,4] w = {1, 2, -3, 4, 2, -1, 1, 3, -2, 1, 2, 1, 1, 1, -1, 2}>
      { )" + nodes + " }")
                                .c_str())));
  };
  write_open("float.onnx", "m = MatMul(x, w) a = Softmax(m) y = MatMul(a, w)");
  write_open("m.onnx", "m = MatMul(x, w) a = LogSoftmax(m) y = MatMul(a, w)");
  for (const std::string size : {"3", "1", "5"}) {
    run({"run", "m.onnx", "--onnxrt", "--input-shapes", "x:[" + size + ",4]", "--save-inputs",
         size + ".json"},
        0);
  }
  EXPECT_THAT(locate("m.onnx", 1, {"--load-inputs", "3.json", "1.json", "5.json"}),
              AllOf(HasSubstr("  guilty: 'a' (LogSoftmax)"),
                    HasSubstr("Proof: with the reference's results of 1 node(s), all outputs "
                              "agree")));
}

// As transformers writes a Softmax.
TEST_F(TwoModels, AnInsertedNodeThatTwoNodesRead) {
  write("float.onnx", "p = Softmax(x) b = IsNaN(p) h = Where(b, x, p) y = MatMul(h, w)");
  write("m.onnx",
        "p = Softmax(x) t = Softsign(p) b = IsNaN(t) h = Where(b, x, t) y = MatMul(h, w)");
  const std::string text = locate("m.onnx", 1);
  EXPECT_THAT(text, HasSubstr("  guilty: 't' (Softsign), which the float model lacks, with 'h': "));
  EXPECT_THAT(text, Not(HasSubstr("  guilty: 'h' (Where)")));
  EXPECT_THAT(text, HasSubstr("--inputs p:auto:auto b:auto:auto x:auto:auto --outputs h:auto"));
  // The other reader shows that the inserted node is right.
  write("float.onnx", "p = Softmax(x) a = Add(p, x) h = Mul(p, x) y = Add(a, h)");
  write("m.onnx", "p = Softmax(x) t = Identity(p) a = Add(t, x) h = Div(t, x) y = Add(a, h)");
  EXPECT_THAT(locate("m.onnx", 1), HasSubstr("  guilty: 'h' (Div)"));
}

TEST_F(TwoModels, AnInsertedNodeBeforeOnesThatQuantize) {
  write("float.onnx", "a = Relu(x) y = MatMul(a, w)");
  const std::string quantized =
      " i = QuantizeLinear(t, sx, zero) d = DequantizeLinear(i, sx, zero) "
      "v = DequantizeLinear<axis = 1>(q, s) y = MatMul(d, v)";
  write("healthy.onnx", "a = Relu(x) t = Identity(a)" + quantized);
  EXPECT_THAT(locate("healthy.onnx", 0), Not(HasSubstr("  guilty: '")));
  write("m.onnx", "a = Relu(x) t = Softsign(a)" + quantized);
  EXPECT_THAT(locate("m.onnx", 1),
              HasSubstr("  guilty: 't' (Softsign), which the float model lacks, with 'y': "));
}

// The tensor before it has got another name, and that of the inserted node's result is the float
// model's.
TEST_F(TwoModels, AnInsertedNodeThatTookTheName) {
  write("float.onnx", "a = Relu(x) r = Reshape(a, same) y = MatMul(r, w)");
  for (const std::string inserted :
       {"b = Reshape(a, same) r = Gather<axis = 1>(b, turned) y = MatMul(r, w)",
        "r = Reshape(a, same) b = Gather<axis = 1>(r, turned) y = MatMul(b, w)"}) {
    write("m.onnx", "a = Relu(x) " + inserted);
    const std::string text = locate("m.onnx", 1);
    const std::string json = folder_.read("j.json");
    const std::string first = json.substr(json.find("\"nodes\""));
    EXPECT_LT(first.find("\"op\": \"Gather\""), 200U) << text;
  }
}

TEST_F(TwoModels, AnInsertedReshape) {
  write("float.onnx", "a = Relu(x) y = MatMul(a, w)");
  folder_.write("m.onnx", folder_.read("float.onnx"));
  write("m.onnx", "a = Relu(x) h = Transpose(a) b = Reshape(h, same) y = MatMul(b, w)");
  EXPECT_THAT(locate("m.onnx", 1),
              AllOf(HasSubstr("  guilty: 'h' (Transpose), which the float model lacks, with 'y': "),
                    HasSubstr("  guilty: 'b' (Reshape), which the float model lacks, with 'y': "),
                    HasSubstr("--inputs a:auto:auto --outputs y:auto")));
}

// y = x w of 32 rows and 8 columns, and the same behind DequantizeLinear with a scale for each
// column, of which one is wrong by a factor.
struct Weights {
  explicit Weights(double factor, int range = 15) {
    std::mt19937 random(0);
    for (int i = 0; i < 32 * 8; ++i) {
      const double number = (static_cast<double>(random() % 1000) / 1000 - 0.5) * range;
      numbers += fmt::format("{}{:.0f}", i == 0 ? "" : ", ", std::nearbyint(number));
      weight += fmt::format("{}{:.3f}", i == 0 ? "" : ", ", number / 8);
    }
    for (int i = 0; i < 8; ++i)
      scales += fmt::format("{}{}", i == 0 ? "" : ", ", i == 5 ? factor / 8 : 1.0 / 8);
  }
  std::string model(const char* nodes) const {
    return graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
        (R"(<ir_version: 10, opset_import: ["": 21]> g (float[2,32] x) => (float[2,8] y)
        <float[32,8] w = {)" +
         weight + "}, int8[32,8] q = {" + numbers + "}, float[8] s = {" + scales + "}> { " + nodes +
         " }")
            .c_str()));
  }

  std::string weight, numbers, scales;
};

TEST_F(TwoModels, AWrongScaleIsFoundWhateverTheOutputsAre) {
  const char* quantized = "v = DequantizeLinear<axis = 1>(q, s) y = MatMul(x, v)";
  folder_.write("float.onnx", Weights(1).model("y = MatMul(x, w)"));
  folder_.write("m.onnx", Weights(1).model(quantized));
  EXPECT_THAT(locate("m.onnx", 0), Not(HasSubstr("  guilty: '")));
  folder_.write("m.onnx", Weights(2).model(quantized));
  EXPECT_THAT(locate("m.onnx", 1, {"--noise-threshold", "100"}),
              AllOf(HasSubstr("1 of 2 nodes is guilty: the float model contradicts its quantised"),
                    HasSubstr("  guilty: 'y' (MatMul): the scale of channel 5 of 'q' is 0.25, but "
                              "0.12")));
  EXPECT_THAT(folder_.read("j.json"), HasSubstr("\"wrong_weight\": \"the scale of channel 5"));
  EXPECT_THAT(run({"debug", "sensitivity", "m.onnx", "--float-model", "float.onnx"}, 0),
              HasSubstr("The weight of 'y' is wrong: the scale of channel 5 of 'q' is 0.25"));
}

TEST_F(TwoModels, TheirOrderDoesNotDecideTheVerdict) {
  folder_.write("float.onnx", Weights(1).model("y = MatMul(x, w)"));
  folder_.write("m.onnx",
                Weights(1).model("v = DequantizeLinear<axis = 1>(q, s) y = MatMul(x, v)"));
  for (const auto& [one, other] :
       {std::pair("float.onnx", "m.onnx"), std::pair("m.onnx", "float.onnx")}) {
    const std::vector<std::string> args = {"run",      one,   "--onnxrt",
                                           "--onnxrt", other, "--noise-floor"};
    EXPECT_THAT(run(args, 1), HasSubstr("differs by more than 3× the float32 noise"));
    std::vector<std::string> quantized = args;
    quantized.emplace_back("--quantization-noise");
    EXPECT_THAT(run(quantized, 0),
                HasSubstr("agrees within 3× the float32 and quantisation noise"));
  }
}

// Their own noise is in the noise of the model, which has another name.
TEST_F(TwoModels, AFewResultsInACoarserFormat) {
  write("float.onnx",
        "a = Relu(x) b = Exp(a) m = MatMul(b, w) c = Tanh(m) d = Exp(c) e = Neg(d) "
        "y = Tanh(e)");
  write("m.onnx",
        "a = Relu(x) b = Exp(a) h = Cast<to = 10>(b) k = Cast<to = 10>(w) "
        "n = MatMul(h, k) m = Cast<to = 1>(n) c = Tanh(m) d = Exp(c) e = Neg(d) "
        "y = Tanh(e)");
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--target-precision", "float32"}}) {
    const std::string text = locate("m.onnx", 0, more);
    EXPECT_THAT(text, HasSubstr("3× the float32 noise (float16 in 3 of 10 results)"));
    EXPECT_THAT(text, HasSubstr("within the noise of float32 (float16 in 3 of 10 results)"));
    EXPECT_THAT(text, Not(HasSubstr("the noise of float16")));
  }
  EXPECT_THAT(
      run({"run", "m.onnx", "--onnxrt", "--onnxrt", "float.onnx", "--noise-floor", "float32"}, 0),
      HasSubstr("3× the float32 noise (float16 in 3 of 10 results)"));
}

// Outputs of few steps say nothing, whatever the input is; the nodes do.
TEST_F(TwoModels, RightNodesPassWhereOutputsAreTooCoarse) {
  const Weights coarse(1, 3);
  folder_.write("float.onnx", coarse.model("y = MatMul(x, w)"));
  folder_.write("m.onnx", coarse.model("v = DequantizeLinear<axis = 1>(q, s) y = MatMul(x, v)"));
  EXPECT_THAT(
      locate("m.onnx", 0),
      AllOf(HasSubstr("The precision is too low: the noise of float32 and of quantisation"),
            HasSubstr("each node was judged alone, and is right"), HasSubstr("No node is guilty")));
  EXPECT_THAT(folder_.read("j.json"), HasSubstr("\"agreement\": \"precision too low\""));
}

TEST_F(TwoModels, NamesThatContradictTheStructure) {
  write("a.onnx",
        "t0 = Relu(x) t1 = Relu(t0) t2 = Exp(t1) t3 = Relu(t2) t4 = Neg(t3) "
        "t5 = Relu(t4) y = Tanh(t5)");
  write("b.onnx",
        "t0 = Abs(x) t1 = Relu(t0) t2 = Relu(t1) t3 = Exp(t2) t4 = Relu(t3) "
        "t5 = Neg(t4) t6 = Relu(t5) y = Tanh(t6)");
  EXPECT_THAT(run({"surgeon", "diff", "a.onnx", "b.onnx"}, 1),
              AllOf(HasSubstr("Nodes are aligned by structure alone"),
                    HasSubstr("nodes: 1 added, 1 changed")));
  write("c.onnx",
        "t5 = Relu(x) t4 = Relu(t5) t3 = Exp(t4) t2 = Relu(t3) t1 = Neg(t2) "
        "t0 = Relu(t1) y = Tanh(t0)");
  EXPECT_THAT(run({"surgeon", "diff", "a.onnx", "c.onnx"}, 1), HasSubstr("Only names differ"));
}

TEST_F(TwoModels, ExchangedModelsAreRefused) {
  write("float.onnx", "v = DequantizeLinear<axis = 1>(q, s) y = MatMul(x, v)");
  write("m.onnx", "y = MatMul(x, w)");
  EXPECT_THAT(locate("m.onnx", 3),
              AllOf(HasSubstr("float.onnx' has quantised weights, and the model '"),
                    HasSubstr("Swap the models")));
}

}  // namespace
}  // namespace polygraphy::cli
