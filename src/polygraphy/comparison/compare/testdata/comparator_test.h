// Runs of runners that are functions, for tests of what becomes of them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/log_text.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy {

// Computes its output y from its input x in C++. It remembers what happens to it in a diary shared
// by all.
class FunctionRunner final : public Runner {
 public:
  using Function = std::function<float(float)>;
  FunctionRunner(std::string name, std::string& diary, Function function, Logger* log)
      : Runner(std::move(name), log), diary_(diary), function_(std::move(function)) {}
  ~FunctionRunner() override {
    if (active()) deactivate();
  }
  DimList shape{1, 2};
  ValueKind kind = ValueKind::kTensor;  // of x; of a sequence, it reads the first item

 private:
  void activate_impl() override { diary_ += name() + "+ "; }
  void deactivate_impl() noexcept override { diary_ += name() + "- "; }
  Metadata input_metadata_impl() override {
    return {{"x", {DataType::kFloat32, shape, {}, {}, kind}}};
  }
  Inference infer_impl(const ValueMap& feeds) override {
    diary_ += name() + " ";
    const Value& given = *feeds.find("x");
    const Array& x = (given.as_sequence() ? given.as_sequence()->front() : given).tensor();
    std::vector<float> y;
    for (const float value : x.as<float>()) y.push_back(function_(value));
    return {{{"y", Array::of<float>(x.shape(), y)}}, 0.002};
  }

  std::string& diary_;
  Function function_;
};

// Feeds x = [i + 1, i + 2] for iteration i.
class CountingFeeds : public FeedSource {
 public:
  explicit CountingFeeds(int64_t iterations, bool generates = true)
      : iterations_(iterations), generates_(generates) {}
  std::optional<ValueMap> next(const Metadata&) override {
    if (next_ == iterations_) return std::nullopt;
    return feed(static_cast<float>(next_++), {1, 2});
  }
  bool generates() const override { return generates_; }
  std::optional<ValueMap> again(int64_t iteration, const Metadata& inputs) override {
    if (!generates_) return std::nullopt;
    Shape shape;
    for (const Dim& dim : *inputs.at_index(0).second.shape) shape.push_back(dim.value());
    return feed(static_cast<float>(iteration), shape);
  }
  static ValueMap feed(float first, Shape shape) {
    std::vector<float> values;
    for (int64_t i = 0; i < element_count(shape); ++i)
      values.push_back(first + static_cast<float>(i + 1));
    return {{"x", Array::of<float>(std::move(shape), values)}};
  }

 private:
  int64_t iterations_, next_ = 0;
  bool generates_;
};

inline float same(float x) {
  return x;
}
inline float broken(float) {
  throw RunnerFailure("the runtime broke", "Use another one.");
}
inline float off_by_one_from_3(float x) {
  return x < 3 ? x : x + 1;
}
inline float nan_from_3(float x) {
  return x < 3 ? x : std::numeric_limits<float>::quiet_NaN();
}

class ComparatorTest : public testing::Test {
 protected:
  ComparatorTest() { options_.metrics = {find_metric("simple")}; }

  FunctionRunner& add(const char* name, FunctionRunner::Function function) {
    auto runner = std::make_unique<FunctionRunner>(name, diary_, std::move(function), &log_.log());
    FunctionRunner& reference = *runner;
    runners_.push_back(std::move(runner));
    return reference;
  }
  bool run(int64_t iterations) {
    CountingFeeds feeds(iterations);
    return !run_and_compare(runners_, feeds, options_, log_.log()).failed();
  }
  std::string failure(int64_t iterations) {
    try {
      run(iterations);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string path(const char* name) const { return folder_ / name; }
  size_t saved_iterations(const char* name) {
    LogText quiet;
    size_t count = 0;
    OutputReader reader(path(name), quiet.log());
    while (reader.next()) ++count;
    return count;
  }

  const TemporaryFolder folder_;
  LogText log_{Severity::kStart};
  std::string diary_;
  Runners runners_;
  CompareOptions options_;
};

}  // namespace polygraphy
