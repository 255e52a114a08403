#include "polygraphy/comparison/compare/report/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;
using testing::Not;

class RunReportTest : public testing::Test {
 protected:
  RunReportTest() {
    write(folder_, "log.txt", "");
    run_.save_inputs = path("inputs.json");
    run_.save_outputs = path("outputs");
  }
  std::string path(const std::string& name) const { return folder_ / name; }
  RunReport report(std::string command = "polygraphy run") {
    ReportOptions options;
    options.folder = folder_.path();
    options.command = std::move(command);
    return {std::move(options), run_, log_};
  }
  static Verdict agreed() {
    return {.agreement = Agreement::kAgrees, .measure = "simple", .total = 1, .compared = 1};
  }
  std::string text() const { return contents_of(folder_ / "report.txt"); }

  TemporaryFolder folder_;
  CompareOptions run_;
  Logger log_;
};

TEST_F(RunReportTest, WhileItRunsThereIsNoVerdictOfAnEarlierRun) {
  EXPECT_TRUE(report().around([] { return agreed(); }).passed());
  EXPECT_FALSE(report()
                   .around([&] {
                     EXPECT_THAT(text(), HasSubstr("Verdict: UNFINISHED\n"));
                     return Verdict{.agreement = Agreement::kDiffers};
                   })
                   .passed());
  EXPECT_THAT(text(), HasSubstr("Verdict: FAILED\n"));
}

TEST_F(RunReportTest, NamesFilesThatAreThere) {
  write(folder_, "inputs.json", "{}");
  EXPECT_TRUE(report().around([] { return agreed(); }).passed());
  EXPECT_THAT(text(), HasSubstr("Verdict: PASSED\n1 output agrees within the tolerances\nLog: " +
                                path("log.txt") + "\nInputs: " + path("inputs.json") + "\n"));
  EXPECT_THAT(text(), Not(HasSubstr("Outputs: ")));
}

// cat report.txt
TEST_F(RunReportTest, NamesCannotWriteToTheTerminal) {
  report("polygraphy run \x1b]0;T\x07\u202e.onnx").around([] { return agreed(); });
  EXPECT_THAT(text(), HasSubstr(R"(Command: polygraphy run \x1b]0;T\x07\u202e.onnx)"));
}

// A file of this name is of an earlier run; a folder has what was finished.
TEST_F(RunReportTest, OfAnInterruptedRunOnlyFoldersAreNew) {
  write(folder_, "inputs.json", "{}");
  write(folder_, "outputs/0.npz", "");
  EXPECT_THROW(report().around([]() -> Verdict { throw Interrupted(); }), Interrupted);
  EXPECT_THAT(text(), HasSubstr("Verdict: INTERRUPTED\n"));
  EXPECT_THAT(text(), HasSubstr("Outputs: " + path("outputs") + "\n"));
  EXPECT_THAT(text(), Not(HasSubstr("Inputs: ")));
}

}  // namespace
}  // namespace polygraphy
