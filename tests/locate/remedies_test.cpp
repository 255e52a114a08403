// The fewest nodes to be computed in float32.
#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <string>

#include "base/os/scratch_folder.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "locate_jobs.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;

// Of outputs that are at most this far off.
RemedyOptions within(double relative) {
  OutputCheck check{.metrics = {find_metric("snr")}};
  check.metric_options.numbers["snr_threshold"].set("", -20 * std::log10(relative));
  return {.check = check, .output = {}};
}

class Remedies : public LocateJobs {
 protected:
  LocateRemedy find(const std::string& name, NumberFormat format, RemedyOptions options) {
    const LocateResult result = run(name, {}, [&](LocateJob& job) {
      job.format = format;
      job.remedy = options;
    });
    summary_ = locate_summary(result);
    return result.remedy.value();
  }
  std::string summary_;
};

TEST_F(Remedies, NoneIsNeeded) {
  const LocateRemedy remedy = find("residual_net", NumberFormat::kBfloat16, within(0.5));
  EXPECT_TRUE(remedy.agrees);
  EXPECT_THAT(remedy.nodes, testing::IsEmpty());
  EXPECT_THAT(summary_, HasSubstr("No remedy needed: the outputs agree by snr in bfloat16"));
}

TEST_F(Remedies, SomeNodesAreEnough) {
  const LocateRemedy all = find("residual_net", NumberFormat::kBfloat16, within(1e-6));
  const LocateRemedy some = find("residual_net", NumberFormat::kBfloat16, within(8e-3));
  EXPECT_TRUE(all.agrees);
  EXPECT_TRUE(some.agrees);
  EXPECT_THAT(some.nodes, testing::Not(testing::IsEmpty()));
  EXPECT_LT(some.nodes.size(), all.nodes.size());
}

// A node that moves numbers to an output rounds them, unless it is in float32, too.
TEST_F(Remedies, AnOutputOfANodeThatMovesNumbersIsInFloat32) {
  model_ = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4, 32] x) => (float[4, 32] y) { a = Exp(x) b = Sin(a) y = Relu(b) })");
  samples_ = {network_named("mlp_relu").feed(0)};
  FaultyJob job = faulty_job(*model_, samples_, {}, NumberFormat::kBfloat16);
  job.remedy = within(1e-6);
  const LocateResult result = locate(job, log_);
  EXPECT_TRUE(result.remedy->agrees) << result.remedy->note;
}

TEST_F(Remedies, BodiesAreInFloat32WithTheirNode) {
  const LocateRemedy remedy = find("in_loop", NumberFormat::kBfloat16, within(1e-6));
  EXPECT_TRUE(remedy.agrees) << remedy.note;
}

TEST_F(Remedies, TheToleranceMayBeWhatIsWrong) {
  const LocateResult result = run("mlp_relu", {}, [&](FaultyJob& job) {
    job.format = NumberFormat::kBfloat16;
    job.factory->faults_of_reference = {
        {.node = "Gemm_4", .kind = Fault::Kind::kScale, .limit = 1e-5}};
    job.remedy = within(1e-6);
  });
  EXPECT_FALSE(result.remedy->agrees);
  EXPECT_THAT(locate_summary(result),
              HasSubstr("No remedy: the check is too tight: with every node in "
                        "float32 the outputs differ by snr, at a relative"));
}

TEST_F(Remedies, PrecisionIsNotWhatIsWrong) {
  const Fault fault{.node = "Gemm_4", .kind = Fault::Kind::kTile};
  const LocateResult result = run("mlp_relu", {}, [&](FaultyJob& job) {
    job.format = NumberFormat::kBfloat16;
    job.factory->faults_of_reference = {fault};
    job.remedy = within(1e-3);
  });
  EXPECT_THAT(locate_summary(result), HasSubstr("precision is not the cause"));
  EXPECT_THAT(find("mlp_relu", NumberFormat::kFloat32, within(1)).note,
              HasSubstr("already computes in float32"));
}

// Any result has the right class, and none the wrong one.
TEST_F(Remedies, ATaskMetricJudgesTheOutputs) {
  const auto with_label = [&](int64_t label) {
    std::string lines;
    for (int64_t row = 0; row < 4; ++row) lines += std::to_string(label) + "\n";
    const auto labels = std::make_shared<const Labels>(parse_labels(lines, "labels.txt"));
    return find("mlp_relu", NumberFormat::kBfloat16,
                {.check = {.task_metric = TaskMetricJob{.labels = labels}}, .output = {}});
  };
  EXPECT_TRUE(with_label(0).agrees) << summary_;
  EXPECT_THAT(summary_, HasSubstr("No remedy needed: the outputs agree by top1 (drop of at most "));
  EXPECT_THROW(with_label(999), Error);
}

TEST_F(Remedies, TheFormatIsThatOfTheTarget) {
  const auto with = [&](BackendOptions reference, BackendOptions target) {
    return run("mlp_relu", {},
               [&](FaultyJob& job) {
                 job.ask_format = true;
                 std::get<RunnerSpec>(job.reference).session.options = std::move(reference);
                 std::get<RunnerSpec>(job.target).session.options = std::move(target);
                 job.remedy = within(1);
               })
        .remedy.value();
  };
  EXPECT_THAT(with({{"bf16", {}}}, {}).note, HasSubstr("already computes in float32"));
  EXPECT_EQ(with({}, {{"bf16", {}}}).format, NumberFormat::kBfloat16);
}

TEST_F(Remedies, AModelWithCastsIsWritten) {
  const ScratchFolder folder("");
  RemedyOptions options = within(1e-3);
  options.output.path = folder / "mixed.onnx";
  const LocateRemedy remedy = find("residual_net", NumberFormat::kFloat16, options);
  EXPECT_TRUE(remedy.agrees);
  EXPECT_EQ(remedy.written, options.output.path);
  ASSERT_TRUE(remedy.written_agrees);
  EXPECT_TRUE(*remedy.written_agrees);
}

TEST_F(Remedies, AModelWithCastsIsRefusedBeforeTheWork) {
  RemedyOptions options = within(1e-3);
  options.output.path = "/nowhere/mixed.onnx";
  try {
    find("residual_net", NumberFormat::kBfloat16, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "A model with Casts can be written for float16 only, but target computes in "
                 "bfloat16");
  }
}

}  // namespace
}  // namespace polygraphy
