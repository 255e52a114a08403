#include "cli/remedies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_list.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "polygraphy/comparison/compare/accuracy/check_accuracy.h"
#include "polygraphy/comparison/compare/comparison_requirements.h"
#include "polygraphy/comparison/compare/metrics/shared/image_distance.h"
#include "polygraphy/data/inputs/data_loader_errors.h"
#include "polygraphy/diagnosis/debug_loop/interactive_check.h"
#include "polygraphy/diagnosis/reduce/reduce_job.h"
#include "polygraphy/runtimes/backend/unknown_ranks.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// As `polygraphy <command> <words>` prints it.
std::string told(const Error& error, std::string_view command,
                 const std::vector<std::string>& words) {
  for (const Command* one : commands()) {
    if (one->path != command) continue;
    const auto syntax = syntax_of(*one, {});
    const ParsedArgs args = parse_args(*syntax, words);
    return advice(error, &args);
  }
  return "no such command";
}

TEST(Remedies, AnErrorWithoutACodeIsAsItIs) {
  const Error error("It is wrong", "Do it right.");
  EXPECT_EQ(message(error, nullptr), "It is wrong");
  EXPECT_EQ(advice(error, nullptr), "Do it right.");
}

TEST(Remedies, ARemedyFollowsTheHint) {
  EXPECT_EQ(
      advice(Error(kNoLpips, "No torch", "LPIPS is computed by torch."), nullptr),
      "LPIPS is computed by torch. Use --compare quality_metrics (PSNR and SNR) without them.");
  EXPECT_EQ(advice(Error(kNoAnswer, "The input has ended"), nullptr),
            "Give a check command: --check COMMAND.");
}

TEST(Remedies, ShapesAreFixedForARuntimeThatWantsKnownRanks) {
  EXPECT_THAT(told(Error(kUnknownRanks, "dynamic rank"), "run", {"m.onnx"}),
              HasSubstr("surgeon sanitize MODEL --override-input-shapes NAME:[...]"));
}

TEST(Remedies, SomeTakeThePlaceOfTheHint) {
  const std::string text =
      advice(Error(kNoSavedElements, "Cannot", "Choose a statistic."), nullptr);
  EXPECT_EQ(text.find("Choose a statistic."), std::string::npos);
  EXPECT_NE(text.find("--check-error-stat max"), std::string::npos);
}

TEST(Remedies, AnOptionThatWasGivenIsNoAdvice) {
  const Error error(graphsurgeon::kExternalDataElsewhere, "not found", "Put it there.");
  EXPECT_EQ(told(error, "run", {"m.onnx"}),
            "Put it there. Name another folder with --external-data-dir.");
  EXPECT_EQ(told(error, "run", {"m.onnx", "--external-data-dir", "d"}), "Put it there.");
}

TEST(Remedies, MessagesAboutOptionsNameThem) {
  const Error error(kAverageWithFailFast, "check_average=True cannot be combined");
  EXPECT_EQ(message(error, nullptr), "--check-average cannot be combined with --fail-fast.");
  EXPECT_EQ(advice(error, nullptr), "");
}

TEST(Remedies, AnOptionIsOneOfTheCommand) {
  const InputError error(kInputShapeUnknown, "m", "Not known", "Set the shape of input 'm'.");
  EXPECT_EQ(told(error, "run", {"m.onnx"}), "Set it with --input-shapes m:[...].");
  EXPECT_EQ(told(error, "debug reduce", {"m.onnx", "-o", "r.onnx"}),
            "Set it with --model-input-shapes m:[...].");
  EXPECT_EQ(told(error, "surgeon sanitize", {"m.onnx", "-o", "s.onnx"}),
            "Set it with --override-input-shapes m:[...].");
  EXPECT_EQ(told(error, "inspect model", {"m.onnx"}), "Set the shape of input 'm'.");
}

TEST(Remedies, AChecksCommandIsSpokenOfWhereThereIsOne) {
  const Error error(kNothingToReduce, "The check passes", "Try the check by hand.");
  const std::vector<std::string> model = {"m.onnx", "-o", "r.onnx"};
  EXPECT_EQ(told(error, "debug reduce", model),
            "Try the check by hand. --iter-artifact sets the file's name.");
  std::vector<std::string> in_process = model;
  in_process.push_back("--check-nan");
  const std::string text = told(error, "debug reduce", in_process);
  EXPECT_THAT(text, Not(HasSubstr("by hand")));
  EXPECT_THAT(text, Not(HasSubstr("--iter-artifact")));
  EXPECT_THAT(text, HasSubstr("--load-inputs"));
}

}  // namespace
}  // namespace polygraphy::cli
