#include "polygraphy/models/sharding/shard_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/text.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;
using testing::Not;

ShardHints example() {
  ShardHints hints;
  hints.attention_layers = {
      {.q = "q\xc3\xa9"},
      {.q = "r",
       .gather_kv = false,
       .replace = FusedAttention{.is_causal = true, .q_shuffle = {{0, 2, 1}}, .nb_rank = 4}}};
  hints.dist_collectives = {
      .group_size = 2, .nb_rank = 4, .reduce_op = ReduceOp::kAvg, .groups = {0, 1}};
  hints.inputs = {{.name = "x", .seq_len_idx = 1, .rank = 3}};
  hints.outputs = {{.name = "y"}};
  hints.k_seq_len_idx = 2;
  hints.kv_rank = 3;
  return hints;
}

std::string failure(std::string_view text) {
  try {
    parse_shard_hints(text, "h.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

TEST(ShardHints, WhatIsWrittenIsRead) {
  ShardHints hints = example();
  EXPECT_EQ(parse_shard_hints(to_json(hints), "h.json"), hints);
  hints.parallelism = Parallelism::kTensor;
  hints.kv_rank = std::nullopt;
  hints.pattern = AttentionPattern::kAny;
  EXPECT_THAT(to_json(hints), HasSubstr("\"attention_pattern\": 2,"));
  EXPECT_THAT(to_json(example()), Not(HasSubstr("attention_pattern")));
  EXPECT_EQ(parse_shard_hints(to_json(hints), "h.json"), hints);
}

TEST(ShardHints, TheTextIsThatOfTheOriginal) {
  const std::string text = to_json(example());
  EXPECT_THAT(text, HasSubstr("            \"q\": \"q\\u00e9\",\n            \"gather_kv\": true,\n"
                              "            \"gather_q\": false,\n            \"replace\": null,\n"
                              "            \"polygraphy_class\": \"AttentionLayerHint\"\n"));
  EXPECT_THAT(text, HasSubstr("\"k_shuffle\": null,"));
  EXPECT_TRUE(text.ends_with("\"kv_rank\": 3,\n    \"polygraphy_class\": \"ShardHints\"\n}"));
}

// Its collectives stand beside the layers, and say no number of devices.
TEST(ShardHints, ThoseOf049AreRead) {
  const ShardHints hints = parse_shard_hints(
      R"({"parallelism": "CP", "group_size": 2, "root": 1, "groups": [0, 1],
          "attention_layers": [{"q": "q", "gather_kv": true, "gather_q": false}],
          "inputs": [{"name": "x", "seq_len_idx": 1}], "outputs": [], "k_seq_len_idx": 0,
          "v_seq_len_idx": 0, "kv_rank": null, "reduce_scatter_reduce_op": "sum",
          "polygraphy_class": "ShardHints"})",
      "h.json");
  EXPECT_EQ(hints.dist_collectives, (DistCollective{.group_size = 2,
                                                    .root = 1,
                                                    .nb_rank = 1,
                                                    .reduce_op = ReduceOp::kSum,
                                                    .groups = {0, 1}}));
  EXPECT_EQ(hints.attention_layers.at(0).q, "q");
  EXPECT_EQ(hints.inputs.at(0), (ShardTensor{.name = "x", .seq_len_idx = 1}));
}

TEST(ShardHints, ErrorsSayWhere) {
  const std::string text = to_json(example());
  const auto with = [&](std::string_view what, std::string_view by) {
    return failure(replace_all(text, what, by));
  };
  EXPECT_THAT(with("\"rank\": 3", "\"rank\": \"3\""), HasSubstr("Place: inputs[0].rank."));
  EXPECT_THAT(with("\"is_causal\": true", "\"is_causal\": 1"),
              HasSubstr("Place: attention_layers[1].replace.is_causal."));
  EXPECT_THAT(with("\"seq_len_idx\": 0", "\"seq_len\": 0"),
              HasSubstr("'seq_len_idx' is missing. Place: outputs[0]."));
  EXPECT_THAT(with("\"reduce_op\": \"avg\"", "\"reduce_op\": \"mean\""),
              HasSubstr("unknown word 'mean': the words are sum, prod, min, max, avg."));
  EXPECT_THAT(with("\"nb_rank\": 4", "\"nb_rank\": 0"), HasSubstr("invalid number of devices: 0"));
  EXPECT_THAT(with("\"CP\"", "\"PP\""), HasSubstr("unknown word 'PP': the words are CP, TP."));
  EXPECT_THAT(with("\"dist_collectives\"", "\"collectives\""), HasSubstr("'dist_collectives'"));
  EXPECT_THAT(with("ShardTensor", "DistCollective"), HasSubstr("not a ShardTensor"));
  EXPECT_THAT(with("ShardHints", "RunResults"), HasSubstr("cannot be decoded into a ShardHints"));
  EXPECT_THAT(failure("[]"), HasSubstr("cannot be decoded into a ShardHints"));
  EXPECT_THAT(failure(text + "x"), HasSubstr("h.json"));
  EXPECT_THAT(failure(text.substr(0, text.size() / 2)), HasSubstr("h.json"));
}

}  // namespace
}  // namespace polygraphy
