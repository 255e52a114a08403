#include "polygraphy/models/noise/cache_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/tensor.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/models/noise/noisy_model.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;

// The operators behind which 'y' reads the numbers that the cache has, in an evaluation with noise;
// up to the tensor 'all'.
std::vector<std::string> read_through(const std::string& type, const std::string& write,
                                      const std::string& read,
                                      std::vector<std::string> caches = {"present"}) {
  const std::string text =
      "<ir_version: 8, opset_import: [\"\": 17]> g (" + type +
      "[B, 2, P, 4] past, float[B, 2, 1, 4] k) => (" + type +
      "[B, 2, T, 4] present, float[B, 2, T, 4] y) <float step = {0.5}, int8 "
      "zero = {0}> { wide = " +
      read + "all = Concat <axis = 2> (wide, k) same = Identity (all) present = " + write +
      "y = Relu (all) }";
  const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(text.c_str());
  const graphsurgeon::Model noisy =
      noisy_model(model, {.format = NumberFormat::kFloat32, .caches = std::move(caches)});
  std::vector<std::string> ops;
  for (const graphsurgeon::NodeRef& node : noisy.graph->nodes()) {
    if (node->op() != "Relu") continue;
    for (const graphsurgeon::Tensor* from = node->inputs()[0]; from->name() != "all";
         from = from->producer()->inputs()[0])
      ops.emplace_back(from->producer()->op());
  }
  return ops;
}

TEST(CacheFormats, OtherReadersSeeWhatTheNextStepReads) {
  const std::string write = "Cast <to = 10> (same) ", read = "Cast <to = 1> (past) ";
  EXPECT_THAT(read_through("float16", write, read), ElementsAre("Cast", "Cast"));
  EXPECT_THAT(read_through("float16", write, read, {}), ElementsAre())
      << "one inference reads no cache";
  EXPECT_THAT(read_through("float", "Identity (same) ", "Identity (past) "), ElementsAre())
      << "the cache has all digits";
  EXPECT_THAT(read_through("int8", "QuantizeLinear (same, step, zero) ",
                           "DequantizeLinear (past, step, zero) "),
              ElementsAre("DequantizeLinear", "QuantizeLinear"));
}

}  // namespace
}  // namespace polygraphy
