// Programs as engines, and errors of the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "../cli/in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class ConsistencyProgramsTest : public testing::Test {
 protected:
  // y = x of shape (2, 3).
  ConsistencyProgramsTest() : model_(folder_.write("m.onnx", identity_model())) {}

  Outcome check(std::vector<std::string> options) {
    std::vector<std::string> args = {"check", "consistency", model_};
    args.insert(args.end(), options.begin(), options.end());
    Outcome outcome = run_in_process(args, {.columns = 200});
    outcome.out = without_dates(outcome.out);
    return outcome;
  }
  // `y` in terms of the rows x.
  Outcome check_program(const std::string& y, std::vector<std::string> options = {}) {
    const std::string path = folder_.write("engine.py",
                                           "import json, random, sys\n"
                                           "x = json.load(sys.stdin)['x']\n"
                                           "print(json.dumps({'y': " +
                                               y + "}))\n");
    options.insert(options.begin(), {"--model-runner", path});
    return check(std::move(options));
  }

  const TemporaryFolder folder_;
  const std::string model_;
};

TEST_F(ConsistencyProgramsTest, OneThatAgreesWithItself) {
  const Outcome outcome = check_program("x", {"--batch-inputs", "x"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("the engine has no option for threads"));
  EXPECT_THAT(outcome.out, HasSubstr("every inference already runs in a separate process"));
  EXPECT_THAT(outcome.out, HasSubstr("the model supports batches of 2 only"));
}

TEST_F(ConsistencyProgramsTest, OneThatIsRandom) {
  const Outcome outcome = check_program("[[v + random.random() for v in row] for row in x]",
                                        {"--only-check", "repeat"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("differs"));
  EXPECT_THAT(outcome.out, HasSubstr("6 of 6 elements of y exceed the tolerance"));
}

TEST_F(ConsistencyProgramsTest, TolerancesOfOneOutput) {
  const std::string program = "[[v + 1e-3 * random.random() for v in row] for row in x]";
  EXPECT_EQ(check_program(program, {"--only-check", "repeat"}).code, 1);
  const Outcome outcome = check_program(program, {"--only-check", "repeat", "--atol", "y:1e-2"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("within tolerance"));
}

TEST_F(ConsistencyProgramsTest, TolerancesThatAreNone) {
  EXPECT_THAT(check_program("x", {"--atol", "nan"}).err,
              HasSubstr("--atol: nan cannot be a threshold"));
  EXPECT_THAT(check_program("x", {"--rtol", "y:-1"}).err,
              HasSubstr("--rtol must not be negative, but was: -1 (output 'y')"));
}

TEST_F(ConsistencyProgramsTest, OneWithRowsThatKnowTheirPlace) {
  const std::string program = "[[v + i for v in row] for i, row in enumerate(x)]";
  EXPECT_EQ(check_program(program).code, 0) << "they may be steps of a sequence";
  const Outcome outcome = check_program(program, {"--batch-inputs", "x"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("Not consistent: 2 differ, 1 identical"));
}

TEST_F(ConsistencyProgramsTest, SavedInputs) {
  const std::string inputs = folder_.write(
      "inputs.json", R"([{"x": [[1, 2, 3], [4, 5, 6]]}, {"x": [[7, 8, 9], [10, 11, 12]]}])");
  const Outcome outcome =
      check_program("[[v + (v == 12 and random.random() + 1) for v in row] for row in x]",
                    {"--only-check", "repeat", "--load-inputs", inputs});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("y[1, 2]: 13."));
}

TEST_F(ConsistencyProgramsTest, NoEngine) {
  const Outcome outcome = check({});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("No engine to check"));
  EXPECT_THAT(outcome.err, HasSubstr("--onnxrt"));
}

TEST_F(ConsistencyProgramsTest, NamesThatAreNone) {
  EXPECT_THAT(check({"--onnxrt", "--only-check", "thread"}).err,
              HasSubstr("Unknown consistency check 'thread'"));
  EXPECT_THAT(check({"--onnxrt", "--batch-inputs", "z"}).err,
              HasSubstr("The model has no input 'z'"));
  EXPECT_THAT(check({"--onnxrt", "--batch-size", "1"}).err, HasSubstr("It needs at least 2"));
  EXPECT_THAT(check({"--onnxrt", "--batch-size", "99999999999"}).err,
              HasSubstr("A batch of 99999999999 rows is too large"));
}

TEST_F(ConsistencyProgramsTest, ListOfChecks) {
  const Outcome outcome = check({"--list-checks"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("threads\n    one thread against several\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("RUNNING")));
}

}  // namespace
}  // namespace polygraphy::cli
