#include "tasks/node_cache.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/file_text.h"
#include "tasks/task_scripts.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class NodeCacheTest : public ::testing::Test {
 protected:
  NodeCacheTest() {
    write_file(shared_ / "m.onnx", "model");
    job_ = job_in(shared_.path());
    job_.inputs = {InputDigests().input("m.onnx", job_.folder)};
  }
  std::string folder() const {
    return NodeCache(disk_.path())
        .folder_for(
            job_, {},
            {.executable = {}, .host = "here", .digests = std::make_shared<InputDigests>()});
  }

  ScratchFolder shared_{temporary_folder() + "/.polygraphy-shared-"};
  ScratchFolder disk_{temporary_folder() + "/.polygraphy-disk-"};
  TaskJob job_;
};

TEST_F(NodeCacheTest, OtherContentsOfTheSameSizeAreReplaced) {
  const std::string copy = folder() + "/m.onnx";
  write_file(copy, "nodel");
  EXPECT_EQ(read_text(folder() + "/m.onnx"), "model");
}

TEST_F(NodeCacheTest, LinksAndFifosAreReplaced) {
  const std::string copy = folder() + "/m.onnx";
  write_file(shared_ / "evil.onnx", "model");
  ::unlink(copy.c_str());
  ASSERT_EQ(::symlink((shared_ / "evil.onnx").c_str(), copy.c_str()), 0);
  folder();
  struct stat info;
  ASSERT_EQ(::lstat(copy.c_str(), &info), 0);
  EXPECT_TRUE(S_ISREG(info.st_mode));
  ::unlink(copy.c_str());
  ASSERT_EQ(::mkfifo(copy.c_str(), 0600), 0);
  EXPECT_EQ(read_text(folder() + "/m.onnx"), "model");
}

TEST_F(NodeCacheTest, FoldersThatOthersCanWriteToAreRefused) {
  const std::string own = folder();
  struct stat info;
  ASSERT_EQ(::stat(own.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  ::chmod(own.c_str(), 0777);
  EXPECT_THAT([&] { folder(); }, ThrowsMessage<IoError>(HasSubstr("only this user")));
  ::chmod(own.c_str(), 0700);
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give folders away";
  ASSERT_EQ(::chown(own.c_str(), 65534, 65534), 0);
  EXPECT_THAT([&] { folder(); }, ThrowsMessage<IoError>(HasSubstr("only this user")));
  ASSERT_EQ(::chown(own.c_str(), 0, 0), 0);
  ASSERT_EQ(::chown((own + "/m.onnx").c_str(), 65534, 65534), 0);
  folder();
  ASSERT_EQ(::stat((own + "/m.onnx").c_str(), &info), 0);
}

TEST_F(NodeCacheTest, ALinkIsNoFolder) {
  const std::string own = folder();
  ASSERT_EQ(::rename(own.c_str(), (shared_ / "there").c_str()), 0);
  ASSERT_EQ(::symlink((shared_ / "there").c_str(), own.c_str()), 0);
  EXPECT_THAT([&] { folder(); }, ThrowsMessage<IoError>(HasSubstr("only this user")));
}

}  // namespace
}  // namespace polygraphy
