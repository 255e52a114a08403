// Saved inputs and results in binary files, through what --save-… and --load-… use.
#include "polygraphy/data/results/result_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/arrays/convert.h"
#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "polygraphy/data/results/combine_files.h"
#include "polygraphy/data/results/saved_document.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

// One array of every type, of a size that fills no whole byte of the packed ones.
ArrayMap all_types() {
  ArrayMap all;
  for (const DataType type : all_data_types()) {
    const std::string name(name_of(type));
    if (type == DataType::kString) {
      all.set(name, Array::from_strings({3}, {"a", "", "ü"}));
    } else if (type == DataType::kComplex128) {
      all.set(name, Array::zeros(type, {3}));
    } else {
      all.set(name, convert(Array::of<float>({3, 1}, {0, 1, 1}), type));
    }
  }
  all.set("none", Array::zeros(DataType::kFloat32, {0, 2}));
  all.set("scalar", Array::of<int64_t>({}, {-7}));
  all.set("one nibble", convert(Array::of<float>({1}, {-3}), DataType::kInt4));
  return all;
}

void expect_equal(const ArrayMap& seen, const ArrayMap& expected) {
  ASSERT_EQ(seen.size(), expected.size());
  for (const auto& [name, array] : expected) {
    const Array* found = seen.find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->dtype(), array.dtype()) << name;
    EXPECT_TRUE(bitwise_equal(*found, array)) << name;
  }
}

class StoreTest : public testing::TestWithParam<const char*> {
 protected:
  std::string path(const std::string& name) const { return folder_ / (name + GetParam()); }
  static IterationResult result(const std::string& runner, float value,
                                std::optional<double> runtime) {
    return {{{"y", Array::of<float>({1}, {value})}}, runtime, runner};
  }

  TemporaryFolder folder_;
  Logger quiet_;
};

TEST_P(StoreTest, InputsOfAllTypesComeBack) {
  InputWriter writer(path("in"), quiet_);
  writer.add(all_types());
  writer.add({{"x", Array::of<float>({2}, {1, 2})}, {"7/0/y", Array::of<float>({1}, {3})}});
  writer.add({});
  writer.finish();
  const auto feeds = load_feeds(path("in"), quiet_);
  ASSERT_EQ(feeds.size(), 3u);
  expect_equal(feeds[0], all_types());
  EXPECT_EQ(feeds[1].at_index(1).first, "7/0/y");
  EXPECT_EQ(feeds[1].at_index(1).second.get_int64(0), 3);
  EXPECT_TRUE(feeds[2].empty());
}

TEST_P(StoreTest, ResultsKeepRunnersIterationsAndRuntimes) {
  OutputWriter writer(path("out"), {"a", "b", "a"}, quiet_);
  writer.add_iteration({result("a", 1, 0.25), result("b", 2, std::nullopt), result("a", 3, 0)});
  writer.add_iteration({result("b", 4, 1.5)});
  writer.finish();
  const RunResults results = load_results(path("out"), quiet_);
  ASSERT_EQ(results.runners.size(), 3u);
  EXPECT_EQ(results.runners[1].first, "b");
  EXPECT_EQ(results.runners[2].first, "a");
  ASSERT_EQ(results.runners[0].second.size(), 1u);
  ASSERT_EQ(results.runners[1].second.size(), 2u);
  EXPECT_EQ(results.runners[0].second[0].runtime, 0.25);
  EXPECT_EQ(results.runners[1].second[0].runtime, std::nullopt);
  EXPECT_EQ(results.runners[1].second[1].outputs.find("y")->get_int64(0), 4);
  EXPECT_EQ(results.runners[2].second[0].outputs.find("y")->get_int64(0), 3);
}

TEST_P(StoreTest, WholeResultsAreSavedTheSameWay) {
  const RunResults results{{{"r", {result("r", 1, 0.5), result("r", 2, 0.75)}}, {"empty", {}}}};
  save_results(results, path("all"), quiet_);
  const RunResults loaded = load_results(path("all"), quiet_);
  ASSERT_EQ(loaded.runners.size(), 2u);
  EXPECT_EQ(loaded.runners[0].second[1].runtime, 0.75);
  EXPECT_EQ(loaded.runners[1].first, "empty");
}

TEST_P(StoreTest, ArraysAreViewsOfTheFile) {
  InputWriter writer(path("in"), quiet_);
  writer.add({{"x", Array::zeros(DataType::kFloat32, {1000})},
              {"y", Array::zeros(DataType::kInt64, {5})}});
  writer.finish();
  const auto file = MappedFile::open(path("in"));
  const TensorFile tensors = read_tensor_file(file);
  for (const auto& tensor : tensors.tensors) {
    const std::byte* data = tensor.load().data();
    EXPECT_TRUE(data >= file->bytes().data() && data < file->bytes().data() + file->bytes().size());
  }
}

TEST_P(StoreTest, NothingIsThereBeforeFinish) {
  {
    OutputWriter writer(path("out"), {"a"}, quiet_);
    writer.add_iteration({result("a", 1, 0.25)});
  }
  EXPECT_TRUE(folder_.names().empty());
}

TEST_P(StoreTest, MergeAndConcatReadAndWriteThem) {
  InputWriter inputs(path("in"), quiet_);
  inputs.add({{"x", Array::of<float>({1}, {5})}});
  inputs.finish();
  OutputWriter outputs(path("out"), {"r"}, quiet_);
  outputs.add_iteration({result("r", 6, 0.5)});
  outputs.finish();
  merge_saved_files({path("in"), path("out")}, path("merged"), quiet_);
  merge_saved_files({path("merged")}, folder_ / "merged.json", quiet_);
  const auto feeds = load_feeds(folder_ / "merged.json", quiet_);
  ASSERT_EQ(feeds.size(), 1u);
  EXPECT_EQ(feeds[0].find("x")->get_int64(0), 5);
  EXPECT_EQ(feeds[0].find("y")->get_int64(0), 6);
  concat_saved_files({path("out"), path("out")}, path("twice"), quiet_);
  EXPECT_EQ(load_results(path("twice"), quiet_).runners[0].second.size(), 2u);
}

TEST_P(StoreTest, InputsAreNoResults) {
  InputWriter inputs(path("in"), quiet_);
  inputs.add({{"x", Array::of<float>({1}, {5})}});
  inputs.finish();
  EXPECT_THROW(OutputReader(path("in"), quiet_), Error);
}

INSTANTIATE_TEST_SUITE_P(Formats, StoreTest, testing::Values(".safetensors", ".npz"),
                         [](const auto& one) { return std::string(one.param).substr(1); });

std::string failure(std::string metadata, std::string name) {
  TensorFile file;
  file.metadata = std::move(metadata);
  file.tensors.push_back({std::move(name), [] { return Array::zeros(DataType::kUint8, {2}); }});
  try {
    ResultStore store(std::move(file), "f");
    for (size_t i = 0; i < store.feed_count(); ++i) {
      for (const auto& tensor : store.feed(i)) tensor.load();
    }
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ResultStore, ContradictionsAreErrors) {
  const auto inputs = [](const char* more) {
    return R"({"class": "Inputs", "version": 1, "iterations": 1)" + std::string(more) + "}";
  };
  EXPECT_EQ(failure(inputs(""), "0/x"), "no error");
  EXPECT_THAT(failure(inputs(""), "1/x"), HasSubstr("array '1/x' does not belong to an iteration"));
  EXPECT_THAT(failure(inputs(""), "x"), HasSubstr("does not belong to an iteration"));
  EXPECT_THAT(failure(R"({"class": "Inputs", "version": 2})", "0/x"), HasSubstr("version 2"));
  EXPECT_THAT(failure(R"({"class": "Inputs", "iterations": 999999999})", "0/x"),
              HasSubstr("999999999 iterations of 1 arrays"));
  EXPECT_THAT(failure(R"({"class": "Cake"})", "0/x"), HasSubstr("'Cake'"));
  EXPECT_THAT(failure(inputs(R"(, "types": {"0/x": {"dtype": "int4", "shape": [9]}})"), "0/x"),
              HasSubstr("needs 5 bytes, but has 2"));
  EXPECT_THAT(failure("{", "0/x"), HasSubstr("f (metadata)"));
}

}  // namespace
}  // namespace polygraphy
