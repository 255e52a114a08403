#include "pictures/report_page/report_form.h"

#include <gtest/gtest.h>

#include <limits>

namespace polygraphy {
namespace {

// Of `option`, or of the variable.
std::string rendered(std::string_view name, const ReportPage& page) {
  for (const ReportForm* form : report_forms()) {
    if (form->option == name || form->variable == name) return form->render(page);
  }
  throw std::out_of_range(std::string(name));
}

ReportPage page_of(ReportMark mark, std::vector<ReportTable::Row> rows) {
  return {
      .title = "Zoo of a",
      .file = "models/a.onnx",
      .sections = {ReportVerdict{.mark = mark, .headline = "1 of 2 models <differs>"},
                   ReportTable{.title = "Models",
                               .columns = {{"Model"}, {"Engine"}, {"Outcome"}, {"Error", true}},
                               .rows = std::move(rows),
                               .cases = ReportTable::Cases{
                                   .name = {"Model"}, .outcome = "Outcome", .suite = "Engine"}}}};
}

ReportPage every_mark() {
  const auto row = [](const char* name, const char* outcome, ReportMark mark) {
    return ReportTable::Row{.cells = {name, "onnxrt", outcome, 0.5}, .mark = mark};
  };
  ReportPage page = page_of(ReportMark::kBad, {row("a|b", "differs", ReportMark::kBad),
                                               row("c", "crashed: 50%,\nlater", ReportMark::kError),
                                               row("d", "not finite", ReportMark::kUndecided),
                                               row("e", "within tolerance", ReportMark::kWarning),
                                               row("f", "not compared", ReportMark::kSkipped),
                                               row("g\x1b[31m", "passed", ReportMark::kGood)});
  std::get<ReportTable>(page.sections[1]).rows[5].seconds = 0.25;
  return page;
}

TEST(ReportForm, JUnitHasATestPerCase) {
  EXPECT_EQ(rendered("--junit", every_mark()),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Zoo of a">
  <testsuite name="Zoo of a" tests="1" failures="1" errors="0" skipped="0">
    <testcase name="verdict" classname="Zoo of a">
      <failure message="1 of 2 models &lt;differs&gt;"></failure>
    </testcase>
  </testsuite>
  <testsuite name="onnxrt" tests="6" failures="2" errors="1" skipped="1">
    <testcase name="a|b" classname="onnxrt">
      <failure message="differs">Error: 0.5
</failure>
    </testcase>
    <testcase name="c" classname="onnxrt">
      <error message="crashed: 50%,
later">Error: 0.5
</error>
    </testcase>
    <testcase name="d" classname="onnxrt">
      <failure message="not finite">Error: 0.5
</failure>
    </testcase>
    <testcase name="e" classname="onnxrt"/>
    <testcase name="f" classname="onnxrt">
      <skipped message="not compared">Error: 0.5
</skipped>
    </testcase>
    <testcase name="g\x1b[31m" classname="onnxrt" time="0.250000"/>
  </testsuite>
</testsuites>
)");
}

TEST(ReportForm, AFailedVerdictIsAFailedTestWithoutRows) {
  const std::string xml = rendered("--junit", page_of(ReportMark::kError, {}));
  EXPECT_NE(xml.find("errors=\"1\""), std::string::npos) << xml;
}

TEST(ReportForm, GitHubGetsAnnotationsOfFailures) {
  EXPECT_EQ(rendered("GITHUB_ACTIONS", every_mark()),
            "::error file=models/a.onnx,title=Zoo of a::1 of 2 models <differs>\n"
            "::error file=models/a.onnx,title=Zoo of a::a|b: differs\n"
            "::error file=models/a.onnx,title=Zoo of a::c: crashed: 50%25, later\n"
            "::error file=models/a.onnx,title=Zoo of a::d: not finite\n");
  EXPECT_EQ(rendered("GITHUB_ACTIONS", page_of(ReportMark::kGood, {})), "");
  EXPECT_EQ(rendered("GITHUB_ACTIONS", page_of(ReportMark::kWarning, {})),
            "::warning file=models/a.onnx,title=Zoo of a::1 of 2 models <differs>\n");
}

TEST(ReportForm, TheSummaryHasTheVerdictAndTheWorst) {
  ReportPage page = every_mark();
  page.sections.emplace_back(ReportCommands{.title = {}, .commands = {{"locate", "a -b"}}});
  EXPECT_EQ(rendered("GITHUB_STEP_SUMMARY", page),
            "### ❌ Zoo of a\n\n1 of 2 models &lt;differs&gt;\n\n"
            "- ❌ a\\|b: differs\n- ❌ c: crashed: 50%, later\n- ⚠️ d: not finite\n"
            "- locate: `a -b`\n\n");
}

// Markdown ends a line at \r, too.
TEST(ReportForm, ALineOfTheSummaryStaysOne) {
  const ReportTable::Row row{.cells = {"a\r\n# b\r# c", "onnxrt", "differs", 0.5},
                             .mark = ReportMark::kBad};
  const std::string summary = rendered("GITHUB_STEP_SUMMARY", page_of(ReportMark::kBad, {row}));
  EXPECT_NE(summary.find("- ❌ a "), std::string::npos) << summary;
  EXPECT_EQ(summary.find('\r'), std::string::npos) << summary;
}

TEST(ReportForm, CodeQualityHasAFindingPerFailure) {
  const std::string json = rendered("--code-quality", every_mark());
  EXPECT_NE(json.find("\"description\": \"onnxrt: a|b: differs\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"severity\": \"minor\""), std::string::npos) << json;
  EXPECT_EQ(json.find("passed"), std::string::npos) << json;
  EXPECT_EQ(rendered("--code-quality", page_of(ReportMark::kGood, {})), "[]\n");
}

TEST(ReportForm, NodeDataIsAFilePerFigure) {
  ReportPage page = every_mark();
  auto& table = std::get<ReportTable>(page.sections[1]);
  table.nodes = ReportTable::Nodes{.keys = {"Model"}, .figures = {"Error"}};
  table.rows.resize(3);
  table.rows[0].cells[3] = 0.001;
  table.rows[1].cells[3] = std::numeric_limits<double>::infinity();
  for (const ReportForm* form : report_forms()) {
    if (form->option != "--node-data") continue;
    const std::vector<ReportFile> files = form->files(page);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].name, "models_verdict.json");
    EXPECT_EQ(files[0].text,
              R"({"name":"Verdict","results":{"a|b":{"value":"differs","bgColor":"#f08a80"},)"
              R"("c":{"value":"crashed: 50%,\nlater","bgColor":"#f08a80"},)"
              R"("d":{"value":"not finite","bgColor":"#f6e3a1"}}})");
    EXPECT_EQ(files[1].name, "models_error.json");
    EXPECT_EQ(files[1].text,
              R"({"name":"Error","results":{"a|b":{"value":0.001,"bgColor":"#ffffff"},)"
              R"("d":{"value":0.5,"bgColor":"#ff5f5f"}}})");
  }
}

TEST(ReportForm, NodeDataNameANodeOnce) {
  ReportPage page;
  page.sections.emplace_back(ReportTable{
      .title = "Nodes",
      .columns = {{"Node"}, {"Tensor"}, {"Error", true}},
      .rows = {{.cells = {"a", "t", 1.}}, {.cells = {"a", "u", 1.}}, {.cells = {"", "v", 1.}}},
      .nodes = ReportTable::Nodes{.keys = {"Node", "Tensor"}, .figures = {"Error"}}});
  for (const ReportForm* form : report_forms()) {
    if (form->option != "--node-data") continue;
    EXPECT_EQ(form->files(page).at(0).text,
              R"({"name":"Error","results":{"a":{"value":1.0,"bgColor":"#ffffff"},)"
              R"("u":{"value":1.0,"bgColor":"#ffffff"},"v":{"value":1.0,"bgColor":"#ffffff"}}})");
  }
}

TEST(ReportForm, OpenMetricsCountsOutcomes) {
  const std::string text = rendered("--openmetrics", every_mark());
  for (const char* line :
       {"polygraphy_passed{report=\"Zoo of a\"} 0\n",
        "polygraphy_cases{report=\"Zoo of a\",suite=\"onnxrt\",outcome=\"failed\"} 1\n",
        "polygraphy_cases{report=\"Zoo of a\",suite=\"onnxrt\",outcome=\"not run\"} 1\n",
        "polygraphy_case_seconds{report=\"Zoo of a\",suite=\"onnxrt\",case=\"g\\\\x1b[31m\"} "
        "0.25\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_TRUE(text.ends_with("# EOF\n"));
}

TEST(ReportForm, TheTraceHasALanePerTimeline) {
  ReportPage page = page_of(ReportMark::kGood, {});
  page.sections.emplace_back(
      ReportTimeline{.lanes = {{.name = "onnxrt", .spans = {{"running", 0.25, 1.5e-6}}}}});
  EXPECT_EQ(rendered("--trace", page),
            R"({"displayTimeUnit":"ms","traceEvents":[)"
            R"({"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"onnxrt"}},)"
            R"({"name":"running","ph":"X","pid":1,"tid":1,"ts":250000.0,"dur":1.5}]})");
  EXPECT_EQ(report_html(page).find("running"), std::string::npos);
}

}  // namespace
}  // namespace polygraphy
