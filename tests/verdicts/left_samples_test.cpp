// Samples that one side of a comparison lacks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../cli/in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class LeftSamples : public testing::Test {
 protected:
  LeftSamples() {
    folder_.write("m.onnx", identity_model());
    save("1");
    save("3");
  }
  void save(const std::string& count) const {
    EXPECT_EQ(run({"run", "m.onnx", "--onnxrt", "--iterations", count, "--save-inputs",
                   "i" + count + ".json", "--save-outputs", "o" + count + ".json"})
                  .code,
              0);
  }
  Outcome run(const std::vector<std::string>& args) const {
    return run_in_process(args, {.root = folder_.path(), .columns = 200});
  }
  // Both commands, by noise and by tolerances.
  std::vector<Outcome> compare(const std::string& inputs, const std::string& outputs) const {
    std::vector<Outcome> outcomes;
    for (std::vector<std::string> args :
         {std::vector<std::string>{"run", "m.onnx", "--noise-floor"},
          {"debug", "locate", "m.onnx", "--json", "j.json"},
          {"debug", "locate", "m.onnx", "--json", "j.json", "--atol", "1"}}) {
      args.insert(args.end(), {"--onnxrt", "--load-inputs", inputs, "--load-outputs", outputs});
      outcomes.push_back(run(args));
      EXPECT_EQ(outcomes.back().code, 0) << outcomes.back().out << outcomes.back().err;
    }
    return outcomes;
  }

  TemporaryFolder folder_;
};

TEST_F(LeftSamples, AreTheReasonOfTheVerdict) {
  const std::string reason = "only the first iteration is in all results";
  for (const auto& [inputs, outputs] : {std::pair("i3.json", "o1.json"), {"i1.json", "o3.json"}}) {
    for (const Outcome& outcome : compare(inputs, outputs)) {
      EXPECT_THAT(outcome.out, HasSubstr(": " + reason));
      EXPECT_THAT(outcome.out, HasSubstr("[W]"));
      EXPECT_THAT(outcome.out, HasSubstr("different numbers of iterations"));
    }
    EXPECT_THAT(folder_.read("j.json"), HasSubstr("iterations: " + reason));
  }
  for (const Outcome& outcome : compare("i3.json", "o3.json")) {
    EXPECT_THAT(outcome.out, Not(HasSubstr("different numbers")));
    EXPECT_THAT(outcome.out, Not(HasSubstr(reason)));
  }
}

}  // namespace
}  // namespace polygraphy::cli
