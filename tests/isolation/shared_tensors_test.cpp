// Outputs that isolated runners lend us, where they lie: those that the same runners return here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy::cli {
namespace {

class SharedTensorsTest : public testing::Test {
 protected:
  SharedTensorsTest() : model_(folder_.path() + "/m.onnx") {
    // Tensors of a MiB, of a few bytes, of none, of texts, and a weight that is an output; some
    // live from one operator to the next only.
    graphsurgeon::Model model =
        graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[512, 512] x) => (float[512, 512] y, float[512, 512] z, float sum, float[0, 2] none,
                                string[2] texts, float[2] w)
        <float[2] w = {1, 2}, string[2] t = {"a", "b"}, int64[2] b = {0, 0}, int64[2] e = {0, 2},
         float half = {0.5}> {
          a = Relu(x)
          c = Mul(a, half)
          y = MatMul(c, x)
          s = Sigmoid(y)
          z = Sub(s, a)
          sum = ReduceSum<keepdims = 0>(z)
          none = Slice(x, b, e)
          texts = Identity(t)
        })");
    graphsurgeon::save_model(model, model_);
  }

  RunResults results(const std::vector<std::string>& options) {
    std::vector<std::string> args = {"run",
                                     model_,
                                     "--iterations",
                                     "6",
                                     "--onnxrt",
                                     "--save-outputs",
                                     folder_.path() + "/o.json"};
    args.insert(args.end(), options.begin(), options.end());
    const Outcome outcome = run_in_process(args);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    Logger quiet;
    return load_results(folder_.path() + "/o.json", quiet);
  }

  const TemporaryFolder folder_;
  const std::string model_;
};

TEST_F(SharedTensorsTest, AreThoseThatOurProcessComputes) {
  for (const char* second : {"--onnxrt", "--onnx-outputs=*"}) {
    const RunResults here = results({second}), apart = results({second, "--isolate"});
    ASSERT_EQ(apart.runners.size(), here.runners.size());
    for (size_t runner = 0; runner < here.runners.size(); ++runner) {
      const auto& theirs = apart.runners[runner].second;
      const auto& ours = here.runners[runner].second;
      ASSERT_EQ(ours.size(), 6u);
      ASSERT_EQ(theirs.size(), 6u);
      for (size_t i = 0; i < ours.size(); ++i) {
        ASSERT_EQ(theirs[i].outputs.size(), ours[i].outputs.size());
        for (const auto& [name, value] : ours[i].outputs)
          EXPECT_TRUE(bitwise_equal(*theirs[i].outputs.find(name), value)) << name << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace polygraphy::cli
