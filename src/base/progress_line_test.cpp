#include "base/progress_line.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace polygraphy {
namespace {

double now = 0;

std::string text_of(int64_t done, std::optional<int64_t> total, double seconds) {
  return progress_text(std::vector<Progress>{{.phase = "iteration", .done = done, .total = total}},
                       {seconds, seconds});
}

TEST(ProgressLine, SaysHowFarAndHowLong) {
  EXPECT_EQ(text_of(12, 1000, 2.4), "iteration:   1%|          | 12/1000 [0:02<3:18]");
  EXPECT_EQ(text_of(1, 5000, 2), "iteration:   0%|          | 1/5000 [0:02<2:46:38]");
  EXPECT_EQ(text_of(1000, 1000, 2), "iteration: 100%|██████████| 1000/1000 [0:02<0:00]");
  EXPECT_EQ(text_of(16, std::nullopt, 2), "iteration: 16 [0:02, 8.0/s]");
  EXPECT_EQ(text_of(0, std::nullopt, 2), "iteration [0:02]");
}

TEST(ProgressLine, SaysWhichPhaseOfAPhase) {
  const std::vector<Progress> phases = {{.phase = "comparing group", .done = 1, .total = 4},
                                        {.phase = "loading"},
                                        {.phase = "noise run", .done = 3, .total = 16}};
  EXPECT_EQ(progress_text(phases, {61, 5}),
            "comparing group:  25%|██▌       | 1/4 [1:01<0:15] | loading | noise run 3/16");
}

TEST(ProgressLine, SaysHowFarAFileIs) {
  std::vector<Progress> file = {
      {.phase = "writing out.onnx", .done = int64_t{3} << 30, .bytes = true}};
  EXPECT_EQ(progress_text(file, {3, 3}), "writing out.onnx: 3 GiB [0:03]");
  file[0].total = int64_t{12} << 30;
  EXPECT_EQ(progress_text(file, {3, 3}),
            "writing out.onnx:  25%|██▌       | 3 GiB/12 GiB [0:03<0:09]");
}

class OnTerminal : public testing::Test {
 protected:
  OnTerminal()
      : OnTerminal({.draw = [this](const std::string& text) { drawn_.push_back(text); },
                    .clock = [] { return now; }}) {}
  explicit OnTerminal(ProgressLine::Terminal terminal) : line_((now = 0, std::move(terminal))) {}

  std::vector<std::string> drawn_;
  ProgressLine line_;
  const ProgressWatch watch_{[this](auto phases) { line_.update(phases); }};
};

using Lines = std::vector<std::string>;

TEST_F(OnTerminal, IsDrawnAfterASecondAndGoesAtTheEnd) {
  {
    ProgressPhase phase("iteration", 4);
    phase.step();
    EXPECT_EQ(drawn_, Lines());
    now = 2;
    phase.step();
    phase.step();
    EXPECT_EQ(drawn_, Lines{"iteration:  50%|█████     | 2/4 [0:02<0:02]"});
  }
  EXPECT_EQ(drawn_.back(), "");
  ProgressPhase next("check");
  now = 2.5;
  next.step();
  EXPECT_EQ(drawn_.size(), 2u) << "the next work has a quiet second, too";
}

TEST_F(OnTerminal, SurvivesMessages) {
  ProgressPhase phase("iteration", 4);
  line_.hide();
  line_.show_again();
  EXPECT_EQ(drawn_, Lines()) << "nothing is shown yet";
  now = 2;
  phase.step();
  line_.hide();
  line_.show_again();
  const std::string text = "iteration:  25%|██▌       | 1/4 [0:02<0:06]";
  EXPECT_EQ(drawn_, (Lines{text, "", text}));
}

TEST_F(OnTerminal, FitsIntoTheLine) {
  ProgressPhase phase(std::string(71, 'x') + "ü", 4);
  now = 2;
  phase.step();
  EXPECT_EQ(drawn_, Lines{std::string(71, 'x') + "ü:  25%|"});
}

TEST_F(OnTerminal, GoesOnInACallThatReportsNothing) {
  const ProgressPhase phase("running the model as it is");
  line_.tick();
  EXPECT_EQ(drawn_, Lines());
  now = 28;
  line_.tick();
  line_.tick();
  now = 29.5;
  line_.tick();
  EXPECT_EQ(drawn_,
            (Lines{"running the model as it is [0:28]", "running the model as it is [0:29]"}));
}

TEST_F(OnTerminal, WaitsForTheEndOfAMessage) {
  const ProgressPhase phase("check");
  line_.hide();
  now = 5;
  line_.tick();
  EXPECT_EQ(drawn_, Lines());
  line_.show_again();
  line_.tick();
  EXPECT_EQ(drawn_, Lines{"check [0:05]"});
}

class InLog : public OnTerminal {
 protected:
  InLog()
      : OnTerminal({.draw = [this](const std::string& text) { drawn_.push_back(text); },
                    .clock = [] { return now; },
                    .columns = 20,
                    .is_log = true}) {}
};

TEST_F(InLog, HasALineEveryTenSeconds) {
  {
    ProgressPhase phase("model", 8);
    for (now = 0; now < 25; ++now) line_.tick();
    phase.step();
    line_.hide();
    line_.show_again();
    now = 31;
    line_.tick();
  }
  EXPECT_EQ(drawn_,
            (Lines{"model:   0%|          | 0/8 [0:10<?]", "model:   0%|          | 0/8 [0:20<?]",
                   "model:  12%|█▎        | 1/8 [0:31<3:37]"}));
}

}  // namespace
}  // namespace polygraphy
