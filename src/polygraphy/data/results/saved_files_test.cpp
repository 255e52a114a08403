#include "polygraphy/data/results/iteration_files.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/results/saved_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/arrays/convert.h"
#include "base/arrays/numpy_text.h"
#include "base/error.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// As the original writes np.array([1, 2], np.float32).
constexpr const char* kOneTwo =
    "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwg"
    "fSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAIA/"
    "AAAAQA==";

std::string one_feed(const std::string& name = "x") {
  return "[\n    {\n        \"" + name + "\": {\n            \"array\": \"" + kOneTwo +
         "\",\n            \"polygraphy_class\": \"ndarray\"\n        }\n    }\n]";
}

std::string results_of(const char* name, const char* runtime) {
  return R"({
    "lst": [
        [
            ")" +
         std::string(name) + R"(",
            [
                {
                    "outputs": {
                        "y": {
                            "values": {
                                "array": ")" +
         kOneTwo + R"(",
                                "polygraphy_class": "ndarray"
                            },
                            "polygraphy_class": "LazyArray"
                        }
                    },
                    "runtime": )" +
         runtime + R"(,
                    "runner_name": ")" +
         name + R"(",
                    "polygraphy_class": "IterationResult"
                }
            ]
        ]
    ],
    "polygraphy_class": "RunResults"
})";
}

Array one_two() {
  return Array::of<float>({2}, {1, 2});
}

IterationResult result(const std::string& runner, float value,
                       std::optional<double> runtime = 0.5) {
  IterationResult r;
  r.outputs.set("y", Array::of<float>({1}, {value}));
  r.runtime = runtime;
  r.runner_name = runner;
  return r;
}

class SavedFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "saved_files_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + name; }
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  static std::string text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      all.push_back(entry.path().filename());
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  template <typename F>
  static std::string failure(F action) {
    try {
      action();
    } catch (const Error& error) {
      return std::string(error.what()) + (error.hint().empty() ? "" : "\n" + error.hint());
    }
    return "no error";
  }
  std::string load_failure(const std::string& json) {
    return failure([&] { load_feeds(file("f.json", json), log_); });
  }
  // The only feed's only array.
  Array loaded(const std::string& value) {
    return load_feeds(file("a.json", "{\"x\": " + value + "}"), log_).at(0).at_index(0).second;
  }

  std::string folder_;
  std::vector<std::string> lines_;
  Logger log_{[this](Severity, std::string_view line) { lines_.emplace_back(line); }};
};

TEST_F(SavedFilesTest, InputsAreTheOriginalsByteForByte) {
  InputWriter writer(path("in.json"), log_);
  writer.add({{"x", one_two()}});
  EXPECT_FALSE(std::filesystem::exists(path("in.json")));
  writer.finish();
  EXPECT_EQ(text(path("in.json")), one_feed());
  EXPECT_THAT(lines_,
              ElementsAre("[I] Saving inference input data to a single file: " + path("in.json"),
                          "[I] Saving inference input data to " + path("in.json")));
}

TEST_F(SavedFilesTest, NoIterationsAreAnEmptyList) {
  InputWriter(path("in.json"), log_).finish();
  EXPECT_EQ(text(path("in.json")), "[]");
  EXPECT_THAT(load_feeds(path("in.json"), log_), IsEmpty());
}

TEST_F(SavedFilesTest, WithoutFinishTheOldFileStays) {
  file("in.json", "old");
  {
    InputWriter writer(path("in.json"), log_);
    writer.add({{"x", one_two()}});
  }
  EXPECT_EQ(text(path("in.json")), "old");
  EXPECT_THAT(names(), ElementsAre("in.json"));
}

TEST_F(SavedFilesTest, InputsInDirectories) {
  InputWriter writer(path("in"), log_);
  writer.add({{"x", one_two()}});
  writer.add({{"x", one_two()}});
  writer.finish();
  EXPECT_THAT(
      lines_,
      ElementsAre(
          "[I] Saving inference input data to a directory of per-iteration files: " + path("in"),
          "[I] Saving inference input data to " + path("in/0000000000.json"),
          "[I] Saving inference input data to " + path("in/0000000001.json")));
  lines_.clear();
  EXPECT_EQ(load_feeds(path("in"), log_).size(), 2u);
  EXPECT_THAT(lines_, ElementsAre("[I] Loading input data from " + path("in/0000000000.json"),
                                  "[I] Loading input data from " + path("in/0000000001.json")));
}

TEST_F(SavedFilesTest, PathsAreChained) {
  file("list.json", one_feed());
  file("single.json",
       "{\"x\": {\"array\": \"" + std::string(kOneTwo) + "\", \"polygraphy_class\": \"ndarray\"}}");
  InputReader reader({path("list.json"), path("single.json")}, log_);
  EXPECT_THAT(lines_, IsEmpty());  // files are opened when their turn comes
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(lines_.size(), 1u);
  const auto second = reader.next();
  ASSERT_TRUE(second);
  EXPECT_TRUE(bitwise_equal(*second->find("x"), one_two()));
  EXPECT_FALSE(reader.next());
}

TEST_F(SavedFilesTest, FeedsComeInAnotherOrder) {
  const std::string one = file("one.json", R"([{"x": [0]}, {"x": [1]}, {"x": [2]}])");
  std::filesystem::create_directories(path("raw/s0"));
  std::filesystem::create_directories(path("raw/s1"));
  for (const char* name : {"raw/s0/x.bin", "raw/s1/x.bin"}) file(name, std::string(1, name[5]));
  const Metadata bytes = {{"x", {DataType::kUint8, DimList{1}, {}, {}}}};
  const auto order_of = [&](const std::string& from, std::vector<int64_t> order,
                            const Metadata& inputs) {
    InputReader reader({from}, log_);
    reader.reorder(std::move(order));
    std::vector<int64_t> values;
    while (const auto feed = reader.next(inputs)) values.push_back(feed->find("x")->get_int64(0));
    return values;
  };
  EXPECT_EQ(count_saved_feeds({one}), 3);
  EXPECT_THAT(order_of(one, {2, 0, 1}, {}), ElementsAre(2, 0, 1));
  EXPECT_EQ(count_saved_feeds({path("raw")}), 2);
  EXPECT_THAT(order_of(path("raw"), {1, 0}, bytes), ElementsAre('1', '0'));
  EXPECT_EQ(count_saved_feeds({one, one}), std::nullopt);
  std::filesystem::create_directories(path("each"));
  for (const char* name : {"each/0.json", "each/1.json", "each/2.json"})
    file(name, R"([{"x": [)" + std::string(1, name[5]) + "]}]");
  EXPECT_EQ(count_saved_feeds({path("each")}), 3);
  EXPECT_THAT(order_of(path("each"), {2, 0, 1}, {}), ElementsAre(2, 0, 1));
}

TEST_F(SavedFilesTest, NumbersWrittenByHandTakeTheTypeOfTheInput) {
  Metadata inputs{{"x", {DataType::kFloat32, DimList{2}, ""}}};
  InputReader named({file("named.json", R"({"x": [1, 2]})")}, log_);
  EXPECT_TRUE(bitwise_equal(*named.next(inputs)->find("x"), one_two()));
  InputReader listed({file("listed.json", R"([{"x": [1, 2]}, {"x": [1.0, 2.0]}])")}, log_);
  EXPECT_TRUE(bitwise_equal(*listed.next(inputs)->find("x"), one_two()));
  EXPECT_TRUE(bitwise_equal(*listed.next(inputs)->find("x"), one_two()));
  EXPECT_FALSE(listed.next(inputs));
  InputReader bare({file("bare.json", "[1, 2]")}, log_);
  EXPECT_TRUE(bitwise_equal(*bare.next(inputs)->find("x"), one_two()));
  EXPECT_FALSE(bare.next(inputs));
  // Without a model there is no type to take.
  EXPECT_TRUE(bitwise_equal(loaded("[1, 2]"), Array::of<int64_t>({2}, {1, 2})));
}

TEST_F(SavedFilesTest, AnArrayWithoutANameNeedsAModelOfOneInput) {
  const Metadata inputs{{"a", {}}, {"b", {}}};
  InputReader reader({file("bare.json", "[[1], [2]]")}, log_);
  EXPECT_THAT(failure([&] { reader.next(inputs); }),
              testing::EndsWith("is an array without a name, but the model has 2 inputs.\n"
                                "Name them: {\"a\": [...], \"b\": [...]}."));
}

TEST_F(SavedFilesTest, ResultsAreTheOriginalsByteForByte) {
  RunResults results;
  IterationResult r;
  r.outputs.set("y", one_two());
  r.runtime = 4.363059997558594e-05;
  r.runner_name = "R0";
  results.runners.push_back({"R0", {r}});
  save_results(results, path("out.json"), log_);
  EXPECT_EQ(text(path("out.json")), results_of("R0", "4.363059997558594e-05"));
  EXPECT_THAT(lines_, ElementsAre("[I] Saving inference results to " + path("out.json")));

  const RunResults back = load_results(path("out.json"), log_);
  ASSERT_EQ(back.runners.size(), 1u);
  EXPECT_EQ(back.runners[0].first, "R0");
  ASSERT_EQ(back.runners[0].second.size(), 1u);
  EXPECT_EQ(back.runners[0].second[0].runtime, r.runtime);
  EXPECT_TRUE(bitwise_equal(*back.runners[0].second[0].outputs.find("y"), one_two()));
}

TEST_F(SavedFilesTest, StreamedResultsAreTheSameFile) {
  RunResults all;
  all.runners = {{"R0", {result("R0", 1), result("R0", 2)}},
                 {"R0", {result("R0", 3), result("R0", 4, std::nullopt)}},
                 {"R2", {result("R2", 5)}}};
  save_results(all, path("whole.json"), log_);
  OutputWriter writer(path("streamed.json"), {"R0", "R0", "R2"}, log_);
  writer.add_iteration({result("R0", 1), result("R0", 3), result("R2", 5)});
  writer.add_iteration({result("R0", 2), result("R0", 4, std::nullopt)});
  writer.finish();
  EXPECT_EQ(text(path("streamed.json")), text(path("whole.json")));
  EXPECT_THAT(names(), ElementsAre("streamed.json", "whole.json"));
}

// Repeated names of runners do not identify them: positions do.
TEST_F(SavedFilesTest, ARunnerThatFailedDoesNotMoveItsNamesake) {
  IterationResult failed = result("R", 0);
  failed.failed = true;
  for (const char* name : {"single.json", "store.safetensors", "folder"}) {
    OutputWriter writer(path(name), {"R", "R"}, log_);
    writer.add_iteration({failed, result("R", 1)});
    writer.add_iteration({failed, result("R", 2)});
    writer.finish();
    const RunResults back = load_results(path(name), log_);
    ASSERT_EQ(back.runners.size(), 2u) << name;
    EXPECT_EQ(back.runners[0].second.size(), 0u) << name;
    ASSERT_EQ(back.runners[1].second.size(), 2u) << name;
    EXPECT_EQ(back.runners[1].second[1].outputs.find("y")->get_double(0), 2) << name;
  }
}

// A path with a final '/' is a folder, and its extension selects the format of its files.
TEST_F(SavedFilesTest, FoldersOfBinaryFiles) {
  for (const std::string extension : {".npz", ".safetensors"}) {
    const std::string results = path("results" + extension + "/"),
                      inputs = path("in" + extension + "/");
    EXPECT_TRUE(is_directory_target(results));
    OutputWriter writer(results, {"A", "B"}, log_);
    writer.add_iteration({result("A", 1), result("B", 2)});
    writer.add_iteration({result("B", 3, std::nullopt)});
    writer.finish();
    EXPECT_EQ(lines_.back(),
              "[I] Saving inference results to " + results + "0000000001" + extension);
    const RunResults back = load_results(results, log_);
    ASSERT_EQ(back.runners.size(), 2u);
    EXPECT_EQ(back.at("A").size(), 1u);
    ASSERT_EQ(back.at("B").size(), 2u);
    EXPECT_EQ(back.at("B")[1].outputs.find("y")->get_double(0), 3);
    EXPECT_FALSE(back.at("B")[1].runtime);

    InputWriter feeds(inputs, log_);
    feeds.add({{"x", one_two()}});
    feeds.add({{"x", one_two()}});
    feeds.finish();
    EXPECT_EQ(lines_.back(),
              "[I] Saving inference input data to " + inputs + "0000000001" + extension);
    EXPECT_EQ(load_feeds(inputs, log_).size(), 2u);
  }
}

TEST_F(SavedFilesTest, ResultsOfNoRunnersOrIterations) {
  OutputWriter(path("none.json"), {}, log_).finish();
  EXPECT_EQ(text(path("none.json")),
            "{\n    \"lst\": [],\n    \"polygraphy_class\": \"RunResults\"\n}");
  OutputWriter(path("empty.json"), {"A", "B"}, log_).finish();
  EXPECT_THAT(text(path("empty.json")), HasSubstr("\"B\",\n            []\n        ]"));
  OutputReader reader(path("empty.json"), log_);
  EXPECT_THAT(reader.runner_names(), ElementsAre("A", "B"));
  EXPECT_FALSE(reader.next());
}

TEST_F(SavedFilesTest, ResultsInDirectoriesAreReadIterationByIteration) {
  OutputWriter writer(path("out"), {"A", "B"}, log_);
  writer.add_iteration({result("A", 1), result("B", 2)});
  writer.add_iteration({result("B", 3)});
  writer.finish();
  EXPECT_THAT(lines_,
              ElementsAre("[I] Saving inference results to a directory of per-iteration files: " +
                              path("out"),
                          "[I] Saving inference results to " + path("out/0000000000.json"),
                          "[I] Saving inference results to " + path("out/0000000001.json")));
  lines_.clear();
  OutputReader reader(path("out"), log_);
  EXPECT_THAT(lines_,
              ElementsAre("[I] Loading inference results from " + path("out/0000000000.json")));
  auto first = reader.next();
  ASSERT_TRUE(first && (*first)[0] && (*first)[1]);
  auto second = reader.next();
  ASSERT_TRUE(second);
  EXPECT_FALSE((*second)[0]);
  ASSERT_TRUE((*second)[1]);
  EXPECT_EQ(numpy_str(*(*second)[1]->outputs.find("y")), "[3.]");
  EXPECT_FALSE(reader.next());
}

TEST_F(SavedFilesTest, TargetsWithoutExtensionAreDirectories) {
  EXPECT_TRUE(is_directory_target(path("new")));
  EXPECT_TRUE(is_directory_target(path("new.d/x")));
  EXPECT_TRUE(is_directory_target(path(".hidden")));
  EXPECT_FALSE(is_directory_target(path("x.json")));
  EXPECT_FALSE(is_directory_target("-"));
  EXPECT_FALSE(is_directory_target("/dev/null"));
  EXPECT_FALSE(is_directory_target(file("temporary", "")));  // overwritten as a file
  EXPECT_TRUE(is_directory_target(folder_));
}

TEST_F(SavedFilesTest, NothingInADirectoryIsOverwritten) {
  std::filesystem::create_directory(path("full"));
  file("full/a", "");
  EXPECT_EQ(failure([&] { OutputWriter(path("full"), {"R"}, log_); }),
            "Cannot save inference results to '" + path("full") +
                "': the directory is not empty. Per-iteration files require an empty or new "
                "directory (so "
                "nothing is overwritten). Use a different path, or remove its contents first.");
  std::filesystem::create_directory(path("d.x"));
  EXPECT_THAT(failure([&] { InputWriter(path("d.x"), log_); }), HasSubstr("d.x"));
  file("plain", "");
  EXPECT_THAT(failure([&] { InputWriter(path("plain/below"), log_); }), HasSubstr("plain/below"));
}

TEST_F(SavedFilesTest, EmptyAndMissingPaths) {
  std::filesystem::create_directory(path("empty"));
  EXPECT_THAT(
      failure([&] { load_feeds(path("empty"), log_); }),
      HasSubstr("No per-iteration '*.json' files found in directory: " + path("empty") + "\n"));
  EXPECT_THAT(failure([&] { load_feeds(path("none.json"), log_); }), HasSubstr("none.json"));
  EXPECT_THAT(failure([&] { OutputReader(path("none.json"), log_); }), HasSubstr("none.json"));
}

TEST_F(SavedFilesTest, OutputsAreNoInputsAndInputsNoOutputs) {
  EXPECT_EQ(
      load_failure(results_of("R0", "null")),
      "The data loader returned an object that cannot be recognized as a feed_dict (Dict[str, "
      "Union[np.ndarray, torch.Tensor, DeviceView]]):\nNote: The object was:\n" +
          path("f.json") +
          ": results of 1 runner.\nHint: This is a `RunResults` object (e.g. generated with "
          "`--save-outputs`). Use the `data merge` tool to convert it to a feed_dict-compatible "
          "format.");
  EXPECT_THAT(load_failure("[{}, 1]"), HasSubstr("element 1 of the list, which is not an object"));
  EXPECT_THAT(load_failure("3"), HasSubstr("cannot be recognized as a feed_dict"));
  EXPECT_THAT(
      failure([&] { OutputReader(file("in.json", one_feed()), log_); }),
      HasSubstr("Provided JSON cannot be decoded into a RunResults.\nNote: JSON was decoded into a "
                "<class 'list'>:\n" +
                path("in.json") + ": 1 feed\nThis looks like inputs"));
}

TEST_F(SavedFilesTest, BrokenFilesAreNamed) {
  EXPECT_THAT(load_failure("[{\"x\": "),
              HasSubstr("f.json: line 1 (byte 7): expected a JSON value"));
  EXPECT_THAT(load_failure(""), HasSubstr("expected a JSON value, found the end of the file."));
  EXPECT_THAT(load_failure("{\"x\": null}"),
              HasSubstr("f.json: 'x': line 1 (byte 6): expected an array"));
  EXPECT_THAT(load_failure("{\"x\": {\"a\": 1}}"),
              HasSubstr("'x': expected an array, found an object."));
  EXPECT_THAT(load_failure("{\"x\": {\"polygraphy_class\": \"Foo\"}}"),
              HasSubstr("'x': Could not decode serialized type: Foo."));
  EXPECT_THAT(
      load_failure("{\"x\": {\"tensor\": \"UEsDBA==\", \"polygraphy_class\": \"Tensor\"}}"),
      HasSubstr("'x': a torch.Tensor, which only PyTorch can read.\nSave the data as NumPy"));
  std::string cut = one_feed();
  EXPECT_THAT(load_failure(cut.replace(cut.find("AAAAQA=="), 8, "")),
              HasSubstr("'x': truncated: an array of shape (2,) needs 8 bytes"));
  cut = one_feed();
  EXPECT_THAT(load_failure(cut.replace(cut.find("AAAAQA=="), 1, "!")), HasSubstr("is not base64."));
}

TEST_F(SavedFilesTest, FormsOfEarlierVersionsAreRead) {
  const std::string array = std::string("\"array\": \"") + kOneTwo + "\"";
  const std::string legacy =
      "{" + array + ", \"__polygraphy_encoded_ndarray\": \"polygraphy_serialized_json_type\"}";
  EXPECT_TRUE(bitwise_equal(loaded(legacy), one_two()));
  EXPECT_TRUE(bitwise_equal(
      loaded("{\"values\": " + legacy + ", \"polygraphy_class\": \"LazyNumpyArray\"}"), one_two()));
  EXPECT_TRUE(bitwise_equal(loaded("{\"array\": {" + array +
                                   ", \"polygraphy_class\": \"ndarray\"}, \"shape\": [2], "
                                   "\"polygraphy_class\": \"FormattedArray\"}"),
                            one_two()));
  // Before base64: the bytes of the file as characters.
  std::string latin =
      "{\"array\": \"\\u0093NUMPY\\u0001\\u0000v\\u0000{'descr': '<f4', 'fortran_order': False, "
      "'shape': (2,), }";
  latin.append(60, ' ');
  latin += "\\n\\u0000\\u0000\\u0080?\\u0000\\u0000\\u0000@\", \"polygraphy_class\": \"ndarray\"}";
  EXPECT_TRUE(bitwise_equal(loaded(latin), one_two()));
  // Slashes may be escaped.
  std::string escaped = kOneTwo;
  escaped.replace(escaped.find('/'), 1, "\\/");
  EXPECT_TRUE(bitwise_equal(
      loaded("{\"array\": \"" + escaped + "\", \"polygraphy_class\": \"ndarray\"}"), one_two()));
}

TEST_F(SavedFilesTest, TypesThatNumpyLacksKeepTheirType) {
  const Array floats = Array::of<float>({5}, {-2, -1, 0, 1, 1.5});
  InputWriter writer(path("in.json"), log_);
  ArrayMap feed;
  for (DataType type : all_data_types()) {
    if (type == DataType::kString || kind_of(type) == Kind::kComplex) continue;
    feed.set(std::string(name_of(type)), convert(floats, type));
  }
  feed.set("text", Array::from_strings({2, 1}, {"é", ""}));
  writer.add(feed);
  writer.finish();
  const ArrayMap back = load_feeds(path("in.json"), log_).at(0);
  ASSERT_EQ(back.size(), feed.size());
  for (const auto& [name, array] : feed) {
    ASSERT_TRUE(back.contains(name));
    EXPECT_TRUE(bitwise_equal(*back.find(name), array)) << name;
  }
  EXPECT_THAT(
      text(path("in.json")),
      HasSubstr("\"dtype\": \"bfloat16\",\n            \"polygraphy_class\": \"TypedArray\""));
}

TEST_F(SavedFilesTest, WrongTypesOfTypedArrays) {
  const std::string array = std::string("{\"array\": \"") + kOneTwo + "\", \"dtype\": ";
  EXPECT_THAT(
      load_failure("{\"x\": " + array + "\"bfloat16\", \"polygraphy_class\": \"TypedArray\"}}"),
      HasSubstr("the codes of bfloat16 must be stored as uint16, not as float32"));
  EXPECT_THAT(
      load_failure("{\"x\": " + array + "\"bfloat17\", \"polygraphy_class\": \"TypedArray\"}}"),
      HasSubstr("unknown data type 'bfloat17'"));
}

TEST_F(SavedFilesTest, RuntimesOfAllKinds) {
  for (const char* runtime : {"NaN", "Infinity", "1e-05", "3", "null"}) {
    const RunResults results = load_results(file("r.json", results_of("R", runtime)), log_);
    EXPECT_EQ(results.runners[0].second[0].runtime.has_value(), runtime != std::string("null"));
  }
}

}  // namespace
}  // namespace polygraphy
