#include "graphsurgeon/ir/payloads/external_payload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"

namespace graphsurgeon {
namespace {

using polygraphy::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;

class ExternalPayloadTest : public testing::Test {
 protected:
  ExternalPayloadTest() {
    std::filesystem::create_directories(folder_ / "model/sub");
    polygraphy::put(folder_ / "model/w.bin", std::string("\0\0\0\0\0\0\x80\x3f\0\0\0\x40", 12));
    polygraphy::put(folder_ / "model/sub/w.bin", std::string("\0\0\x80\x3f", 4));
    polygraphy::put(folder_ / "secret.bin", std::string(100, 's'));
  }

  PayloadPtr payload(const std::string& location, int64_t offset = 0, int64_t length = -1,
                     Shape shape = {1}, DataType dtype = DataType::kFloat32) {
    ExternalRange range;
    range.location = location;
    range.offset = offset;
    range.length = length;
    range.folder = folder_ / "model";
    return external_payload(dtype, std::move(shape), range);
  }

  std::string error(const PayloadPtr& p) {
    try {
      (void)p->load("w");
    } catch (const polygraphy::Error& e) {
      EXPECT_NE(e.hint() + e.what(), e.what()) << "no hint: " << e.what();
      return e.what();
    }
    return "none";
  }

  TemporaryFolder folder_;
};

TEST_F(ExternalPayloadTest, MapsARangeOfTheFile) {
  const Array array = payload("w.bin", 4, 8, {2})->load("w");
  EXPECT_EQ(array.get_double(0), 1.0);
  EXPECT_EQ(array.get_double(1), 2.0);
  EXPECT_EQ(payload("sub/w.bin")->load("w").get_double(0), 1.0);
  EXPECT_EQ(payload("w.bin", 8)->load("w").get_double(0), 2.0) << "no length given";
  EXPECT_EQ(payload("w.bin", 12, 0, {0})->load("w").size(), 0) << "empty, at the very end";
}

TEST_F(ExternalPayloadTest, KnowsItselfWithoutTheFile) {
  const PayloadPtr p = payload("nowhere.bin", 0, -1, {3, 4});
  EXPECT_EQ(p->size(), 12);
  EXPECT_EQ(p->nbytes(), 48);
  EXPECT_EQ(p->external()->location, "nowhere.bin");
}

TEST_F(ExternalPayloadTest, RefusesLocationsThatLeaveTheFolder) {
  EXPECT_THAT(error(payload("../secret.bin")),
              AllOf(HasSubstr("tensor 'w'"), HasSubstr("'../secret.bin'"), HasSubstr("'..'")));
  EXPECT_THAT(error(payload("sub/../../secret.bin")), HasSubstr("'..'"));
  EXPECT_THAT(error(payload("sub/..")), HasSubstr("'..'"));
  EXPECT_THAT(error(payload(folder_ / "secret.bin")), HasSubstr("is an absolute path"));
  EXPECT_THAT(error(payload("")), HasSubstr("has no location"));
  EXPECT_THAT(error(payload(std::string("w.bin\0x", 7))), HasSubstr("contains a zero byte"));
}

TEST_F(ExternalPayloadTest, RefusesLinksThatLeaveTheFolder) {
  std::filesystem::create_symlink(folder_ / "secret.bin", folder_ / "model/link.bin");
  std::filesystem::create_directory_symlink(folder_.path(), folder_ / "model/up");
  std::filesystem::create_symlink("w.bin", folder_ / "model/inside.bin");
  EXPECT_THAT(error(payload("link.bin")),
              AllOf(HasSubstr("leaves the model's folder"), HasSubstr("secret.bin")));
  EXPECT_THAT(error(payload("up/secret.bin")), HasSubstr("leaves the model's folder"));
  EXPECT_EQ(payload("inside.bin", 4)->load("w").get_double(0), 1.0);
}

// Download caches: the model and its data are links into a folder of blobs.
TEST_F(ExternalPayloadTest, FollowsLinksToWhereTheModelReallyLies) {
  std::filesystem::create_directories(folder_ / "snapshot");
  polygraphy::put(folder_ / "model/blob", "a model");
  std::filesystem::create_symlink(folder_ / "model/blob", folder_ / "snapshot/m.onnx");
  std::filesystem::create_symlink(folder_ / "model/w.bin", folder_ / "snapshot/w.bin");
  std::filesystem::create_symlink(folder_ / "secret.bin", folder_ / "snapshot/evil.bin");
  const ExternalFolder folder(folder_ / "snapshot", folder_ / "snapshot/m.onnx");
  EXPECT_EQ(folder.open("w.bin", "w")->bytes().size(), 12u);
  EXPECT_THROW(folder.open("evil.bin", "w"), polygraphy::Error);
}

TEST_F(ExternalPayloadTest, RefusesWhatIsNotARegularFile) {
  ASSERT_EQ(::mkfifo((folder_ / "model/pipe").c_str(), 0600), 0);
  EXPECT_THAT(error(payload("pipe")), HasSubstr("is not a regular file"));
  EXPECT_THAT(error(payload("sub")), HasSubstr("is not a regular file"));
  EXPECT_THAT(error(payload(".")), HasSubstr("leaves the model's folder"));
}

TEST_F(ExternalPayloadTest, SaysThatTheFileIsMissing) {
  EXPECT_THAT(error(payload("nowhere.bin")),
              AllOf(HasSubstr("tensor 'w'"), HasSubstr("nowhere.bin"), HasSubstr("No such file")));
}

TEST_F(ExternalPayloadTest, SaysThatTheFileIsTooShort) {
  EXPECT_THAT(error(payload("w.bin", 8, 8, {2})),
              AllOf(HasSubstr("tensor 'w' (float32[2])"), HasSubstr("the 8 bytes at offset 8"),
                    HasSubstr("has only 12")));
  EXPECT_THAT(error(payload("w.bin", 13, 0, {0})), HasSubstr("has only 12"));
  EXPECT_THAT(error(payload("w.bin", INT64_MAX)), HasSubstr("has only 12"));
}

TEST_F(ExternalPayloadTest, NamesWhatAKilledWriteLeft) {
  polygraphy::put(folder_ / "model/.m.onnx.3f2a.tmp", "");
  try {
    (void)payload("w.bin", 8, -1, {2})->load("w");
    FAIL();
  } catch (const polygraphy::Error& e) {
    EXPECT_THAT(e.hint(), AllOf(HasSubstr("/model/.m.onnx.3f2a.tmp to "),
                                testing::EndsWith("/model/m.onnx")));
  }
}

TEST_F(ExternalPayloadTest, SaysThatLengthAndShapeDisagree) {
  EXPECT_THAT(payload("w.bin", 0, 8, {1})->external()->length, 8);
  try {
    (void)payload("w.bin", 0, 8, {1})->load("w");
    FAIL();
  } catch (const polygraphy::FormatError& e) {
    EXPECT_THAT(e.what(), HasSubstr("has a length of 8 bytes, but type and shape need 4"));
  }
  EXPECT_THROW((void)payload("w.bin", -1)->load("w"), polygraphy::FormatError);
  EXPECT_THROW((void)payload("w.bin", 0, -1, {1}, DataType::kString)->load("w"),
               polygraphy::FormatError);
}

TEST_F(ExternalPayloadTest, KeepsOnlyAFewFilesOpen) {
  const ExternalFolder folder(folder_ / "model", "");
  std::weak_ptr<const polygraphy::MappedFile> first;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "w" + std::to_string(i);
    polygraphy::put(folder_ / ("model/" + name), "data");
    const auto file = folder.open(name, "w");
    EXPECT_EQ(folder.open(name, "w"), file) << "shared";
    if (i == 0) first = file;
  }
  EXPECT_TRUE(first.expired());
}

}  // namespace
}  // namespace graphsurgeon
