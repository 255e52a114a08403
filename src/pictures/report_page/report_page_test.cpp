#include "pictures/report_page/report_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace polygraphy {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string html_of(ReportSection section) {
  return report_html(
      {.title = "t", .command = "c", .maker = "m", .sections = {std::move(section)}});
}

TEST(ReportPageTest, IsOneFileThatMayFetchNothing) {
  const std::string html = html_of(ReportVerdict{.mark = ReportMark::kBad, .headline = "FAILED"});
  EXPECT_THAT(html, StartsWith("<!doctype html>"));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, HasSubstr("<section class=\"verdict bad\">\n<h2>FAILED</h2>"));
  EXPECT_THAT(html, Not(HasSubstr("src=")));
  EXPECT_THAT(html, Not(HasSubstr("href=")));
}

TEST(ReportPageTest, TheHeadAndTheTabNameTheSubject) {
  const std::string html =
      report_html({.title = "Run of a<b.onnx", .about = {{"Engines", "one 1.0 & two"}}});
  EXPECT_THAT(html, HasSubstr("<title>Run of a&lt;b.onnx</title>"));
  EXPECT_THAT(html, HasSubstr("<h1>Run of a&lt;b.onnx</h1>\n<dl class=\"about\">\n<div>"
                              "<dt>Engines</dt><dd>one 1.0 &amp; two</dd></div>\n</dl>"));
}

TEST(ReportPageTest, NamesDoNotTurnTheRestOfALineAround) {
  EXPECT_THAT(report_html({.title = "Run of \u202egnp.onnx"}),
              HasSubstr("<h1>Run of \\u202egnp.onnx</h1>"));
}

TEST(ReportPageTest, TheSameTwice) {
  const ReportCurve curve{.title = "errors", .places = {"a", "b"}, .series = {{"one", {1, 2}}}};
  EXPECT_EQ(html_of(curve), html_of(curve));
}

TEST(ReportPageTest, NumbersThatJsonHasNotAreTexts) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string html = html_of(
      ReportCurve{.places = {"a", "b", "c"}, .series = {{"s", {infinity, std::nan(""), -1.5}}}});
  EXPECT_THAT(html, HasSubstr(R"("series":[["s",["inf","NaN",-1.5]]])"));
}

TEST(ReportPageTest, WholeNumbersAreInFull) {
  const ReportTable table{
      .columns = {{"n", true, {}}},
      .rows = {{.cells = {1234567.0}}, {.cells = {9007199254740991.0}}, {.cells = {0.123456789}}}};
  const std::string html = html_of(table);
  EXPECT_THAT(html, HasSubstr("[0,1234567],[0,9007199254740991],[0,0.123457]"));
  for (const char* cell : {">1234567<", ">9007199254740991<", ">0.1235<"})
    EXPECT_THAT(html, HasSubstr(cell));
}

TEST(ReportPageTest, NoTextEndsTheScriptOrBecomesMarkup) {
  const std::string odd = "</script><b>&\"\n\xff";
  const ReportTable table{.title = odd,
                          .columns = {{odd, false, odd}},
                          .rows = {{.cells = {odd}, .mark = ReportMark::kGood}}};
  const std::string html = html_of(table);
  EXPECT_THAT(html, Not(HasSubstr("</script><b>")));
  EXPECT_THAT(html, HasSubstr("&lt;/script&gt;&lt;b&gt;"));
  EXPECT_THAT(html, HasSubstr(R"("rows":[[1,"\u003c/script>\u003cb>&\"\n)"));
}

TEST(ReportPageTest, RowsOfNodesTellTheirColumnsByPlace) {
  const ReportTable table{
      .columns = {{"Verdict", false, {}}, {"Node", false, {}}, {"Error", true, {}}},
      .cases = ReportTable::Cases{.name = {"Node"}, .outcome = "Verdict"},
      .nodes = ReportTable::Nodes{.keys = {"Node"}, .figures = {"Error"}}};
  EXPECT_THAT(html_of(table), HasSubstr(R"("keys":[1],"figures":[2],"outcome":0)"));
}

TEST(ReportPageTest, LongTablesAreCutOnPaperOnly) {
  ReportTable table{.columns = {{"n", true, {}}}};
  for (int i = 0; i < 1000; ++i) table.rows.push_back({.cells = {static_cast<double>(i)}});
  const std::string html = html_of(table);
  EXPECT_THAT(html, HasSubstr("and 800 more rows"));
  EXPECT_THAT(html, Not(HasSubstr("<td class=\"number\">200</td>")));
  EXPECT_THAT(html, HasSubstr("[0,200],[0,201]"));
}

TEST(ReportPageTest, APictureKeepsItsStylesToItself) {
  const std::string html =
      html_of(ReportPicture{"graph", "<?xml version=\"1.0\"?><svg><style>a{}</style></svg>"});
  EXPECT_THAT(html, HasSubstr("height: auto; }</style><svg><style>a{}</style></svg></template>"));
  EXPECT_THAT(html, Not(HasSubstr("<?xml")));
}

TEST(ReportPageTest, CommandsAreShownAsTheyAreTyped) {
  const std::string html =
      html_of(ReportCommands{"next", {{"cut", "polygraphy surgeon extract 'a b.onnx'"}}});
  EXPECT_THAT(html, HasSubstr("<code>polygraphy surgeon extract 'a b.onnx'</code>"));
}

}  // namespace
}  // namespace polygraphy
