#include "polygraphy/model_tools/inspect/inspect_tactics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/recording_log.h"

namespace polygraphy {
namespace {

// A replay of one layer.
std::string replay(const std::string& layer, int tactic) {
  return R"({"replay": {")" + layer + R"(": {"implementation": 7, "tactic": )" +
         std::to_string(tactic) +
         R"(, "inputs": [], "outputs": []}}, "polygraphy_class": "TacticReplayData"})";
}

TEST(DiffTactics, LeavesWhatOnlyBadReplaysHave) {
  const TemporaryFolder folder;
  write(folder, "good/one.json", replay("conv", 1));
  write(folder, "good/deeper/two.json", replay("conv", 2));
  write(folder, "bad/one.json", replay("conv", 2));
  write(folder, "bad/two.json", replay("conv", 3));
  write(folder, "bad/three.json", replay("relu", 1));
  write(folder, "bad/notes.txt", "not one");
  RecordingLog log;
  const SuspectTactics suspects =
      diff_tactics({.good = folder / "good", .bad = folder / "bad"}, log.log());
  ASSERT_EQ(suspects.size(), 2u);
  EXPECT_THAT(*suspects.find("conv"),
              testing::ElementsAre(testing::Field(&TacticAlgorithm::tactic, 3)));
  EXPECT_TRUE(log.has("Loaded 2 good tactic replays."));
  EXPECT_TRUE(log.has("Loaded 3 bad tactic replays."));
}

TEST(DiffTactics, ASideWithoutReplaysIsTold) {
  const TemporaryFolder folder;
  write(folder, "bad/one.json", replay("conv", 2));
  write(folder, "good.json", "{");
  RecordingLog log;
  EXPECT_EQ(diff_tactics({.good = folder / "good.json", .bad = folder / "bad"}, log.log()).size(),
            1u);
  EXPECT_TRUE(log.has("good.json: line 1"));
  EXPECT_TRUE(log.has("good.json': all tactics of the bad replays are suspect."));
}

// It would never end.
TEST(DiffTactics, PipesInFoldersAreLeftAlone) {
  const TemporaryFolder folder;
  write(folder, "good/one.json", replay("conv", 1));
  ASSERT_EQ(::mkfifo((folder / "good/pipe").c_str(), 0600), 0);
  RecordingLog log;
  EXPECT_TRUE(diff_tactics({.good = folder / "good", .bad = folder / "good"}, log.log()).empty());
  EXPECT_TRUE(log.has("Loaded 1 bad tactic replays."));
}

TEST(DiffTactics, WithoutAFailureNothingIsSuspect) {
  const TemporaryFolder folder;
  write(folder, "good/one.json", replay("conv", 1));
  RecordingLog log;
  EXPECT_TRUE(diff_tactics({.good = folder / "good", .bad = folder / "bad", .one_may_miss = true},
                           log.log())
                  .empty());
  EXPECT_TRUE(log.has("Loaded 1 good tactic replays."));
  EXPECT_TRUE(log.has("Loaded 0 bad tactic replays."));
  EXPECT_TRUE(log.has("Could not determine potentially bad tactics."));
}

TEST(DiffTactics, AFolderThatIsNotThereIsAnError) {
  const TemporaryFolder folder;
  Logger silent;
  EXPECT_THROW(diff_tactics({.good = folder / "good", .bad = folder / "bad"}, silent), IoError);
}

}  // namespace
}  // namespace polygraphy
