#include "polygraphy/model_tools/lint/report.h"

#include <gmock/gmock.h>

#include "formats/record_json.h"
#include "polygraphy/model_tools/lint/lint.h"
#include "polygraphy/model_tools/lint/sarif.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

Finding finding(LintLevel level, std::string message, std::string node = {},
                std::string_view rule = "runs") {
  Finding result;
  result.level = level;
  result.source = LintSource::kOnnxruntime;
  result.message = std::move(message);
  result.node = std::move(node);
  result.rule = rule;
  return result;
}

class Lines {
 public:
  Logger log{[this](Severity, std::string_view text) { lines.emplace_back(text); }};
  std::vector<std::string> lines;
};

TEST(LintReport, AsTheOriginalWritesIt) {
  Lines lines;
  LintReport report;
  report.add(finding(LintLevel::kWarning, "Dropout is not a registered function/op", "H"),
             lines.log);
  EXPECT_THAT(record_text(LintResult{.report = report}), StartsWith(R"({
    "summary": {
        "passing": [
            "H"
        ],
        "failing": []
    },
    "lint_entries": [
        {
            "level": "warning",
            "source": "onnxruntime",
            "message": "Dropout is not a registered function/op",
            "nodes": [
                "H"
            ]
        }
    ],
    "answer": {)"));
  EXPECT_THAT(lines.lines, ElementsAre("[W] LINT | Dropout is not a registered function/op"));
}

TEST(LintReport, ANodeThatFailedDoesNotPass) {
  Lines lines;
  LintReport report;
  report.add(finding(LintLevel::kException, "", "a"), lines.log);
  report.add(finding(LintLevel::kException, "", "b"), lines.log);
  EXPECT_TRUE(report.valid());
  report.add(finding(LintLevel::kException, "no", "b"), lines.log);
  report.add(finding(LintLevel::kWarning, "unused", "b"), lines.log);
  EXPECT_FALSE(report.valid());
  EXPECT_THAT(report.passing(), ElementsAre("a"));
  EXPECT_THAT(report.failing(), ElementsAre("b"));
  EXPECT_EQ(report.findings().size(), 2u);
}

// Pruning removes all of ONNX Runtime's text on values that are too long.
TEST(LintReport, AMessageWithoutAnythingElseIsKept) {
  Lines lines;
  LintReport report;
  const std::string message =
      "/onnxruntime_src/core/optimizer/initializer.cc:51 onnxruntime::Initializer::Initializer("
      "const onnx::TensorProto&) ValidateSize Initializer 'w': raw_data size (12 bytes)\n";
  report.add(finding(LintLevel::kWarning, message, "a"), lines.log);
  EXPECT_THAT(lines.lines, IsEmpty());
  report.add(finding(LintLevel::kException, message, "a"), lines.log);
  EXPECT_FALSE(report.valid());
  EXPECT_THAT(report.failing(), ElementsAre("a"));
  EXPECT_THAT(lines.lines, ElementsAre(HasSubstr("raw_data size (12 bytes)")));
}

TEST(LintReport, OurOwnRulesDecideNothing) {
  Lines lines;
  LintReport report;
  report.add(finding(LintLevel::kWarning, "old", "n", "opset-misuse"), lines.log, false);
  EXPECT_THAT(report.passing(), IsEmpty());
  EXPECT_THAT(record_text(LintResult{.report = report}), HasSubstr(R"("rule": "opset-misuse")"));
}

TEST(LintReport, WhatRanAsAWholePasses) {
  Lines lines;
  LintReport report;
  report.add(finding(LintLevel::kException, "twice", "n", "duplicate-node-names"), lines.log);
  report.set_passing({"n", "m", "n"});
  EXPECT_THAT(report.passing(), ElementsAre("n", "m"));
  EXPECT_THAT(report.failing(), ElementsAre("n"));
}

TEST(Sarif, NamesRuleFileAndNode) {
  Lines lines;
  LintReport report;
  report.add(finding(LintLevel::kException, "it fails", "n"), lines.log);
  report.add(finding(LintLevel::kInfo, "big", "", "int64-overflow"), lines.log, false);
  const std::string text = to_sarif(report, "models/my model.onnx");
  EXPECT_THAT(text, HasSubstr(R"("version": "2.1.0")"));
  EXPECT_THAT(text, HasSubstr(R"("ruleId": "runs",
                    "level": "error",
                    "message": {
                        "text": "Node n: it fails"
                    },)"));
  EXPECT_THAT(text, HasSubstr(R"("uri": "models/my%20model.onnx")"));
  EXPECT_THAT(text, HasSubstr(R"("id": "int64-overflow")"));
  EXPECT_THAT(text, HasSubstr(R"("level": "note")"));
  EXPECT_THAT(to_sarif({}, "/m.onnx"), HasSubstr(R"("results": [])"));
  EXPECT_THAT(text, Not(HasSubstr("file://")));
}

}  // namespace
}  // namespace polygraphy
