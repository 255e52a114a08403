#include "polygraphy/inspect/data_text.h"

#include <gtest/gtest.h>

#include "base/array.h"
#include "base/error.h"
#include "base/testdata/temporary_folder.h"
#include "polygraphy/data/saved_files.h"

namespace polygraphy {
namespace {

const Array kMatrix = Array::of<float>({2, 2}, {1.5f, -2.0f, 0.0f, 4.0f});
const Array kFlags = Array::of<bool>({3}, {true, false, true});

constexpr const char* kMatrixLine =
    "a [dtype=float32, shape=(2, 2)] | Stats: mean=0.875, std-dev=2.1902, var=4.7969, median=0.75, "
    "min=-2 at (0, 1), "
    "max=4 at (1, 1), avg-magnitude=1.875, p90=3.25, p95=3.625, p99=3.925";
constexpr const char* kFlagsLine =
    "flags [dtype=bool, shape=(3,)] | Stats: mean=0.66667, std-dev=0.4714, var=0.22222, median=1, "
    "min=0 at (1,), max=1 "
    "at (0,), avg-magnitude=0.66667";

class DataText : public testing::Test {
 protected:
  std::string saved_inputs(const std::string& name, int iterations) {
    const std::string path = folder_ / name;
    InputWriter writer(path, log_);
    for (int i = 0; i < iterations; ++i) writer.add({{"a", kMatrix}, {"flags", kFlags}});
    writer.finish();
    return path;
  }

  TemporaryFolder folder_;
  Logger log_;
};

TEST_F(DataText, ShowsTheFirstIterationOfInputs) {
  const std::string expected =
      std::string("==== Data (2 iterations) ====\n\n") + kMatrixLine + "\n" + kFlagsLine;
  EXPECT_EQ(data_text(saved_inputs("i.json", 2), {}, log_), expected);
  EXPECT_EQ(data_text(saved_inputs("folder", 2), {}, log_), expected);
}

TEST_F(DataText, NumbersTheIterationsWhenAllAreAskedFor) {
  const std::string iteration = std::string("    \n    ") + kMatrixLine + "    \n    " + kFlagsLine;
  EXPECT_EQ(data_text(saved_inputs("i.json", 2), {.all = true}, log_),
            "==== Data (2 iterations) ====\n\n-- Iteration: 0" + iteration + "\n\n-- Iteration: 1" +
                iteration);
  EXPECT_EQ(data_text(saved_inputs("one.json", 1), {.all = true}, log_),
            std::string("==== Data (1 iterations) ====\n\n") + kMatrixLine + "\n" + kFlagsLine);
}

TEST_F(DataText, ShowsValuesBelowTheirTensor) {
  EXPECT_EQ(data_text(saved_inputs("i.json", 1), {.show_values = true}, log_),
            std::string("==== Data (1 iterations) ====\n\n") + kMatrixLine +
                "\n    [[ 1.5 -2. ]\n     [ 0.   4. ]]\n" + kFlagsLine +
                "\n    [ True False  True]");
}

TEST_F(DataText, PadsTheNamesOfRunners) {
  RunResults results;
  for (const char* name : {"a", "longer"}) {
    results.runners.push_back(
        {name, {IterationResult{.outputs = {{"flags", kFlags}}, .runner_name = name}}});
  }
  const std::string path = folder_ / "o.json";
  save_results(results, path, log_);
  EXPECT_EQ(
      data_text(path, {}, log_),
      std::string("==== Run Results (2 runners) ====\n\n---- a      (1 iterations) ----\n\n") +
          kFlagsLine + "\n---- longer (1 iterations) ----\n\n" + kFlagsLine);
}

TEST_F(DataText, SaysWhenAFileIsMissing) {
  EXPECT_THROW(data_text(folder_ / "nosuch.json", {}, log_), IoError);
}

}  // namespace
}  // namespace polygraphy
