#include "polygraphy/data/results/combine_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

class CombineFilesTest : public testing::Test {
 protected:
  CombineFilesTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  static Array number(float value) { return Array::of<float>({1}, {value}); }
  // Each text is a feed: "a=1 b=2".
  std::string feeds(const std::string& name, std::initializer_list<const char*> texts) {
    InputWriter writer(folder_ + name, quiet_);
    for (const char* text : texts) writer.add(tensors(text));
    writer.finish();
    return folder_ + name;
  }
  std::string results(
      const std::string& name,
      std::initializer_list<std::pair<const char*, std::vector<const char*>>> runs) {
    RunResults all;
    for (const auto& [runner, texts] : runs) {
      std::vector<IterationResult> iterations;
      for (const char* text : texts) iterations.push_back({tensors(text), 0.25, runner});
      all.runners.emplace_back(runner, std::move(iterations));
    }
    save_results(all, folder_ + name, quiet_);
    return folder_ + name;
  }
  static ArrayMap tensors(const std::string& text) {
    ArrayMap map;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
      map.set(word.substr(0, 1), number(std::stof(word.substr(2))));
    }
    return map;
  }
  static std::string text_of(const ArrayMap& map) {
    std::string text;
    for (const auto& [name, array] : map) {
      text += name + "=" + std::to_string(array.get_int64(0)) + " ";
    }
    return text;
  }
  std::string saved_feeds() {
    std::string text;
    for (const ArrayMap& feed : load_feeds(out_, quiet_)) text += "| " + text_of(feed);
    return text;
  }
  std::string file_text(const std::string& path) {
    std::ifstream stream(path);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  std::string failure(void (*combine)(const std::vector<std::string>&, const std::string&, Logger&),
                      const std::vector<std::string>& paths) {
    try {
      combine(paths, out_, log_);
    } catch (const Error& error) {
      EXPECT_FALSE(std::filesystem::exists(out_));
      return error.what();
    }
    return "no error";
  }

  std::string folder_ = testing::TempDir() + "combine_" +
                        testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
  std::string out_ = folder_ + "out.json";
  std::string said_;
  Logger quiet_;
  Logger log_{[this](Severity, std::string_view text) { said_.append(text) += '\n'; }};
};

TEST_F(CombineFilesTest, MergePutsTensorsOfOneIterationTogether) {
  merge_saved_files({feeds("x.json", {"a=1", "a=2"}), feeds("y.json", {"b=3", "b=4"})}, out_, log_);
  EXPECT_EQ(saved_feeds(), "| a=1 b=3 | a=2 b=4 ");
  EXPECT_EQ(said_, "[I] Saving input file containing 2 iteration(s) to " + out_ + "\n");
}

TEST_F(CombineFilesTest, MergeWarnsOfMissingAndReplacedTensors) {
  const std::string x = feeds("x.json", {"a=1 b=2"}), y = feeds("y.json", {"a=3", "a=4"});
  merge_saved_files({x, y}, out_, log_);
  EXPECT_EQ(saved_feeds(), "| a=3 b=2 | a=4 ");
  EXPECT_THAT(said_, HasSubstr("Inputs currently contains 1 iterations, but the data in " + y +
                               " contains 2 iterations."));
  EXPECT_THAT(said_, HasSubstr("[W] Overwriting input 'a' while merging data from " + y + "."));
}

TEST_F(CombineFilesTest, MergeTakesResultsRunnerByRunner) {
  merge_saved_files({results("r.json", {{"A", {"o=1", "o=2"}}, {"B", {"p=3", "p=4"}}})}, out_,
                    log_);
  EXPECT_EQ(saved_feeds(), "| o=1 p=3 | o=2 p=4 ");
}

TEST_F(CombineFilesTest, FoldersAreReadFileByFile) {
  feeds("inputs", {"a=1", "a=2", "a=3"});
  const std::string path = folder_ + "inputs";
  concat_saved_files({path, path}, out_, log_);
  EXPECT_EQ(saved_feeds(), "| a=1 | a=2 | a=3 | a=1 | a=2 | a=3 ");
  merge_saved_files({path}, out_, log_);
  EXPECT_EQ(saved_feeds(), "| a=1 | a=2 | a=3 ");
}

TEST_F(CombineFilesTest, ConcatWarnsOfOtherNames) {
  const std::string y = feeds("y.json", {"a=1", "b=1"});
  concat_saved_files({feeds("x.json", {"a=0"}), y}, out_, log_);
  EXPECT_THAT(said_, HasSubstr("[W] Iteration 1 from " + y +
                               " contains different tensor names than earlier iterations.\n"
                               "    Note: Expected names: ['a'], but got: ['b']."));
}

TEST_F(CombineFilesTest, ConcatJoinsRunnersOfOneName) {
  concat_saved_files({results("r.json", {{"A", {"o=1"}}, {"B", {"o=2"}}}),
                      results("s.json", {{"B", {"o=3"}}, {"C", {"o=4"}}})},
                     out_, log_);
  const RunResults all = load_results(out_, quiet_);
  ASSERT_EQ(all.runners.size(), 3u);
  EXPECT_EQ(all.runners[1].first, "B");
  ASSERT_EQ(all.runners[1].second.size(), 2u);
  EXPECT_EQ(text_of(all.runners[1].second[1].outputs), "o=3 ");
  EXPECT_EQ(all.runners[1].second[1].runtime, 0.25);
}

TEST_F(CombineFilesTest, ArraysAreCopiedAsTheyStand) {
  const std::string x = feeds("x.json", {"a=1 b=2", "a=3 b=4"});
  concat_saved_files({x}, out_, log_);
  EXPECT_EQ(file_text(out_), file_text(x));
  const std::string r = results("r.json", {{"A", {"o=1", "o=2"}}});
  concat_saved_files({r}, out_, log_);
  EXPECT_EQ(file_text(out_), file_text(r));
}

TEST_F(CombineFilesTest, TheOutputMayBeAnInput) {
  const std::string x = feeds("out.json", {"a=1"});
  concat_saved_files({x, x}, x, log_);
  EXPECT_EQ(saved_feeds(), "| a=1 | a=1 ");
}

TEST_F(CombineFilesTest, InputsAndOutputsAreNotConcatenated) {
  EXPECT_EQ(
      failure(concat_saved_files, {feeds("x.json", {"a=1"}), results("r.json", {{"A", {"o=1"}}})}),
      "Cannot concatenate input data with output data. Please provide files of the same type.");
}

TEST_F(CombineFilesTest, DamagedArraysAreFoundThoughNobodyDecodesThem) {
  std::string text = file_text(feeds("x.json", {"a=1"}));
  const size_t payload = text.find("k05VTVBZ");
  const size_t end = text.find('"', payload);
  for (const auto& [damage, part] : std::initializer_list<std::pair<std::string, const char*>>{
           {std::string(text).replace(end - 6, 1, "!"), "is not base64"},
           {std::string(text).erase(end - 8, 8), "truncated"}}) {
    std::ofstream(folder_ + "x.json") << damage;
    EXPECT_THAT(failure(merge_saved_files, {folder_ + "x.json"}), HasSubstr(part));
  }
  std::ofstream(folder_ + "x.json") << "3";
  EXPECT_THAT(failure(merge_saved_files, {folder_ + "x.json"}),
              HasSubstr("neither saved inputs nor results"));
}

}  // namespace
}  // namespace polygraphy
