#include "polygraphy/model_tools/inspect/inspect_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The expected texts are the original's.

constexpr std::string_view kStatsOfX =
    "mean=0.375, std-dev=2.902, var=8.4219, median=1.5, min=-4.5 at (1, 1), max=3 at (1, 0), "
    "avg-magnitude=2.625, p90=2.7, p95=2.85, p99=2.97";
constexpr std::string_view kStatsOfTwiceX =
    "mean=0.75, std-dev=5.8041, var=33.688, median=3, min=-9 at (1, 1), max=6 at (1, 0), "
    "avg-magnitude=5.25, p90=5.4, p95=5.7, p99=5.94";
constexpr std::string_view kStatsOfMask =
    "mean=0.5, std-dev=0.5, var=0.25, median=0.5, min=0 at (1,), max=1 at (0,), avg-magnitude=0.5";
constexpr std::string_view kStatsOfRow =
    "mean=1.5, std-dev=0.5, var=0.25, median=1.5, min=1 at (0,), max=2 at (1,), avg-magnitude=1.5, "
    "p90=1.9, p95=1.95, p99=1.99";

Array x(float factor) {
  return Array::of<float>({2, 2}, {factor, 2 * factor, 3 * factor, -4.5f * factor});
}

class InspectDataTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "inspect_data_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string save_inputs(const std::string& name) {
    Logger silent;
    InputWriter writer(folder_ + name, silent);
    const Array mask = Array::of<bool>({2}, {true, false});
    writer.add({{"x", x(1)}, {"mask", mask}});
    writer.add({{"x", x(2)}, {"mask", mask}});
    writer.finish();
    return folder_ + name;
  }
  std::string save_outputs(const std::string& name) {
    const auto result = [](Array y) { return IterationResult{{{"y", std::move(y)}}, 0.5, "R0"}; };
    RunResults results;
    results.runners.push_back({"R0", {result(x(1))}});
    results.runners.push_back({"long-name", {result(Array::of<float>({2}, {1, 2})), result(x(2))}});
    Logger silent;
    save_results(results, folder_ + name, silent);
    return folder_ + name;
  }
  std::string save(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + name) << text;
    return folder_ + name;
  }

  std::string inspected(const std::string& path) {
    lines_.clear();
    inspect_data(path, options_, log_);
    // The prefix and the margin of the logger are not of interest here.
    std::string text = lines_.back().substr(4), plain;
    for (size_t i = 0; i < text.size(); ++i) {
      plain += text[i];
      if (text[i] == '\n') i += 4;
    }
    return plain;
  }

  std::string folder_;
  InspectDataOptions options_;
  std::vector<std::string> lines_;
  Logger log_{[this](Severity, std::string_view line) { lines_.emplace_back(line); }};
};

std::string text_of(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text += part;
  return text;
}

TEST_F(InspectDataTest, TheFirstIterationOfInputs) {
  EXPECT_EQ(inspected(save_inputs("in.json")),
            text_of({"==== Data (2 iterations) ====\n\nx [dtype=float32, shape=(2, 2)] | Stats: ",
                     kStatsOfX, "\nmask [dtype=bool, shape=(2,)] | Stats: ", kStatsOfMask}));
  EXPECT_EQ(lines_.size(), 1u);  // loading a single file is not mentioned
}

TEST_F(InspectDataTest, AllIterationsWithValues) {
  options_.all = options_.show_values = true;
  EXPECT_EQ(inspected(save_inputs("in.json")),
            text_of({"==== Data (2 iterations) ====\n"
                     "\n-- Iteration: 0    "
                     "\n    x [dtype=float32, shape=(2, 2)] | Stats: ",
                     kStatsOfX,
                     "\n        [[ 1.   2. ]"
                     "\n         [ 3.  -4.5]]    "
                     "\n    mask [dtype=bool, shape=(2,)] | Stats: ",
                     kStatsOfMask,
                     "\n        [ True False]\n"
                     "\n-- Iteration: 1    "
                     "\n    x [dtype=float32, shape=(2, 2)] | Stats: ",
                     kStatsOfTwiceX,
                     "\n        [[ 2.  4.]"
                     "\n         [ 6. -9.]]    "
                     "\n    mask [dtype=bool, shape=(2,)] | Stats: ",
                     kStatsOfMask, "\n        [ True False]"}));
}

TEST_F(InspectDataTest, ResultsOfSeveralRunners) {
  EXPECT_EQ(inspected(save_outputs("out.json")),
            text_of({"==== Run Results (2 runners) ====\n"
                     "\n---- R0        (1 iterations) ----\n"
                     "\ny [dtype=float32, shape=(2, 2)] | Stats: ",
                     kStatsOfX,
                     "\n---- long-name (2 iterations) ----\n"
                     "\ny [dtype=float32, shape=(2,)] | Stats: ",
                     kStatsOfRow}));
}

TEST_F(InspectDataTest, Histograms) {
  options_.histogram = true;
  const std::string text = inspected(save_outputs("out.json"));
  EXPECT_THAT(text,
              HasSubstr("\n    ---- Histogram ----\n    Bin Range  |  Num Elems | Visualization\n"
                        "    (1  , 1.1) |          1 | ########################################\n"
                        "    (1.1, 1.2) |          0 | \n"));
}

TEST_F(InspectDataTest, HowArraysArePrinted) {
  const std::string path = save("in.json", "");
  Logger silent;
  InputWriter writer(path, silent);
  writer.add({{"x", Array::zeros(DataType::kInt8, {1001})}});
  writer.finish();
  options_.show_values = true;
  EXPECT_THAT(inspected(path), HasSubstr("\n    [0 0 0 ... 0 0 0]"));
  options_.num_items = 1;
  EXPECT_THAT(inspected(path), HasSubstr("\n    [0 ... 0]"));
  options_.num_items = -1;
  options_.line_width = 20;
  EXPECT_THAT(inspected(path), HasSubstr("\n    [0 0 0 0 0 0 0 0 0\n     0 0 0 0 0 0 0 0 0\n"));
}

TEST_F(InspectDataTest, Directories) {
  EXPECT_THAT(inspected(save_inputs("in")), HasSubstr("==== Data (2 iterations) ===="));
  EXPECT_THAT(lines_, ElementsAre("[I] Loading input data from " + folder_ + "in/0000000000.json",
                                  "[I] Loading input data from " + folder_ + "in/0000000001.json",
                                  HasSubstr("==== Data")));
  Logger silent;
  OutputWriter writer(folder_ + "out", {"A", "B"}, silent);
  const auto result = [](const char* runner) {
    return IterationResult{{{"y", x(1)}}, 0.5, runner};
  };
  writer.add_iteration({result("A"), result("B")});
  writer.add_iteration({result("B")});
  writer.finish();
  const std::string text = inspected(folder_ + "out");
  EXPECT_THAT(text, HasSubstr("---- A (1 iterations) ----"));
  EXPECT_THAT(text, HasSubstr("---- B (2 iterations) ----"));
  EXPECT_EQ(lines_.front(),
            "[I] Loading inference results from " + folder_ + "out/0000000000.json");
}

TEST_F(InspectDataTest, NothingSaved) {
  EXPECT_EQ(inspected(save("in.json", "[]")), "==== Data (0 iterations) ====");
  EXPECT_EQ(inspected(save("out.json", R"({"lst": [], "polygraphy_class": "RunResults"})")),
            "==== Run Results (0 runners) ====");
}

TEST_F(InspectDataTest, AccuracyResults) {
  const auto result = [](const std::string& fields) {
    return R"({"lst": [{"lst": [[["R0", "R1"], [{"out": )" + fields +
           R"(}, {"out": true}]]], "aggregation": "per_sample", "polygraphy_class": "AccuracyResult"}],)"
           R"( "polygraphy_class": "AccuracyResults"})";
  };
  const auto verdict = [&](const std::string& fields) {
    const std::string text = inspected(save("acc.json", result(fields)));
    return text.substr(text.find("out | "));
  };
  EXPECT_EQ(inspected(save("acc.json", result("false"))),
            "==== Accuracy Results (1 comparison(s)) ====\n"
            "\n---- Aggregation: per_sample ----\n"
            "\nR0 vs. R1 | 1/2 iteration(s) matched    "
            "\n    -- Iteration: 0        "
            "\n        out | FAILED");
  EXPECT_EQ(verdict(R"({"l2_norm": 197.8234, "thresholds": {"threshold": 1e-05,)"
                    R"( "polygraphy_class": "L2Threshold"}, "polygraphy_class": "L2Result"})"),
            "out | FAILED | l2_norm=197.82");
  EXPECT_EQ(verdict(R"({"cosine_similarity": 0.99999, "thresholds": {"threshold": 0.997},)"
                    R"( "polygraphy_class": "CosineSimilarityResult"})"),
            "out | PASSED | cosine_similarity=0.99999");
  EXPECT_EQ(
      verdict(
          R"({"psnr": NaN, "thresholds": {"threshold": 30.0}, "polygraphy_class": "PsnrResult"})"),
      "out | FAILED | psnr=nan");
  EXPECT_EQ(verdict(R"({"lpips": null, "thresholds": {"threshold": 0.1},)"
                    R"( "polygraphy_class": "PerceptualMetricsResult"})"),
            "out | PASSED");
  const std::string simple = R"("max_absdiff": 0.5, "max_reldiff": 2.0, "quantile_absdiff": null,)"
                             R"( "thresholds": {"check_error_stat": "max", "atol": 0.1, "rtol": )";
  const std::string end = R"(, "polygraphy_class": "OutputCompareResult"})";
  EXPECT_EQ(verdict("{" + simple + "1.0}" + end), "out | FAILED | max_absdiff=0.5, max_reldiff=2");
  EXPECT_EQ(verdict("{" + simple + "2.0}" + end), "out | PASSED | max_absdiff=0.5, max_reldiff=2");
  EXPECT_EQ(verdict("{" + simple + "1.0}, \"passed\": true" + end),
            "out | PASSED | max_absdiff=0.5, max_reldiff=2");
  options_.all = true;
  EXPECT_THAT(verdict("true"), HasSubstr("-- Iteration: 1        \n        out | PASSED"));
}

TEST_F(InspectDataTest, SaysWhatIsWrong) {
  const auto failure = [this](const std::string& path) -> std::string {
    try {
      inspect_data(path, options_, log_);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  std::filesystem::create_directory(folder_ + "empty");
  EXPECT_EQ(failure(folder_ + "empty"),
            "No per-iteration '*.json' files found in directory: " + folder_ + "empty");
  EXPECT_THAT(failure(save("number.json", "3")), HasSubstr("neither saved inputs, nor results"));
  EXPECT_THAT(failure(save("text.json", "hello")), HasSubstr("text.json: line 1 (byte 0)"));
  EXPECT_THAT(failure(folder_ + "none.json"), HasSubstr("none.json"));
}

TEST_F(InspectDataTest, NamedTensorsAlone) {
  for (const char* name : {"in.json", "in.npz", "in.safetensors"}) {
    const std::string path = save_inputs(name);
    options_.tensors = {"m?sk"};
    EXPECT_EQ(inspected(path),
              text_of({"==== Data (2 iterations) ====\n\nmask [dtype=bool, shape=(2,)] | Stats: ",
                       kStatsOfMask}));
    options_.tensors = {"mAsk2"};
    try {
      inspected(path);
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "No tensors match ['mAsk2'].");
      EXPECT_EQ(error.hint(), "Did you mean 'mask'?");
    }
  }
}

TEST_F(InspectDataTest, OneTensorIsShownWithoutReadingTheOthers) {
  const std::string path = folder_ + "o.npz";
  Logger silent;
  OutputWriter writer(path, {"r"}, silent);
  writer.add_iteration({IterationResult{{{"y", x(1)}, {"broken", x(2)}}, 0.5, "r"}});
  writer.finish();
  std::string file = contents_of(path);
  file.replace(file.find("NUMPY", file.find("0/0/broken")), 5, "?????");
  put(path, file);
  EXPECT_THROW(inspected(path), FormatError);
  options_.tensors = {"y"};
  EXPECT_THAT(inspected(path), HasSubstr(kStatsOfX));
}

}  // namespace
}  // namespace polygraphy
