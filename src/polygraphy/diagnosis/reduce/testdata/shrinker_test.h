// Runs one shrinker on a model, with a check that is a function on the text of candidates.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"

namespace polygraphy {

// Tests the text form of candidates by a function; candidates are to be valid.
class TextTest : public InterestingnessTest {
 public:
  TextTest(CandidateTools tools, std::function<bool(const std::string&)> fails)
      : tools_(tools), fails_(std::move(fails)) {}
  int asked = 0;

 private:
  bool answer(const Candidate& candidate, const Upcoming<Candidate>&) override {
    const auto model = candidate.make(tools_);
    if (!model) return false;
    graphsurgeon::check_model(*model, {.shapes = true});
    const std::string text = graphsurgeon::to_onnx_text(*model);
    const auto [known, is_new] = known_.try_emplace(text, false);
    if (!is_new) return known->second;
    ++asked;
    return known->second = fails_(text);
  }

  CandidateTools tools_;
  std::function<bool(const std::string&)> fails_;
  std::map<std::string, bool> known_;
};

class ShrinkerTest : public testing::Test {
 protected:
  // The text of the reduced model; empty: no reduction.
  std::string shrink(std::string_view name, const std::string& text,
                     std::function<bool(const std::string&)> fails) {
    const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(text);
    const std::string before = graphsurgeon::to_onnx_text(model);
    EXPECT_TRUE(fails(before));
    const auto feeds = generated_feeds({}, log_);
    SubmodelRunner submodels(model, {}, {}, log_);
    Intermediates intermediates(model, submodels, *feeds, log_);
    TextTest test({intermediates, log_}, fails);
    SearchTools tools{{intermediates, log_}, test};
    for (const Shrinker* shrinker : shrinkers()) {
      if (shrinker->name != name) continue;
      result_ = shrinker->shrink(model, tools);
    }
    asked_ = test.asked;
    EXPECT_EQ(graphsurgeon::to_onnx_text(model), before);
    if (!result_) return "";
    const std::string left = graphsurgeon::to_onnx_text(*result_);
    EXPECT_TRUE(fails(left));
    return left;
  }

  Logger log_;
  std::unique_ptr<graphsurgeon::Model> result_;
  int asked_ = 0;
};

inline auto has(std::vector<std::string> parts) {
  return [parts](const std::string& text) {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const auto& part) { return text.find(part) != std::string::npos; });
  };
}

// A convolution with separate weights.
inline std::string convolution() {
  std::string values = "0.5";
  for (int i = 1; i < 4 * 2 * 3 * 3; ++i) values += ", " + std::to_string(i) + ".5";
  return R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2, 2, 32, 32] x) => (float[2, 4, 16, 16] y) <float[4, 2, 3, 3] w = {)" +
         values + R"(}> {
      c = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]> (x, w)
      y = LeakyRelu <alpha = 0.1> (c)
    })";
}

}  // namespace polygraphy
