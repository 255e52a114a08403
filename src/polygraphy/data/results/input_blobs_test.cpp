#include "polygraphy/data/results/input_blobs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace polygraphy {
namespace {

class InputBlobsTest : public testing::Test {
 protected:
  InputBlobsTest() { std::filesystem::remove_all(folder_); }

  std::string text(const std::string& file) const {
    std::ifstream stream(folder_ + "/" + file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  std::string failure(const std::string& name, const Array& array) {
    try {
      InputBlobWriter(folder_, log_).add({{name, array}});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  std::string folder_ = testing::TempDir() + "input_blobs_" +
                        testing::UnitTest::GetInstance()->current_test_info()->name();
  Logger log_;
};

TEST_F(InputBlobsTest, OneFolderPerIterationAndOneFilePerInput) {
  InputBlobWriter writer(folder_ + "/deep", log_);
  writer.add({{"x", Array::of<uint8_t>({2}, {65, 66})}, {"y", Array::of<uint8_t>({1}, {67})}});
  writer.add({{"x", Array::of<uint8_t>({1}, {68})}});
  EXPECT_EQ(text("deep/0000000000/x.bin"), "AB");
  EXPECT_EQ(text("deep/0000000000/y.bin"), "C");
  EXPECT_EQ(text("deep/0000000001/x.bin"), "D");
}

TEST_F(InputBlobsTest, ElementsInTheOrderOfC) {
  const Array array = Array::of<uint8_t>({2, 2}, {65, 66, 67, 68});
  InputBlobWriter(folder_, log_).add({{"x", array.transposed(std::vector<int64_t>{1, 0})}});
  EXPECT_EQ(text("0000000000/x.bin"), "ACBD");
}

TEST_F(InputBlobsTest, FilesOfEarlierRunsAreReplaced) {
  for (const uint8_t value : {65, 66}) {
    InputBlobWriter(folder_, log_).add({{"x", Array::of<uint8_t>({1}, {value})}});
  }
  EXPECT_EQ(text("0000000000/x.bin"), "B");
}

TEST_F(InputBlobsTest, LinksInTheFolderAreNotFollowed) {
  namespace fs = std::filesystem;
  const Array array = Array::of<uint8_t>({1}, {7});
  fs::create_directories(folder_ + "/0000000000");
  fs::create_directories(folder_ + "/elsewhere");
  fs::create_symlink("../elsewhere/file", folder_ + "/0000000000/x.bin");
  fs::create_directory_symlink("../elsewhere", folder_ + "/0000000000/deep");
  for (const char* name : {"x", "deep/x"})
    EXPECT_THROW(InputBlobWriter(folder_, log_).add({{name, array}}), IoError) << name;
  EXPECT_TRUE(fs::is_empty(folder_ + "/elsewhere"));
}

TEST_F(InputBlobsTest, NamesMayHaveFoldersButStayInTheirs) {
  InputBlobWriter(folder_, log_).add({{"a/b:0", Array::of<uint8_t>({1}, {65})}});
  EXPECT_EQ(text("0000000000/a/b:0.bin"), "A");
  for (const char* name : {"../x", "/etc/x", "a/../../x"}) {
    EXPECT_NE(failure(name, Array::of<uint8_t>({1}, {65})).find("would not be in"),
              std::string::npos)
        << name;
  }
}

TEST_F(InputBlobsTest, StringsHaveNoRawForm) {
  EXPECT_EQ(failure("s", Array::from_strings({1}, {"a"})),
            "Cannot save raw input 's': strings have no raw form.");
}

TEST_F(InputBlobsTest, AFileIsNoFolder) {
  std::ofstream(folder_) << "x";
  EXPECT_NE(failure("x", Array::of<uint8_t>({1}, {65})).find("a file already exists there"),
            std::string::npos);
  std::filesystem::remove(folder_);
}

}  // namespace
}  // namespace polygraphy
