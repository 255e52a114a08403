#include "polygraphy/models/sharding/shard_sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/models/sharding/suggest_shard_hints.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Keys are shared by two layers, and the result of the first one is an output and the second's
// queries.
constexpr const char* kTwoLayers = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[2,S,8] x, float[2,8,S] k, float[2,S,8] v) => (float[2,S,8] o, float[2,S,8] y) {
  [n1] q = Relu (x)
  [qk] s = MatMul (q, k)  [sm] p = Softmax (s)  [pv] o = MatMul (p, v)
  [qk2] s2 = MatMul (o, k)  [sm2] p2 = Softmax (s2)  [pv2] y = MatMul (p2, v)
})";
constexpr const char* kMasked = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[2,4,8] q, float[2,8,4] k, float[2,4,8] v) => (float[2,4,8] y)
<float[4,4] mask = {0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}, float root = {2}> {
  [qk] s = MatMul (q, k)  [div] d = Div (s, root)  [add] m = Add (mask, d)
  [sm] p = Softmax (m)  [pv] y = MatMul (p, v)
})";

HintOptions options_of(int64_t input, int64_t k, int64_t v) {
  HintOptions options;
  options.input_index = options.output_index = input;
  options.k_index = k;
  options.v_index = v;
  return options;
}

ShardHints hints_of(const Model& model, const HintOptions& options) {
  Logger silent;
  return suggest_shard_hints(model, options, silent);
}

std::vector<std::string> nodes_of(const Model& model, std::string_view op) {
  std::vector<std::string> found;
  for (const auto& node : model.graph->nodes()) {
    if (node->op() == op) found.emplace_back(node->inputs()[0]->name());
  }
  return found;
}

std::string failure(const Model& original, const ShardHints& hints,
                    const ShardOptions& options = {}) {
  Logger silent;
  Model model = graphsurgeon::copy(original);
  try {
    shard_sequence(model, hints, options, silent);
  } catch (const Error& error) {
    return error.what();
  }
  return "sharded";
}

TEST(SuggestShardHints, LayersInputsAndOutputsInTheOrderOfTheGraph) {
  const ShardHints hints = hints_of(parse_onnx_text(kTwoLayers), options_of(1, 2, 1));
  ASSERT_EQ(hints.attention_layers.size(), 2u);
  EXPECT_EQ(hints.attention_layers[1].q, "o");
  EXPECT_EQ(hints.kv_rank, 3);
  std::vector<std::string> names;
  for (const ShardTensor& input : hints.inputs) names.push_back(input.name);
  for (const ShardTensor& output : hints.outputs) names.push_back(output.name);
  EXPECT_THAT(names, ElementsAre("v", "k", "x", "o", "y"));
}

TEST(SuggestShardHints, WaysLeadThroughSubgraphs) {
  const Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
g (bool c, float[2,4,8] x, float[2,8,4] k, float[2,4,8] v) => (float[2,4,8] y) {
  [q] q = If (c) <then_branch = t () => (float[2,4,8] a) { a = Relu (x) },
                  else_branch = e () => (float[2,4,8] b) { b = Neg (x) }>
  [qk] s = MatMul (q, k)  [sm] p = Softmax (s)  [pv] o = MatMul (p, v)
  [r] y = If (c) <then_branch = t2 () => (float[2,4,8] a2) { a2 = Relu (o) },
                  else_branch = e2 () => (float[2,4,8] b2) { b2 = Neg (o) }>
})");
  const ShardHints hints = hints_of(model, {});
  EXPECT_EQ(hints.inputs.size(), 4u);
  ASSERT_EQ(hints.outputs.size(), 1u);
  EXPECT_EQ(hints.outputs[0].name, "y");
}

TEST(SuggestShardHints, MasksAndScales) {
  const Model model = parse_onnx_text(kMasked);
  EXPECT_TRUE(hints_of(model, {}).attention_layers.empty());
  HintOptions options;
  options.pattern = AttentionPattern::kAny;
  const ShardHints hints = hints_of(model, options);
  ASSERT_EQ(hints.attention_layers.size(), 1u);
  EXPECT_EQ(hints.attention_layers[0].q, "q");
}

TEST(ShardSequence, ATensorIsGatheredOnceAndForItsLayersOnly) {
  Model model = parse_onnx_text(kTwoLayers);
  Logger silent;
  const HintOptions options = options_of(1, 2, 1);
  shard_sequence(model, hints_of(model, options), {.keep_output_names = true}, silent);
  EXPECT_TRUE(graphsurgeon::is_sorted(*model.graph));
  // Three inputs, keys and values, two outputs.
  EXPECT_EQ(nodes_of(model, "DistCollective").size(), 7u);
  EXPECT_EQ(nodes_of(model, "MatMul").size(), 4u);
  EXPECT_EQ(model.graph->outputs()[0]->name(), "o");
  // The second layer continues with its own part.
  const auto& second = *model.graph->outputs()[1]->producer();
  EXPECT_EQ(second.op(), "Transpose");
  for (const auto& node : model.graph->nodes()) {
    if (node->name() != "qk2") continue;
    EXPECT_EQ(node->inputs()[0]->producer()->name(), "pv");
  }
}

TEST(ShardSequence, WithoutHintsNothingChanges) {
  Model model = parse_onnx_text(kTwoLayers);
  const uint64_t edits = model.graph->store().edits();
  Logger silent;
  shard_sequence(model, {}, {}, silent);
  EXPECT_EQ(model.graph->store().edits(), edits);
}

TEST(ShardSequence, FusedLayersLeaveNothingBehind) {
  Model model = parse_onnx_text(kTwoLayers);
  HintOptions options = options_of(1, 2, 1);
  options.form = ContextParallelism::kFused;
  options.fused.k_shuffle = {{0, 2, 1}};
  Logger silent;
  shard_sequence(model, hints_of(model, options), {}, silent);
  EXPECT_TRUE(graphsurgeon::is_sorted(*model.graph));
  EXPECT_TRUE(nodes_of(model, "MatMul").empty());
  EXPECT_TRUE(nodes_of(model, "Softmax").empty());
  EXPECT_EQ(nodes_of(model, "Attention").size(), 2u);
}

// A tensor that is gathered is not gathered again, whatever its name is by then.
TEST(ShardSequence, HintsThatAreThereTwice) {
  const Model original = parse_onnx_text(kTwoLayers);
  ShardHints hints = hints_of(original, options_of(1, 2, 1));
  Model once = graphsurgeon::copy(original);
  Logger silent;
  shard_sequence(once, hints, {.keep_output_names = true}, silent);
  hints.inputs.push_back(hints.inputs[0]);
  hints.outputs.push_back(hints.outputs[0]);
  hints.attention_layers.push_back(hints.attention_layers[0]);
  Model twice = graphsurgeon::copy(original);
  shard_sequence(twice, hints, {.keep_output_names = true}, silent);
  EXPECT_EQ(once.graph->nodes().size(), twice.graph->nodes().size());
}

// Keys that are hinted as an output, and their readers that are not attention layers.
TEST(ShardSequence, TensorsInsideTheGraph) {
  Model model = parse_onnx_text(kTwoLayers);
  ShardHints hints = hints_of(model, options_of(1, 2, 1));
  hints.outputs.push_back({.name = "q", .seq_len_idx = 1, .rank = 3});
  hints.inputs.push_back({.name = "p2", .seq_len_idx = 1, .rank = 3});
  Logger silent;
  shard_sequence(model, hints, {}, silent);
  EXPECT_TRUE(graphsurgeon::is_sorted(*model.graph));
}

TEST(ShardSequence, HintsThatDoNotFit) {
  const Model model = parse_onnx_text(kTwoLayers);
  const ShardHints good = hints_of(model, options_of(1, 2, 1));
  EXPECT_EQ(failure(model, good), "sharded");
  const auto with = [&](auto&& change) {
    ShardHints hints = good;
    change(hints);
    return failure(model, hints);
  };
  EXPECT_THAT(with([](ShardHints& h) { h.inputs[1].name = "kk"; }),
              HasSubstr("Input 1 of the hints"));
  EXPECT_THAT(with([](ShardHints& h) { h.inputs[1].seq_len_idx = 3; }),
              HasSubstr("'seq_len_idx' is 3, and the tensor has rank 3"));
  EXPECT_THAT(with([](ShardHints& h) { h.inputs[1].seq_len_idx = -1; }), HasSubstr("is -1"));
  EXPECT_THAT(with([](ShardHints& h) { h.inputs[1].rank = 4; }),
              HasSubstr("'rank' is 4, but the tensor 'k' has rank 3"));
  EXPECT_THAT(with([](ShardHints& h) {
                h.inputs[1].seq_len_idx = 1;
                h.dist_collectives.nb_rank = 3;
              }),
              HasSubstr("has length 8 in axis 1, which cannot be split evenly among 3"));
  EXPECT_THAT(
      with([](ShardHints& h) { h.attention_layers[0].q = "s2"; }),
      HasSubstr(
          "no attention layer has its queries in 's2': the queries of the layers are in 'q', 'o'"));
  EXPECT_THAT(with([](ShardHints& h) { h.k_seq_len_idx = 5; }), HasSubstr("'k_seq_len_idx' is 5"));
  EXPECT_THAT(with([](ShardHints& h) { h.outputs[0].name = "x1"; }),
              HasSubstr("Output 0 of the hints"));
  EXPECT_THAT(with([](ShardHints& h) {
                h.attention_layers[0].replace = FusedAttention{.q_shuffle = {{0, 0, 1}}};
              }),
              HasSubstr("'q_shuffle' is not a permutation"));
}

TEST(ShardSequence, HintsOfWhichNothingIsSplitAreWarnedOf) {
  std::string said;
  Logger log([&](Severity severity, std::string_view text) {
    if (severity == Severity::kWarning) said += text;
  });
  Model model = parse_onnx_text(kMasked);
  shard_sequence(model, hints_of(model, options_of(1, 2, 1)), {}, log);
  EXPECT_THAT(said,
              AllOf(HasSubstr("the model is not split"), HasSubstr("It has 1 attention layer"),
                    HasSubstr("--attention-pattern 2 matches it.")));
  said.clear();
  Model layers = parse_onnx_text(kTwoLayers);
  shard_sequence(layers, hints_of(layers, options_of(1, 2, 1)), {}, log);
  EXPECT_EQ(said, "");
}

TEST(ShardSequence, MasksOfTheWholeSequence) {
  const Model model = parse_onnx_text(kMasked);
  HintOptions options = options_of(1, 2, 1);
  options.pattern = AttentionPattern::kAny;
  ShardHints hints = hints_of(model, options);
  EXPECT_THAT(failure(model, hints, {.pattern = AttentionPattern::kAny}),
              HasSubstr("the constant 'mask' of node 'add' (Add) has 4 rows"));
  hints.attention_layers[0].replace = FusedAttention{};
  EXPECT_THAT(failure(model, hints, {.pattern = AttentionPattern::kAny}),
              HasSubstr("node 'div' (Div) is between the MatMuls"));
}

}  // namespace
}  // namespace polygraphy
