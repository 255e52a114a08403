#include "polygraphy/comparison/benchmark/benchmark.h"
#include "base/progress.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>

#include "base/error.h"
#include "base/testdata/log_text.h"
#include "formats/record_json.h"
#include "polygraphy/comparison/benchmark/benchmark_cases.h"
#include "polygraphy/comparison/benchmark/benchmark_plot.h"
#include "polygraphy/comparison/benchmark/benchmark_table.h"

namespace polygraphy {
namespace {

// Runs nothing; records its calls, and takes the given time.
class FakeRunner final : public Runner {
 public:
  FakeRunner(std::string name, double seconds, std::string& diary)
      : Runner(std::move(name)), seconds_(seconds), diary_(diary) {}
  std::string load_failure;
  int64_t largest_batch = 1 << 20;
  DimList shape{Dim("N"), Dim(2)};

  std::vector<NodeTime> node_times() override {
    return {{"a", "Add", "k", 3}, {"b", "Mul", "", 9}};
  }

 private:
  void activate_impl() override {
    if (!load_failure.empty()) throw Error(load_failure);
    diary_ += "[" + name();
  }
  void deactivate_impl() noexcept override { diary_ += "]" + name(); }
  Metadata input_metadata_impl() override { return {{"x", {DataType::kFloat32, shape, {}}}}; }
  Inference infer_impl(const ValueMap& feeds) override {
    const int64_t batch = feeds.find("x")->tensor().shape()[0];
    if (batch > largest_batch) throw Error("batch " + std::to_string(batch) + " is too large");
    diary_ += name();
    return {{}, seconds_ * static_cast<double>(batch)};
  }

  double seconds_;
  std::string& diary_;
};

class BenchmarkTest : public testing::Test {
 protected:
  FakeRunner& add(const std::string& name, double seconds) {
    runners_.push_back(std::make_unique<FakeRunner>(name, seconds, diary_));
    return static_cast<FakeRunner&>(*runners_.back());
  }
  BenchmarkReport run(const std::vector<int64_t>& batches = {}) {
    const auto cases = generated_cases({}, {}, batches, log_.log());
    return run_benchmark(runners_, cases, options_, log_.log());
  }

  std::string diary_;
  Runners runners_;
  BenchmarkOptions options_{.warm_up = 2, .runs = 4, .cancel = {}};
  LogText log_;
};

TEST(LatenciesTest, PercentilesInterpolate) {
  const double seconds[] = {4, 1, 3, 2, 10};
  const Latencies t = latencies_of(seconds);
  EXPECT_EQ(t.min, 1);
  EXPECT_EQ(t.max, 10);
  EXPECT_EQ(t.mean, 4);
  EXPECT_EQ(t.p50, 3);
  EXPECT_NEAR(t.p90, 7.6, 1e-12);  // numpy.percentile(…, 90)
  EXPECT_NEAR(t.p99, 9.76, 1e-12);
  const double one[] = {7};
  EXPECT_EQ(latencies_of(one).p99, 7);
}

TEST_F(BenchmarkTest, OneRunnerRunsWhatWasAskedFor) {
  add("a", 0.5);
  const BenchmarkReport report = run();
  EXPECT_EQ(diary_, "[aaaaaaa]a") << "two that do not count, four that do";
  ASSERT_EQ(report.cases.size(), 1u);
  EXPECT_EQ(report.cases[0].inputs, "x:[1,2]");
  EXPECT_EQ(report.cases[0].figures[0].seconds.size(), 4u);
  EXPECT_EQ(report.cases[0].figures[0].latencies.p50, 0.5);
  EXPECT_FALSE(report.failed());
}

TEST_F(BenchmarkTest, RunnersTakeTurnsAndTheFirstChanges) {
  add("a", 1), add("b", 2);
  options_.runs = 2;
  options_.warm_up = 1;
  run();
  // Loading with one run each; then two rounds of one uncounted and one counted run.
  EXPECT_EQ(diary_,
            "[aa[bb"
            "aabb"
            "bbaa"
            "]a]b");
}

TEST_F(BenchmarkTest, ProgressCountsEveryRunUpToTheLastOne) {
  add("a", 1), add("b", 2).largest_batch = 1, add("c", 3).load_failure = "no such file";
  std::vector<int64_t> told, totals;
  const ProgressWatch watch([&](std::span<const Progress> phases) {
    if (phases.empty() || phases[0].done == 0) return;
    // Phases within, such as the loading of an engine, report between two runs.
    if (!told.empty() && told.back() == phases[0].done) return;
    told.push_back(phases[0].done);
    totals.push_back(phases[0].total.value());
  });
  run({1, 8});
  // Three runners, two cases: two runs first, and four rounds of one uncounted and one counted run.
  std::vector<int64_t> all(60);
  std::iota(all.begin(), all.end(), 1);
  EXPECT_EQ(told, all) << "runs that a failed runner does not get count as done";
  EXPECT_EQ(totals, std::vector<int64_t>(60, 60));
}

TEST_F(BenchmarkTest, BatchesAreTheOpenDimension) {
  add("a", 1);
  const BenchmarkReport report = run({1, 8});
  ASSERT_EQ(report.cases.size(), 2u);
  EXPECT_EQ(report.cases[1].inputs, "x:[8,2]");
  EXPECT_EQ(report.cases[1].batch, 8);
  EXPECT_EQ(report.cases[1].figures[0].latencies.mean, 8);
}

TEST_F(BenchmarkTest, AModelWithoutOpenDimensionHasNoBatches) {
  add("a", 1).shape = {Dim(3), Dim(2)};
  const BenchmarkReport report = run({4});
  EXPECT_TRUE(report.failed());
  EXPECT_FALSE(report.measured());
  EXPECT_TRUE(log_.has("Cannot set a batch size of 4: the first dimension of every input is "));
  EXPECT_FALSE(log_.has("Measuring"));
}

TEST_F(BenchmarkTest, TheBatchThatAModelHasIsMeasured) {
  add("a", 1).shape = {Dim(3), Dim(2)};
  const BenchmarkReport report = run({3, 8});
  EXPECT_EQ(report.cases[0].inputs, "x:[3,2]");
  EXPECT_EQ(report.cases[0].batch, 3);
  EXPECT_EQ(report.cases[0].figures[0].failure, "");
  EXPECT_NE(report.cases[1].figures[0].failure, "");
  EXPECT_TRUE(report.measured());
  EXPECT_TRUE(report.failed());
}

TEST_F(BenchmarkTest, ARunnerThatFailsIsLeftOut) {
  add("a", 1).largest_batch = 4;
  add("b", 1);
  add("c", 1).load_failure = "no such library";
  const BenchmarkReport report = run({4, 8});
  EXPECT_TRUE(report.failed());
  EXPECT_EQ(report.runners[2].failure, "no such library");
  EXPECT_EQ(report.cases[0].figures[0].failure, "");
  EXPECT_EQ(report.cases[1].figures[0].failure, "batch 8 is too large");
  EXPECT_EQ(report.cases[1].figures[1].seconds.size(), 4u);
  log_.take();
  log_benchmark(report, 0, log_.log());
  EXPECT_TRUE(log_.has("Benchmark | x:[8,2] | 4 run(s)"));
  EXPECT_TRUE(log_.has("failed"));
}

TEST_F(BenchmarkTest, CancellingEndsIt) {
  add("a", 1);
  const std::atomic<bool> stop = true;
  options_.cancel = stop;
  EXPECT_THROW(run(), Interrupted);
  EXPECT_EQ(diary_, "");
}

TEST_F(BenchmarkTest, TheTableHasRatiosToTheFirst) {
  add("first", 0.001), add("second", 0.0025);
  const BenchmarkReport report = run({2});
  log_.take();
  log_benchmark(report, 0, log_.log());
  const std::string text = log_.take();
  EXPECT_NE(text.find("1.00x"), std::string::npos) << text;
  EXPECT_NE(text.find("2.50x"), std::string::npos) << text;
  EXPECT_NE(text.find("500.0     1000.0"), std::string::npos) << "runs and samples per second\n"
                                                              << text;
}

TEST_F(BenchmarkTest, NodesAreTimedApart) {
  add("a", 1);
  BenchmarkReport report = run();
  const auto cases = generated_cases({}, {}, {}, log_.log());
  add_node_times(runners_, cases, report, log_.log());
  const auto& nodes = report.cases[0].figures[0].nodes;
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].op, "Mul") << "slowest first";
  EXPECT_EQ(nodes[0].microseconds, 9) << "the median of the runs";
  log_.take();
  log_benchmark(report, 1, log_.log());
  EXPECT_TRUE(log_.has("a | Slowest of 2 node(s), 12.0 us in total"));
  EXPECT_TRUE(log_.has("75.0%"));
}

TEST_F(BenchmarkTest, FilesHoldEverything) {
  add("a", 0.5), add("b", 1).load_failure = "no \"library\"";
  const BenchmarkReport report = run({2});
  const auto folder = std::filesystem::path(testing::TempDir()) / "benchmark-files";
  const auto contents = [&](const std::string& name) {
    std::ifstream file(folder / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  save_benchmark_plot(report, folder / "b.svg");
  const std::string json = record_json(report), svg = contents("b.svg");
  for (const char* part :
       {"\"benchmark_version\": 1", "\"p90\": 1.0", "\"samples_per_second\": 2.0",
        "\"failure\": \"no \\\"library\\\"\"", "\"batch\": 2"}) {
    EXPECT_NE(json.find(part), std::string::npos) << part << "\n" << json;
  }
  EXPECT_NE(svg.find("Samples per second"), std::string::npos);
  EXPECT_NE(svg.find("1: x:[2,2]"), std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace polygraphy
