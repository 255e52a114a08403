#include "polygraphy/comparison/run/result_stream.h"

#include <gtest/gtest.h>

#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/log_text.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy {
namespace {

IterationResult result(std::string runner, float value) {
  return {{{"y", Array::of<float>({1}, {value})}}, 0.5, std::move(runner)};
}

// Each iteration's runners and values.
std::string text(ResultStream& stream) {
  std::string all;
  while (const auto results = stream.next()) {
    for (const IterationResult& one : *results) {
      all += one.runner_name + "=" +
             std::to_string(static_cast<int>(one.outputs.find("y")->get_double(0))) + " ";
    }
    all += "| ";
  }
  return all;
}

TEST(ResultStreamTest, GivesOneIterationOfAllRunnersAtATime) {
  const RunResults run{
      {{"A", {result("A", 1), result("A", 2)}}, {"A", {result("A", 3), result("A", 4)}}}};
  EXPECT_EQ(text(*stored_results(run)), "A=1 A=3 | A=2 A=4 | ");
  EXPECT_EQ(text(*stored_results({})), "");
}

TEST(ResultStreamTest, LeavesOutRunnersThatHaveEnded) {
  const RunResults run{{{"A", {result("A", 1), result("A", 2)}},
                        {"B", {result("B", 3)}},
                        {"C", {result("C", 4), result("C", 5)}}}};
  EXPECT_EQ(text(*stored_results(run)), "A=1 B=3 C=4 | A=2 C=5 | ");
}

TEST(ResultStreamTest, OpensFilesWhenTheFirstResultIsWanted) {
  const TemporaryFolder folder;
  const std::string path = folder / "o.json";
  LogText log;
  const auto stream = loaded_results(path, log.log());
  save_results({{{"A", {result("inner name", 1), result("A", 2)}}}}, path, log.log());
  log.take();
  EXPECT_EQ(text(*stream), "A=1 | A=2 | ");
  EXPECT_EQ(log.take(), "[I] Loading inference results from " + path + "\n");
}

TEST(ResultStreamTest, DeferredArraysAreReadWhenTheyAreWanted) {
  const TemporaryFolder folder;
  LogText log;
  for (const char* name : {"o.json", "o.safetensors"}) {
    const std::string path = folder / name;
    save_results({{{"A", {result("A", 1), result("A", 2)}}}}, path, log.log());
    const auto stream = loaded_results(path, log.log(), true);
    for (const double value : {1.0, 2.0}) {
      const auto results = stream->next();
      ASSERT_TRUE(results) << name;
      const IterationResult& one = results->front();
      EXPECT_EQ(one.outputs.at_index(0).first, "y");
      EXPECT_TRUE(one.outputs.at_index(0).second.empty()) << "not read yet";
      EXPECT_EQ(one.output(0).get_double(0), value) << name;
      EXPECT_EQ(one.output(0).get_double(0), value) << "again";
      EXPECT_EQ(one.runtime, 0.5);
    }
    EXPECT_FALSE(stream->next());
  }
}

}  // namespace
}  // namespace polygraphy
