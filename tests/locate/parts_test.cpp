// A network in parts has the verdicts of the whole one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/os/scratch_folder.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "hard_networks.h"
#include "locate_bench.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/parts/locate_parts.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"

namespace polygraphy {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr int64_t kSmallest = 1;  // each node, or chain of nodes, is a part
constexpr int64_t kSmall = 4096;
constexpr int64_t kChain = 8192;     // of an MLP: a Gemm, and the node behind it
constexpr int64_t kLarge = 1 << 20;  // all nodes

LocateResult in_parts(const FaultyJob& job, int64_t bytes, Logger& log) {
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-parts-");
  LocateParts parts({.job = job, .part_bytes = bytes}, *job.factory, log);
  LocateRecord record = parts.in_place(folder.path());
  // As tasks do it.
  record = parse_locate_record(to_json(record), "record");
  for (int64_t i = 0; i < record.parts; ++i) {
    LocateParts worker({.job = job, .part_bytes = bytes}, *job.factory, log);
    const LocateRecord alone = worker.alone(record, folder.path(), i, 1);
    add_alone(record, parse_locate_record(to_json(alone), "record"));
  }
  return parts.result(record);
}

// Where nodes of float16 are together, ONNX Runtime does not round between them.
std::map<std::string, std::string> verdicts(const LocateResult& result) {
  std::map<std::string, std::string> verdicts;
  for (const NodeFinding& finding : result.in_order) {
    const bool exact = finding.verdict == NodeVerdict::kExact;
    verdicts[finding.node] = name_of(exact ? NodeVerdict::kNoise : finding.verdict);
  }
  return verdicts;
}

class NetworksInParts : public testing::TestWithParam<SmallNetwork> {};

TEST_P(NetworksInParts, HaveTheVerdictsOfTheWhole) {
  const SmallNetwork& network = GetParam();
  const graphsurgeon::Model model = network.make();
  const std::vector<ArrayMap> samples = {network.feed(0), network.feed(1)};
  Logger log;
  FaultyJob job = faulty_job(model, samples, {}, NumberFormat::kBfloat16);
  job.isolate_neighbours = false;  // parts of one node have none
  try {
    const LocateResult parts = in_parts(job, kSmallest, log);
    const LocateResult whole = locate(job, log);
    EXPECT_EQ(verdicts(parts), verdicts(whole));
    EXPECT_EQ(parts.guilty(), nullptr);
    EXPECT_EQ(name_of(parts.verdict.agreement), name_of(whole.verdict.agreement));
    EXPECT_EQ(parts.verdict.measure, whole.verdict.measure);
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot be cut into parts at"));
  }
}

TEST_P(NetworksInParts, FindTheFault) {
  const SmallNetwork& network = GetParam();
  const graphsurgeon::Model model = network.make();
  const std::vector<ArrayMap> samples = {network.feed(0)};
  std::string node;
  for (const auto& one : model.graph->nodes()) {
    if (one->op() == "MatMul" || one->op() == "Conv" || one->op() == "Gemm") node = one->name();
  }
  if (node.empty()) GTEST_SKIP() << "no node that multiplies";
  Logger log;
  const FaultyJob job = faulty_job(
      model, samples, {{.node = node, .kind = Fault::Kind::kScale, .limit = 0.5}}, std::nullopt);
  const LocateResult whole = locate(job, log);
  try {
    const LocateResult parts = in_parts(job, kSmall, log);
    EXPECT_EQ(verdicts(parts)[node], verdicts(whole)[node]);
    EXPECT_EQ(parts.clean(), whole.clean());
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot be cut into parts at"));
  }
}

// Kernels of two nodes that are wrong, and used only while the tensor between is not an output.
Fault fused(const std::string& first, const std::string& second) {
  return {.node = second,
          .kind = Fault::Kind::kTile,
          .fused = {first, second},
          .split_by_outputs = true};
}

class FusionsInParts : public testing::Test {
 protected:
  LocateResult run(const Fault& fault, int64_t bytes,
                   const std::function<void(FaultyJob&)>& change = {}) {
    FaultyJob job = faulty_job(model_, samples_, {fault}, std::nullopt);
    if (change) change(job);
    return in_parts(job, bytes, log_);
  }

  Logger log_;
  const SmallNetwork network_ = network_named("mlp_tanh");
  const graphsurgeon::Model model_ = network_.make();
  const std::vector<ArrayMap> samples_ = {network_.feed(0), network_.feed(1)};
};

TEST_F(FusionsInParts, AreFoundWithinAPart) {
  for (const int64_t bytes : {kChain, kLarge}) {
    const LocateResult result = run(fused("Gemm_4", "Tanh_5"), bytes);
    EXPECT_EQ(result.verdict.agreement, Agreement::kDiffers);
    EXPECT_FALSE(result.clean());
    ASSERT_TRUE(result.fusion);
    EXPECT_EQ(result.fusion->tensors, node_named(result, "Gemm_4").makes) << result.fusion->note;
    EXPECT_EQ(node_named(result, "Gemm_4").verdict, NodeVerdict::kGuiltyFused);
    EXPECT_EQ(node_named(result, "Tanh_5").verdict, NodeVerdict::kGuiltyFused);
    EXPECT_EQ(node_named(result, "Gemm_6").verdict, NodeVerdict::kExact);
    EXPECT_THAT(locate_summary(result), HasSubstr("2 of 18 nodes are guilty where target fuses"));
  }
}

TEST_F(FusionsInParts, AcrossPartsAreNotSeenAndTheHeadlineSaysSo) {
  const Fault across = fused("Tanh_5", "Gemm_6");
  const LocateResult small = run(across, kChain);
  EXPECT_TRUE(small.clean());
  EXPECT_THAT(headline(small.verdict),
              HasSubstr("the model ran in 9 parts, so engines fused no nodes of two parts"));
  const LocateResult large = run(across, kLarge);
  EXPECT_FALSE(large.clean());
  ASSERT_TRUE(large.fusion);
  EXPECT_EQ(large.fusion->tensors, node_named(large, "Tanh_5").makes);
}

TEST_F(FusionsInParts, DecideTheVerdictOfTolerancesToo) {
  const auto tolerate = [](FaultyJob& job) {
    job.check.emplace();
    job.check->metrics = {find_metric("simple")};
  };
  const LocateResult result = run(fused("Gemm_4", "Tanh_5"), kChain, tolerate);
  EXPECT_EQ(result.verdict.agreement, Agreement::kDiffers);
  EXPECT_EQ(result.verdict.measure, "simple");
}

TEST_F(FusionsInParts, DecideTheVerdictOfTokensToo) {
  const auto by_tokens = [](FaultyJob& job) { job.metric = find_metric("tokens"); };
  const LocateResult wrong = run(fused("Gemm_4", "Tanh_5"), kChain, by_tokens);
  EXPECT_EQ(wrong.verdict.agreement, Agreement::kDiffers);
  EXPECT_EQ(wrong.verdict.measure, "tokens within 3× the float32 noise");
  ASSERT_TRUE(wrong.verdict.tokens);
  EXPECT_EQ(wrong.verdict.tokens->tokens, 8);
  EXPECT_TRUE(wrong.verdict.tokens->noise_known);
  EXPECT_TRUE(wrong.fusion);
  const LocateResult right = run({.node = "no node"}, kChain, by_tokens);
  EXPECT_EQ(right.verdict.agreement, Agreement::kAgrees);
  EXPECT_EQ(right.verdict.tokens->tokens, 8);
}

TEST_F(FusionsInParts, NameThePartIfThereIsNoneNow) {
  const LocateResult result = run({.node = "no node"}, kChain, [](FaultyJob& job) {
    job.factory->wrong_every = 1000;  // the first run only
  });
  EXPECT_FALSE(result.clean());
  ASSERT_TRUE(result.fusion);
  EXPECT_THAT(result.fusion->tensors, IsEmpty());
  EXPECT_THAT(locate_summary(result),
              HasSubstr("No node is guilty: all tensors agree if they are outputs, and without "
                        "that, '" +
                        node_named(result, "Tanh_1").makes.front() +
                        "' differs first, in the nodes 'Gemm_0' to 'Tanh_1': the difference "
                        "vanishes when they run again"));
}

TEST_F(FusionsInParts, AreFoundAgainstSavedResults) {
  const auto save = [&](FaultyJob& job) { job.reference = golden_side(model_, samples_); };
  const LocateResult result = run(fused("Gemm_4", "Tanh_5"), kChain, save);
  EXPECT_FALSE(result.clean());
  ASSERT_TRUE(result.fusion);
  EXPECT_EQ(result.fusion->tensors, node_named(result, "Gemm_4").makes) << result.fusion->note;
}

// Norms do not show the scores of a detector beside its boxes.
TEST(LocateParts, JudgeSmallNumbersBesideLargeOnes) {
  const graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 16] x) => (float[4, 16] y) <float large = {640}> {
      boxes = Mul (x, large) scores = Sigmoid (x) y = Concat <axis = 0> (boxes, scores)
    })");
  std::vector<float> numbers;
  for (int i = 0; i < 32; ++i) numbers.push_back(0.1F * static_cast<float>(i + 5));
  const std::vector<ArrayMap> samples = {{{"x", Array::of<float>({2, 16}, numbers)}}};
  Logger log;
  for (const bool wrong : {false, true}) {
    FaultyJob job = faulty_job(model, samples, {}, NumberFormat::kBfloat16);
    SavedSide golden = golden_side(model, samples);
    ArrayMap tensors = *saved_tensors(golden, 0);
    std::vector<float> y(64);
    std::ranges::copy(tensors.find("y")->as<float>(), y.begin());
    for (size_t score = 32; score < 48 && wrong; ++score) y[score] = 1 - y[score];
    tensors.set("y", Array::of<float>({4, 16}, y));
    job.target = saved_side("wrong", {std::move(tensors)});
    const Verdict whole = locate(job, log).verdict, parts = in_parts(job, kSmallest, log).verdict;
    EXPECT_EQ(whole.agreement, wrong ? Agreement::kDiffers : Agreement::kAgrees);
    EXPECT_EQ(parts.agreement, whole.agreement);
    EXPECT_EQ(parts.excess, whole.excess);
  }
}

// The first sample has the larger error relative to the noise; the second one would pass as zeros.
TEST(LocateParts, SayThatThePrecisionIsTooLowForASample) {
  const graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 16] x) => (float[2, 16] y) <float large = {640}> {
      sum = Add (x, large) y = Sub (sum, large)
    })");
  const auto filled = [](float number) {
    return ArrayMap{{"x", Array::of<float>({2, 16}, std::vector<float>(32, number))}};
  };
  const std::vector<ArrayMap> samples = {filled(1000), filled(0.1F)};
  Logger log;
  FaultyJob job = faulty_job(model, samples, {}, NumberFormat::kBfloat16);
  const SavedSide golden = golden_side(model, samples);
  std::vector<ArrayMap> off = {*saved_tensors(golden, 0), *saved_tensors(golden, 1)};
  off[0].set("y", filled(1003).find("x")->clone());
  off[1].set("y", filled(0.2F).find("x")->clone());
  job.target = saved_side("off", std::move(off));
  const Verdict whole = locate(job, log).verdict, parts = in_parts(job, kSmallest, log).verdict;
  EXPECT_EQ(whole.agreement, Agreement::kTooCoarse) << headline(whole);
  EXPECT_EQ(parts.agreement, whole.agreement) << headline(parts);
  EXPECT_EQ(parts.reason, whole.reason);
  EXPECT_EQ(parts.excess, whole.excess);
  EXPECT_EQ(parts.samples, whole.samples);
}

TEST(LocateParts, NoteThatTiesMayExplainAnOutput) {
  const graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 16] x) => (float[2, 16] y) <float large = {640}> {
      [tanh] t = Tanh (x) [mul] m = Mul (t, large) [round] y = Round (m)
    })");
  std::vector<float> numbers;
  for (int i = 0; i < 32; ++i) numbers.push_back(0.1F * static_cast<float>(i + 5));
  const std::vector<ArrayMap> samples = {{{"x", Array::of<float>({2, 16}, numbers)}}};
  Logger log;
  const FaultyJob job = faulty_job(model, samples, {fused("tanh", "mul")}, std::nullopt);
  const LocateResult result = in_parts(job, kLarge, log);
  EXPECT_FALSE(result.clean());
  EXPECT_THAT(result.off, IsEmpty());
  EXPECT_THAT(result.notes, Contains(HasSubstr("'y' depends on ties")));
}

// Norms do not show them, and the search for a fusion judges by what the verdict does.
TEST(LocateParts, FindTheFusionThatMakesSmallNumbersDiffer) {
  const graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 16] x) => (float[4, 16] y) <float large = {640}> {
      [boxes] boxes = Mul (x, large)
      [scores] scores = Sigmoid (x)
      [joined] y = Concat <axis = 0> (boxes, scores)
    })");
  std::vector<float> numbers;
  for (int i = 0; i < 32; ++i) numbers.push_back(0.1F * static_cast<float>(i + 5));
  const Fault fused = {.node = "scores",
                       .kind = Fault::Kind::kScale,
                       .limit = 0.5,
                       .fused = {"scores", "joined"},
                       .split_by_outputs = true};
  const std::vector<ArrayMap> samples = {{{"x", Array::of<float>({2, 16}, numbers)}}};
  FaultyJob job = faulty_job(model, samples, {fused}, NumberFormat::kBfloat16);
  Logger log;
  for (const LocateResult& result : {locate(job, log), in_parts(job, kLarge, log)}) {
    EXPECT_EQ(result.verdict.agreement, Agreement::kDiffers);
    ASSERT_TRUE(result.fusion) << locate_summary(result);
    EXPECT_THAT(result.fusion->tensors, ElementsAre("scores")) << result.fusion->note;
    EXPECT_EQ(node_named(result, "scores").verdict, NodeVerdict::kGuiltyFused);
    EXPECT_EQ(node_named(result, "joined").verdict, NodeVerdict::kGuiltyFused);
  }
}

TEST(LocateParts, RefuseRecordsAndTensorsOfOtherSamples) {
  const SmallNetwork network = all_networks().front();
  const graphsurgeon::Model model = network.make();
  const std::vector<ArrayMap> two = {network.feed(0), network.feed(1)}, one = {network.feed(0)};
  Logger log;
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-parts-");
  const FaultyJob of_two = faulty_job(model, two, {}, std::nullopt);
  const FaultyJob of_one = faulty_job(model, one, {}, std::nullopt);
  LocateParts parts({.job = of_two, .part_bytes = kSmall}, *of_two.factory, log);
  LocateParts other({.job = of_one, .part_bytes = kSmall}, *of_one.factory, log);
  LocateRecord record = parts.in_place(folder.path());
  EXPECT_THAT([&] { other.alone(record, folder.path(), 0, 1); },
              ThrowsMessage<Error>(HasSubstr("of 2 samples are not among")));
  record.measurements.begin()->second.accumulated_noise.resize(1);  // as a damaged file might be
  parts.alone(record, folder.path(), 0, record.parts);
  EXPECT_THAT([&] { parts.alone(record, folder.path(), 0, record.parts + 1); },
              ThrowsMessage<Error>(HasSubstr("are not among")));
  other.in_place(folder.path());
  EXPECT_THAT([&] { parts.alone(record, folder.path(), 0, 1); },
              ThrowsMessage<Error>(HasSubstr("has 1 samples instead of 2")));
}

const std::vector<SmallNetwork> kAll = all_networks();
INSTANTIATE_TEST_SUITE_P(All, NetworksInParts, testing::ValuesIn(kAll),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace polygraphy
