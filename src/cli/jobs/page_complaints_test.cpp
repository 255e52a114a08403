#include "cli/jobs/page_complaints.h"
#include "base/log_modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polygraphy::cli {
namespace {

using ::testing::ElementsAre;

TEST(PageComplaints, EqualTextsAboutOutputsAreOneLine) {
  EXPECT_THAT(grouped_by_output({"Error: FAILED | Output: 'a' | too far (rel=1)", "Warning: other",
                                 "Error: FAILED | Output: 'b c' | too far (rel=1)",
                                 "Error: FAILED | Output: 'd' | too far (rel=2)",
                                 "Warning: run | Output: x:0: has zeros",
                                 "Warning: run | Output: y: has zeros"}),
              ElementsAre("2 outputs: Error: FAILED | Output: … | too far (rel=1)\n'a', 'b c'",
                          "Warning: other", "Error: FAILED | Output: 'd' | too far (rel=2)",
                          "2 outputs: Warning: run | Output: …: has zeros\nx:0, y"));
}

TEST(PageComplaints, OnlyTheFirstOutputsAreNamed) {
  std::vector<std::string> texts;
  for (const char* name : {"a", "b", "c", "d", "e"})
    texts.push_back(std::string("Output: '") + name + "' | no");
  EXPECT_THAT(grouped_by_output(texts),
              ElementsAre("5 outputs: Output: … | no\n'a', 'b', 'c' and 2 more"));
}

TEST(PageComplaints, TheVerdictIsNotRepeated) {
  Logger log;
  const PageComplaints complaints(log);
  log.error("main.py", "3 outputs differ\n  largest of 'a'");
  log.error(log_modules::kIterativeDebug, "FAILED | Iteration 3");
  log.error("main.py", "No runtime for run-N0-11/26/26-09:42:56");
  ReportPage page;
  page.sections.emplace_back(
      ReportVerdict{.headline = "FAILED: 3 outputs differ", .lines = {"  largest of 'a'", "more"}});
  complaints.add_to(page);
  ASSERT_EQ(page.sections.size(), 2u);
  EXPECT_THAT(std::get<ReportNotes>(page.sections[1]).lines,
              ElementsAre("Error: No runtime for run-N0"));
}

}  // namespace
}  // namespace polygraphy::cli
