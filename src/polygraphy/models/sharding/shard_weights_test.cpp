#include "polygraphy/models/sharding/shard_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> nodes_of(const Model& model, std::string_view op) {
  std::vector<std::string> found;
  for (const auto& node : model.graph->nodes()) {
    if (node->op() == op) found.emplace_back(node->inputs()[0]->name());
  }
  return found;
}

constexpr const char* kDecoder = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[1,3,2] x, float[1,2,2,5,1] past) => (float[1,3,2] y, float[1,2,2,8,1] present)
<float[2,4] wq = {0,1,2,3,4,5,6,7}, float[2,2] wk = {0,1,2,3}, float[4] b = {1,2,3,4},
 float[4,2] wo = {0,1,2,3,4,5,6,7}, int64[4] heads = {0,0,4,1}> {
  [mq] q0 = MatMul (x, wq)  [mb] q1 = Add (b, q0)  [rq] q = Reshape (q1, heads)
  [mk] k = MatMul (x, wk)  [mv] v = MatMul (x, wk)
  [a] o, present = AttentionPlugin <num_q_heads = 4, num_kv_heads = 2> (q, k, v, past)
  [mo] y = MatMul (o, wo)
})";

std::vector<float> values_of(const Model& model, std::string_view name) {
  for (const auto& weight : model.graph->initializers()) {
    if (weight->name() != name) continue;
    const Array values = weight->values();
    return {values.as<float>().begin(), values.as<float>().end()};
  }
  return {};
}

TEST(ShardWeights, EachDeviceGetsItsPart) {
  const Model model = parse_onnx_text(kDecoder);
  ShardHints hints;
  hints.dist_collectives.nb_rank = 2;
  Logger silent;
  const Model first = shard_weights(model, hints, {}, 0, silent);
  const Model second = shard_weights(model, hints, {}, 1, silent);
  EXPECT_THAT(values_of(first, "wq"), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(values_of(second, "wq"), ElementsAre(2, 3, 6, 7));
  EXPECT_THAT(values_of(second, "wk"), ElementsAre(1, 3));
  EXPECT_THAT(values_of(second, "b"), ElementsAre(3, 4));
  EXPECT_THAT(values_of(second, "wo"), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(values_of(model, "wo"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(second.graph->initializers().size(), 5u);
  EXPECT_EQ(second.graph->initializers()[4]->values().get_int64(2), 2);
  const auto past = second.graph->inputs()[1]->shape();
  EXPECT_EQ(past->at(2), graphsurgeon::Dim(1));
  EXPECT_THAT(nodes_of(second, "DistCollective"), ElementsAre("y"));
}

TEST(ShardWeights, WhatCannotBeSplit) {
  const auto failure = [](std::string text, std::string_view what, std::string_view by,
                          int64_t devices) -> std::string {
    text.replace(text.find(what), what.size(), by);
    const Model model = parse_onnx_text(text);
    ShardHints hints;
    hints.dist_collectives.nb_rank = devices;
    Logger silent;
    try {
      shard_weights(model, hints, {}, 0, silent);
    } catch (const Error& error) {
      return error.what();
    }
    return "split";
  };
  EXPECT_THAT(failure(kDecoder, "x", "x", 3), HasSubstr("wq cannot be TP sharded on 3 ranks"));
  EXPECT_THAT(failure(kDecoder, "num_kv_heads = 2", "num_kv_heads = 3", 2),
              HasSubstr("not evenly divisible by 2"));
  EXPECT_THAT(failure(kDecoder, "num_kv_heads", "kv", 2), HasSubstr("no attribute num_kv_heads"));
  EXPECT_THAT(failure(kDecoder, "num_kv_heads = 2", "num_kv_heads = 4", 2),
              HasSubstr("The cache 'past' of node 'a' (AttentionPlugin) has 2 in axis 2"));
  EXPECT_THAT(failure(kDecoder, "MatMul (x, wk)", "Gemm (x, wk)", 2), HasSubstr("The keys 'k'"));
  EXPECT_THAT(failure(kDecoder, "{0,0,4,1}", "{0,0,1,4}", 2), HasSubstr("1 is not divisible"));
}

}  // namespace
}  // namespace polygraphy
