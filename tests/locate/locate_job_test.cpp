// Results of a job besides verdicts: proofs, saved results, groups, bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testdata/recording_log.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "hard_networks.h"
#include "locate_jobs.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/diagnosis/locate/proof.h"
#include "polygraphy/diagnosis/locate/report/locate_json.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"

namespace polygraphy {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

TEST_F(LocateJobs, TheProofReplacesWhatIsWrong) {
  const LocateResult result = run("mlp_relu", {{.node = "Gemm_4", .kind = Fault::Kind::kTile}});
  EXPECT_THAT(first_verdicts(result, 1), ElementsAre("guilty: Gemm_4"));
  ASSERT_TRUE(result.proof);
  EXPECT_THAT(result.proof->replaced, ElementsAre("Gemm_4"));
  EXPECT_TRUE(result.proof->agrees);
  EXPECT_GT(result.proof->worst_before, 100);
  EXPECT_LT(result.proof->worst_after, 3);
  EXPECT_TRUE(result.proof->suffices);
  EXPECT_GT(*result.proof->worst_with_only_these, 100);
}

// Its results hide the error of an earlier node, and alone they are right.
TEST_F(LocateJobs, TheConverseRejectsANodeBehindTheFault) {
  model_ = network_named("mlp_tanh").make();
  samples_ = {network_named("mlp_tanh").feed(0)};
  const FaultyJob job =
      faulty_job(*model_, samples_, {{.node = "Gemm_0", .kind = Fault::Kind::kTile}}, {});
  const LocateRun run(job, *job.factory, log_);
  const WholeModel model(graphsurgeon::copy(*model_), "");
  NodePart behind;
  Measurements measurements = {{model.outputs().front(), {}}};
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    if (model.nodes()[i].name != "Gemm_4") continue;
    behind.push_back(i);
    measurements[model.nodes()[i].makes.front()].isolated = JudgedError{.ratio = 10};
  }
  const LocateProof proof = prove(run, model, {values_of(samples_[0])}, behind, measurements);
  EXPECT_TRUE(proof.agrees);
  EXPECT_GT(proof.worst_before, 100);
  ASSERT_TRUE(proof.worst_with_only_these);
  EXPECT_LT(*proof.worst_with_only_these, 3);
  EXPECT_FALSE(proof.suffices);
}

TEST_F(LocateJobs, AConstantOutputIsNoObstacle) {
  const auto remedy = [](FaultyJob& job) {
    job.remedy.emplace();
    job.remedy->check.metrics = {find_metric("simple")};
    job.remedy->check.metric_options.numbers["atol"].set("", 1e9);
    job.format = NumberFormat::kFloat16;
  };
  const LocateResult result =
      run("constant_output", {{.node = "Exp_3", .kind = Fault::Kind::kTile}}, remedy);
  ASSERT_TRUE(result.proof);
  EXPECT_EQ(result.proof->note, "");
  EXPECT_TRUE(result.proof->agrees);
  ASSERT_TRUE(result.remedy);
  EXPECT_EQ(result.remedy->note, "");
}

TEST_F(LocateJobs, AFloat16ModelIsJudgedByItsOwnPrecision) {
  const LocateResult result = run("half", {{.node = "Tanh_3", .kind = Fault::Kind::kTile}});
  EXPECT_THAT(locate_summary(result), HasSubstr("with errors above the noise of float16"));
}

TEST_F(LocateJobs, GroupsChangeNothing) {
  const std::vector<Fault> faults = {{.node = "Conv_6", .kind = Fault::Kind::kTile}};
  const LocateResult whole = run("residual_net", faults);
  const LocateResult parts =
      run("residual_net", faults, [](FaultyJob& job) { job.tensor_bytes = 20000; });
  EXPECT_EQ(first_verdicts(whole, 100), first_verdicts(parts, 100));
}

TEST_F(LocateJobs, GroupsMayHaveAnOutputEach) {
  model_ = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y, float[4] z) { [exp] y = Exp (x) [tanh] z = Tanh (y) })");
  samples_ = {{{"x", Array::of<float>({4}, {0.1F, 0.2F, 0.3F, 0.4F})}}};
  FaultyJob job = faulty_job(*model_, samples_, {}, NumberFormat::kBfloat16);
  const LocateResult whole = locate(job, log_);
  job.tensor_bytes = 1;
  const LocateResult groups = locate(job, log_);
  EXPECT_EQ(first_verdicts(groups, 2), first_verdicts(whole, 2));
  EXPECT_EQ(groups.verdict.excess, whole.verdict.excess);
}

TEST_F(LocateJobs, AnEngineThatTakesFewOutputs) {
  const std::vector<Fault> faults = {{.node = "Conv_6", .kind = Fault::Kind::kTile}};
  const LocateResult whole = run("residual_net", faults);
  const LocateResult few =
      run("residual_net", faults, [](FaultyJob& job) { job.factory->most_outputs = 3; });
  EXPECT_EQ(first_verdicts(whole, 100), first_verdicts(few, 100));
}

TEST_F(LocateJobs, PartsThatFailForTooLongDoNotRun) {
  const std::vector<Fault> faults = {{.node = "Conv_6", .kind = Fault::Kind::kTile}};
  const LocateResult result = run("residual_net", faults, [](FaultyJob& job) {
    job.factory->most_outputs = 3;
    job.failing_seconds = 0;
  });
  EXPECT_THAT(node_named(result, "Conv_6").note, HasSubstr("runs of other parts failed for"));
}

// The model as it is and with all tensors marked, on each side: what is exact has no noise, and
// nothing is left to find alone.
TEST_F(LocateJobs, EqualSidesRunTwiceEach) {
  std::shared_ptr<FaultyEngines> engines;
  const LocateResult result =
      run("residual_net", {}, [&](FaultyJob& job) { engines = job.factory; });
  EXPECT_EQ(engines->made, 4);
  EXPECT_EQ(locate_verdict(result), "agree");
}

// Beside these, one exact and one noisy model in place, which have the noise of the outputs, too.
TEST_F(LocateJobs, WhatIsWithinItsNoiseInPlaceDoesNotRunAlone) {
  model_ = network_named("residual_net").make();
  samples_ = {network_named("residual_net").feed(0)};
  const FaultyJob job = faulty_job(*model_, samples_, {}, NumberFormat::kBfloat16);
  const LocateResult result = locate(job, log_);
  EXPECT_EQ(locate_verdict(result), "noise");
  EXPECT_EQ(job.factory->made, 6);
}

TEST_F(LocateJobs, ManyGroupsCauseAWarning) {
  RecordingLog log;
  run("residual_net", {});
  FaultyJob job = faulty_job(*model_, samples_, {}, {});
  job.tensor_bytes = 1;
  locate(job, log.log());
  EXPECT_TRUE(log.has("The memory limit leaves 1 bytes for tensors"));
}

TEST_F(LocateJobs, TheSameTwice) {
  const std::vector<Fault> faults = {{.node = "MatMul_5", .kind = Fault::Kind::kTruncates}};
  EXPECT_EQ(locate_json(run("transformer_fused", faults)),
            locate_json(run("transformer_fused", faults)));
}

TEST_F(LocateJobs, NodesInBodies) {
  const LocateResult in_if = run("in_if", {{.node = "Exp_5", .kind = Fault::Kind::kTile}});
  EXPECT_THAT(first_verdicts(in_if, 2), ElementsAre("guilty: Exp_5", "encloses: If_3"));
  EXPECT_EQ(in_if.nodes[0].graph, "If_3/then_branch");
  const LocateResult in_loop = run("in_loop", {{.node = "Exp_4", .kind = Fault::Kind::kTile}});
  EXPECT_THAT(first_verdicts(in_loop, 2), ElementsAre("guilty: Exp_4", "encloses: Loop_1"));
  EXPECT_EQ(in_loop.nodes[0].graph, "Loop_1/body");
  EXPECT_THAT(locate_summary(in_loop), HasSubstr("1 of 4 nodes is guilty"));
}

TEST_F(LocateJobs, SavedResultsAreComparedInPlace) {
  const auto save_target = [this](FaultyJob& job) {
    graphsurgeon::Model& model = *model_;
    for (const auto& node : model.graph->nodes()) {
      graphsurgeon::TensorRef output(node->outputs()[0]);
      if (model.graph->outputs()[0] != output) model.graph->mutable_outputs().push_back(output);
    }
    job.target = saved_side("target", {run_side(job, job.target, samples_[0])});
  };
  const LocateResult result =
      run("mlp_tanh", {{.node = "Gemm_4", .kind = Fault::Kind::kTile}}, save_target);
  EXPECT_THAT(first_verdicts(result, 1), ElementsAre("guilty: Gemm_4"));
  EXPECT_FALSE(result.nodes[0].isolated);
  ASSERT_TRUE(result.proof);
  EXPECT_THAT(result.proof->note, HasSubstr("only saved results"));
}

TEST_F(LocateJobs, TheFirstOfManyNonFiniteResults) {
  const LocateResult result =
      run("transformer_fused", {{.node = "Add_10", .kind = Fault::Kind::kNan}});
  EXPECT_THAT(first_verdicts(result, 1), ElementsAre("non-finite: Add_10"));
  EXPECT_THAT(locate_summary(result), HasSubstr("first element 0"));
}

// Where(IsNaN(Sqrt(x)), x, Sqrt(x)): the output is fine.
TEST_F(LocateJobs, NansInsideOfModelsThatAgree) {
  const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(R"(
<ir_version: 8, opset_import: ["" : 17]>
g (float[4] x) => (float[4] y) {
  root = Sqrt (x)
  bad = IsNaN (root)
  y = Where (bad, x, root)
})");
  ArrayMap sample;
  sample.set("x", Array::of<float>({4}, {1, 2, -3, 4}));
  const std::vector<ArrayMap> samples = {sample};
  const LocateResult result = locate(faulty_job(model, samples, {}, {}), log_);
  EXPECT_TRUE(result.clean());
  EXPECT_THAT(first_verdicts(result, 1), ElementsAre("non-finite in both: root"));
  EXPECT_THAT(locate_summary(result),
              HasSubstr("NaNs or infinities inside: 'root' (Sqrt): 1 of 4 elements on both sides, "
                        "first at element 2; it reads -3 to 4"));
}

TEST_F(LocateJobs, AReferenceThatIsWrongIsNoNoise) {
  const Fault fault{.node = "Gemm_4", .kind = Fault::Kind::kTile};
  const LocateResult result =
      run("mlp_relu", {}, [&](FaultyJob& job) { job.factory->faults_of_reference = {fault}; });
  EXPECT_THAT(first_verdicts(result, 1), ElementsAre("guilty: Gemm_4"));
  EXPECT_THAT(result.notes,
              testing::Contains(HasSubstr("reference computes 'Gemm_4' (Gemm) differently from the "
                                          "runtime that computes the noise")));
}

// Gives one answer to all.
class Always : public ResultComparison {
 public:
  explicit Always(bool answer) : answer_(answer) {}
  OutputResults compare(const IterationResult& reference, const IterationResult&) override {
    OutputResults judged;
    OutputResult answer;
    answer.passed = answer_;
    for (const auto& [name, array] : reference.outputs) judged.emplace_back(name, answer);
    return judged;
  }
  bool averages() const override { return false; }
  Threshold threshold(const std::string&) override { return {}; }

 private:
  const bool answer_;
};

TEST_F(LocateJobs, TolerancesDecideTheVerdictButJudgeNoNode) {
  for (const bool allowed : {true, false}) {
    const auto tolerate = [&](FaultyJob& job) {
      job.check = OutputCheck{.function = std::make_shared<Always>(allowed)};
    };
    const LocateResult faulty =
        run("mlp_relu", {{.node = "Gemm_4", .kind = Fault::Kind::kTile}}, tolerate);
    EXPECT_EQ(faulty.clean(), allowed);
    EXPECT_THAT(first_verdicts(faulty, 1), ElementsAre("guilty: Gemm_4"));
    const std::string inside = "but that does not make this model differ";
    EXPECT_EQ(locate_summary(faulty).find(inside) != std::string::npos, allowed);
    const LocateResult healthy = run("mlp_relu", {}, tolerate);
    EXPECT_EQ(healthy.clean(), allowed);
    EXPECT_FALSE(healthy.fusion) << "only a difference beyond the noise is searched for";
  }
}

// Its kernel of two nodes is wrong, and used only while the tensor between them is not an output.
Fault fused_fault() {
  return {.node = "Gemm_6",
          .kind = Fault::Kind::kTile,
          .fused = {"Tanh_5", "Gemm_6"},
          .split_by_outputs = true};
}

TEST_F(LocateJobs, AFaultThatMarkedTensorsHide) {
  const auto golden = [&](FaultyJob& job) { job.reference = golden_side(*model_, samples_); };
  for (const bool saved : {false, true}) {
    const LocateResult result =
        run("mlp_tanh", {fused_fault()}, saved ? std::function<void(FaultyJob&)>(golden) : nullptr);
    EXPECT_FALSE(result.clean());
    ASSERT_TRUE(result.fusion) << locate_summary(result);
    EXPECT_FALSE(result.fusion->on_both_sides);
    EXPECT_EQ(result.fusion->note, "");
    EXPECT_EQ(result.fusion->tensors, node_named(result, "Tanh_5").makes);
    EXPECT_THAT(first_verdicts(result, 3),
                UnorderedElementsAre("guilty if fused: Tanh_5", "guilty if fused: Gemm_6", _));
    EXPECT_THAT(locate_summary(result),
                HasSubstr("2 of 18 nodes are guilty where target fuses them"));
  }
}

// One session for the model as it is, and one for all tensors.
class TheSameRunnerTwice : public LocateJobs {
 protected:
  LocateResult run_target_twice(const std::string& name, std::vector<Fault> faults,
                                int wrong_session = -1) {
    return run(name, std::move(faults), [&](FaultyJob& job) {
      engines_ = job.factory;
      engines_->wrong_session = wrong_session;
      std::get<RunnerSpec>(job.target).library = "";
    });
  }
  std::shared_ptr<FaultyEngines> engines_;
};

TEST_F(TheSameRunnerTwice, HasASessionForEachModel) {
  const LocateResult result = run_target_twice("residual_net", {});
  EXPECT_EQ(engines_->made, 2);
  EXPECT_EQ(locate_verdict(result), "agree");
  EXPECT_EQ(locate_json(result), locate_json(run("residual_net", {}))) << "four sessions";
}

TEST_F(TheSameRunnerTwice, HasASessionForEachSideWhereTheSecondRunDiffers) {
  const LocateResult result = run("residual_net", {}, [&](FaultyJob& job) {
    engines_ = job.factory;
    engines_->wrong_every = 1000;
    engines_->runs = 1000 - 3;  // behind two runs of the model as it is, and one of all tensors
    std::get<RunnerSpec>(job.target).library = "";
  });
  EXPECT_EQ(engines_->made, 4);
  EXPECT_EQ(locate_json(result), locate_json(run("residual_net", {})));
}

TEST_F(TheSameRunnerTwice, RunsTheModelAgainWhereMarkedTensorsChangeIt) {
  const LocateResult result = run_target_twice("mlp_tanh", {fused_fault()});
  EXPECT_EQ(engines_->made, 3);
  EXPECT_EQ(locate_verdict(result), "agree") << locate_summary(result);
}

TEST_F(TheSameRunnerTwice, DoesNotAgreeWhereTheFirstSessionIsWrong) {
  const LocateResult result = run_target_twice("mlp_tanh", {}, 0);
  EXPECT_FALSE(result.clean());
  EXPECT_EQ(locate_verdict(result), "not deterministic") << locate_summary(result);
}

TEST_F(TheSameRunnerTwice, IsJudgedByTheModelAsItIs) {
  EXPECT_EQ(locate_verdict(run_target_twice("mlp_tanh", {}, 1)), "agree");
  EXPECT_EQ(engines_->made, 3);
}

TEST_F(LocateJobs, AFaultOfTheReferenceThatMarkedTensorsHide) {
  const LocateResult result = run(
      "mlp_tanh", {}, [](FaultyJob& job) { job.factory->faults_of_reference = {fused_fault()}; });
  EXPECT_FALSE(result.clean());
  ASSERT_TRUE(result.fusion);
  EXPECT_TRUE(result.fusion->on_both_sides);
  EXPECT_EQ(result.fusion->tensors, node_named(result, "Tanh_5").makes);
  EXPECT_THAT(locate_summary(result),
              HasSubstr("2 of 18 nodes are guilty where reference or target fuses them"));
}

// bfloat16 moves the logits by more than the limit, and no cause in the model explains that.
TEST_F(LocateJobs, ADivergenceBelowTheNoiseHasNoCauseInTheModel) {
  const LocateResult result = run("mlp_relu", {}, [](FaultyJob& job) {
    job.format = NumberFormat::kBfloat16;
    job.factory->faults_of_reference = {
        {.node = "Gemm_4", .kind = Fault::Kind::kScale, .limit = 1e-3}};
    job.metric = find_metric("tokens");
    job.metric_options.numbers["tokens_kl"].set("", 1e-12);
  });
  EXPECT_EQ(result.verdict.agreement, Agreement::kDiffers);
  EXPECT_FALSE(result.fusion);
  EXPECT_THAT(locate_summary(result), HasSubstr("exceeds 1e-12\nNo node is guilty: all errors are "
                                                "within the noise of bfloat16"));
}

TEST_F(LocateJobs, AModelWithoutQuantizedWeightsHasTheNoiseOfItsFormat) {
  const auto of_format = run("mlp_relu", {});
  const auto asked = run("mlp_relu", {}, [](FaultyJob& job) { job.quantization = true; });
  EXPECT_THAT(asked.notes, ElementsAre(HasSubstr("The model has no quantised weights")));
  EXPECT_EQ(headline(asked.verdict), headline(of_format.verdict));
}

// Its first run is wrong, and no other.
TEST_F(LocateJobs, ResultsThatVaryAreRepeatedAndNotSearched) {
  std::shared_ptr<FaultyEngines> factory;
  const LocateResult result = run("mlp_tanh", {}, [&](FaultyJob& job) {
    factory = job.factory;
    job.factory->wrong_every = 1000;
    job.remedy = RemedyOptions{};
  });
  const int made = factory->made;
  EXPECT_FALSE(result.clean());
  EXPECT_EQ(locate_verdict(result), "not deterministic");
  EXPECT_THAT(result.varies, HasSubstr("1 output of target differs by more than 3× the"));
  EXPECT_THAT(locate_summary(result), HasSubstr("\nNot deterministic, for the same input: "));
  EXPECT_FALSE(result.fusion);
  EXPECT_FALSE(result.proof);
  ASSERT_TRUE(result.remedy);
  EXPECT_FALSE(result.remedy->agrees);
  const LocateResult steady = run("mlp_tanh", {}, [&](FaultyJob& job) { factory = job.factory; });
  EXPECT_EQ(steady.varies, "");
  // Equal outputs need no noise (2 engines), those of the first run do.
  EXPECT_LE(made, factory->made + 2 + 3) << "once more, and the noise of these runs";
}

// The outputs alone show an error, but not the guilty node.
TEST_F(LocateJobs, SavedOutputsThatAreOff) {
  const auto save_output = [this](FaultyJob& job) {
    job.target = saved_side("target", {run_side(job, job.target, samples_[0])});
  };
  const std::vector<Fault> faults = {{.node = "Gemm_4", .kind = Fault::Kind::kTile}};
  const LocateResult off = run("mlp_tanh", faults, save_output);
  EXPECT_FALSE(off.clean());
  EXPECT_THAT(locate_summary(off), HasSubstr("the guilty node is unknown"));
  EXPECT_EQ(off.in_order.back().verdict, NodeVerdict::kUnknown);
  const LocateResult right = run("mlp_tanh", {}, save_output);
  EXPECT_TRUE(right.clean());
  EXPECT_THAT(locate_summary(right), HasSubstr("could not be compared"));
  const LocateResult noisy = run("mlp_tanh", {}, [this](FaultyJob& job) {
    ArrayMap saved = run_side(job, job.target, samples_[0]);
    auto& output = *saved.begin();
    auto* numbers = reinterpret_cast<float*>(output.second.mutable_data());
    numbers[0] *= 1 + 1e-7F;
    job.target = saved_side("target", {std::move(saved)});
  });
  EXPECT_TRUE(noisy.clean());
  EXPECT_THAT(locate_summary(noisy), HasSubstr("No node is guilty among the 1 of 18 that could"));
}

// Whichever side it is saved for; the number before it is not saved.
TEST_F(LocateJobs, ASavedIntegerThatIsOffIsNoTie) {
  const graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x) => (int32[2] y) <float w = {37.7}> { a = Mul (x, w) y = Cast <to = 6> (a) })");
  samples_ = {{{"x", Array::of<float>({2}, {.1F, .2F})}}};
  FaultyJob job = faulty_job(model, samples_, {}, {});
  job.reference = saved_side("saved", {{{"y", Array::of<int32_t>({2}, {4, 7})}}});
  const LocateResult result = locate(job, log_);
  EXPECT_EQ(result.in_order.back().verdict, NodeVerdict::kReferenceDeviates);
}

// The output is right, but the saved tensor in the middle is not.
TEST_F(LocateJobs, ASavedTensorThatIsOffIsNoAgreement) {
  const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(R"(
<ir_version: 8, opset_import: ["" : 17]>
g (float[1,2] x) => (float[1,2] y) <float[2,2] w = {1, 2, 3, 4}> {
  a = MatMul (x, w)
  b = Relu (a)
  y = Softmax (b)
})");
  graphsurgeon::Model marked = graphsurgeon::copy(model);
  for (const auto& node : marked.graph->nodes()) {
    if (node->op() == "Relu") marked.graph->mutable_outputs().push_back(node->outputs()[0]);
  }
  ArrayMap sample;
  sample.set("x", Array::of<float>({1, 2}, {0.25F, 0.125F}));
  const std::vector<ArrayMap> samples = {sample};
  const FaultyJob saving = faulty_job(marked, samples, {}, {});
  ArrayMap saved = run_side(saving, saving.target, sample);
  auto* numbers = reinterpret_cast<float*>(saved.find("b")->mutable_data());
  for (int i = 0; i < 2; ++i) numbers[i] *= 1.5F;
  FaultyJob job = faulty_job(model, samples, {}, {});
  job.target = saved_side("target", {std::move(saved)});
  const LocateResult result = locate(job, log_);
  EXPECT_EQ(locate_verdict(result), "unknown");
  EXPECT_THAT(locate_summary(result), HasSubstr("1 result exceeds the noise of float32; the guilty "
                                                "node is unknown, since 1 of 3 nodes could not"));
}

TEST_F(LocateJobs, SavedResultsOfOtherTensorsAreNothingToCompare) {
  ArrayMap saved;
  saved.set("another", Array::of<float>({1}, {0}));
  EXPECT_THROW(
      run("mlp_tanh", {}, [&](FaultyJob& job) { job.target = saved_side("target", {saved}); }),
      Error);
}

TEST_F(LocateJobs, WithoutSamplesThereIsNothingToDo) {
  EXPECT_THROW(run("mlp_relu", {}, [this](LocateJob&) { samples_.clear(); }), Error);
}

std::vector<std::string> accused(const LocateResult& result) {
  std::vector<std::string> names;
  for (const NodeFinding& finding : result.nodes) {
    if (is_guilty(finding.verdict)) names.push_back(finding.node);
  }
  return names;
}

TEST_F(LocateJobs, ErrorsBehindQuantizedNumbersAreThoseOfTheNodeBefore) {
  for (const char* node : {"MatMul_3", "Add_4", "Tanh_12"}) {
    const LocateResult result =
        run("qdq_mlp", {{.node = node, .kind = Fault::Kind::kScale, .limit = 0.05}});
    EXPECT_THAT(accused(result), ElementsAre(node)) << locate_summary(result);
  }
  EXPECT_THAT(accused(run("qdq_mlp", {})), ElementsAre());
}

TEST_F(LocateJobs, ErrorsBehindAMaskAreThoseOfTheNodeBefore) {
  for (const char* network : {"mask_of_bert", "mask_by_where", "mask_of_least"}) {
    const LocateResult result =
        run(network, {{.node = "MatMul_4", .kind = Fault::Kind::kScale, .limit = 0.05}});
    EXPECT_THAT(accused(result), ElementsAre("MatMul_4")) << locate_summary(result);
  }
}

// The norm of the output is that of the mask.
TEST_F(LocateJobs, AnOutputWithAMaskIsJudgedByItsOtherNumbers) {
  const LocateResult result =
      run("suppressed_tokens", {{.node = "Gemm_2", .kind = Fault::Kind::kScale, .limit = 0.05}});
  EXPECT_EQ(result.verdict.agreement, Agreement::kDiffers) << locate_summary(result);
  EXPECT_THAT(accused(result), ElementsAre("Gemm_2"));
  EXPECT_TRUE(run("suppressed_tokens", {}).clean());
}

TEST_F(LocateJobs, SequencesAreComparedItemByItem) {
  for (const auto& [network, node] :
       {std::pair("split_output", "Split_2"), std::pair("inserted_output", "Construct_2")}) {
    const LocateResult right = run(network, {});
    EXPECT_TRUE(right.clean()) << locate_summary(right);
    EXPECT_THAT(locate_summary(right), testing::Not(HasSubstr("compared nodes")));
    const LocateResult result = run(network, {{.node = node, .kind = Fault::Kind::kScale}});
    EXPECT_FALSE(result.clean()) << locate_summary(result);
    EXPECT_THAT(accused(result), ElementsAre(node)) << locate_summary(result);
  }
}

TEST_F(LocateJobs, ANodeThatDecidesTiesOtherwiseIsGuilty) {
  for (const auto& [network, node] :
       {std::pair("label_of_relu", "ArgMax_3"), std::pair("last_of_rounded", "ArgMax_2"),
        std::pair("best_of_rounded", "TopK_2")}) {
    const LocateResult result = run(network, {{.node = node, .kind = Fault::Kind::kOtherTies}});
    EXPECT_EQ(result.verdict.agreement, Agreement::kDiffers) << locate_summary(result);
    EXPECT_THAT(accused(result), ElementsAre(node)) << locate_summary(result);
    EXPECT_THAT(locate_summary(result),
                HasSubstr("of equal numbers it chooses another than ONNX requires"));
    EXPECT_TRUE(run(network, {}).clean());
  }
}

}  // namespace
}  // namespace polygraphy
