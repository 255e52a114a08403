#include "cli/remedies.h"

#include <gtest/gtest.h>

#include "polygraphy/compare/accuracy.h"
#include "polygraphy/compare/accuracy/check_accuracy.h"
#include "polygraphy/compare/image_distance.h"
#include "polygraphy/debug/interactive_check.h"

namespace polygraphy::cli {
namespace {

TEST(Remedies, AnErrorWithoutACodeIsAsItIs) {
  const Error error("It is wrong", "Do it right.");
  EXPECT_EQ(message(error), "It is wrong");
  EXPECT_EQ(advice(error), "Do it right.");
}

TEST(Remedies, ARemedyFollowsTheHint) {
  EXPECT_EQ(advice(Error(kNoLpips, "No torch", "LPIPS is computed by torch.")),
            "LPIPS is computed by torch. Without them: --compare quality_metrics (PSNR and SNR).");
  EXPECT_EQ(advice(Error(kNoAnswer, "The input has ended")),
            "Give a command that decides: --check COMMAND.");
}

TEST(Remedies, SomeTakeThePlaceOfTheHint) {
  const std::string text = advice(Error(kNoSavedElements, "Cannot", "Choose a statistic."));
  EXPECT_EQ(text.find("Choose a statistic."), std::string::npos);
  EXPECT_NE(text.find("--check-error-stat max"), std::string::npos);
}

TEST(Remedies, MessagesAboutOptionsNameThem) {
  const Error error(kAverageWithFailFast, "check_average=True cannot be combined");
  EXPECT_EQ(message(error), "--check-average cannot be combined with --fail-fast.");
  EXPECT_EQ(advice(error), "");
}

}  // namespace
}  // namespace polygraphy::cli
