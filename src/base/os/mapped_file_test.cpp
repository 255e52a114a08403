#include "base/os/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <csignal>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_text.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(MappedFileTest, ShowsTheBytesOfAFile) {
  put(folder_ / "model", "contents");
  const auto file = MappedFile::open(folder_ / "model");
  EXPECT_EQ(text_of(*file), "contents");
  EXPECT_EQ(file->path(), folder_ / "model");
  EXPECT_GE(file->fd(), 0);
  EXPECT_TRUE(file->unchanged());
  file->will_read(0, 8);
  file->will_read(3, 1'000'000);
  file->will_read(100, 1);
  EXPECT_EQ(text_of(*MappedFile::open(folder_ / "model", AccessPattern::kSequential)), "contents");
}

TEST_F(MappedFileTest, OutlivesTheNameOfTheFile) {
  put(folder_ / "model", "contents");
  const auto file = MappedFile::open(folder_ / "model");
  std::filesystem::remove(folder_ / "model");
  EXPECT_EQ(text_of(*file), "contents");
  EXPECT_FALSE(file->unchanged());
  EXPECT_TRUE(file->intact());
}

TEST_F(MappedFileTest, SeesThatAFileWasCutShort) {
  put(folder_ / "model", "contents");
  const auto file = MappedFile::open(folder_ / "model");
  std::filesystem::resize_file(folder_ / "model", 4);
  EXPECT_FALSE(file->unchanged());
  EXPECT_FALSE(file->intact());
}

TEST_F(MappedFileTest, RefusesDevicesThatHaveNoEnd) {
  for (const char* path : {"/dev/zero", "/dev/urandom"}) {
    try {
      MappedFile::open(path);
      FAIL() << path;
    } catch (const IoError& error) {
      EXPECT_EQ(std::string(error.what()),
                "cannot read '" + std::string(path) + "': it is a device, not a file");
    }
  }
  EXPECT_TRUE(MappedFile::open("/dev/null")->bytes().empty());
}

TEST_F(MappedFileTest, AnEmptyFileHasNoBytes) {
  put(folder_ / "empty", "");
  const auto file = MappedFile::open(folder_ / "empty");
  EXPECT_TRUE(file->bytes().empty());
  EXPECT_TRUE(file->unchanged());
}

TEST_F(MappedFileTest, SaysWhyAFileCannotBeOpened) {
  const auto failure = [](const std::string& path) -> std::pair<std::string, std::string> {
    try {
      MappedFile::open(path);
    } catch (const IoError& error) {
      return {error.what(), error.hint()};
    }
    return {};
  };
  EXPECT_EQ(failure(folder_ / "none"),
            std::pair("cannot open '" + folder_ / "none" + "': No such file or directory",
                      std::string("Check the spelling of the path")));
  EXPECT_EQ(failure(folder_.path()),
            std::pair("cannot open '" + folder_.path() + "': Is a directory",
                      std::string("Give the path of a file")));
  put(folder_ / "secret", "x");
  ::chmod(folder_.path().c_str(), 0755);
  ::chmod((folder_ / "secret").c_str(), 0);
  const WithoutRoot nobody;
  EXPECT_EQ(failure(folder_ / "secret").first,
            "cannot open '" + folder_ / "secret" + "': Permission denied");
}

TEST_F(MappedFileTest, NoticesThatTheFileChanged) {
  put(folder_ / "model", "contents");
  const auto grown = MappedFile::open(folder_ / "model");
  put(folder_ / "model", "contents and more");
  EXPECT_FALSE(grown->unchanged());

  const auto replaced = MappedFile::open(folder_ / "model");
  write_file(folder_ / "model", text_of(*replaced));
  EXPECT_FALSE(replaced->unchanged());

  const auto touched = MappedFile::open(folder_ / "model");
  const timeval times[2] = {{1, 0}, {1, 0}};
  ::utimes((folder_ / "model").c_str(), times);
  EXPECT_FALSE(touched->unchanged());
}

TEST_F(MappedFileTest, ReadsPipesIntoMemory) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string contents(3'000'000, 'p');
  std::thread writer([&] { put(pipe, contents); });
  const auto file = MappedFile::open(pipe);
  writer.join();
  EXPECT_EQ(text_of(*file), contents);
  EXPECT_EQ(file->fd(), -1);
  EXPECT_TRUE(file->unchanged());
}

TEST_F(MappedFileTest, StopsReadingEndlessStreams) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::signal(SIGPIPE, SIG_IGN);
  std::thread writer([&] { put(pipe, std::string(3'000'000, 'p')); });
  try {
    MappedFile::open(pipe, AccessPattern::kSequential, 1'000'000);
    ADD_FAILURE();
  } catch (const IoError& error) {
    EXPECT_EQ(error.what(),
              "'" + pipe + "' is not a regular file, and has more than 1000000 bytes");
    EXPECT_EQ(error.hint(), "Save it to a regular file first");
  }
  writer.join();
}

TEST_F(MappedFileTest, ReadsFilesOfProcThatClaimToBeEmpty) {
  const auto file = MappedFile::open("/proc/self/status");
  EXPECT_NE(text_of(*file).find("Pid:"), std::string::npos);
}

int touch_after_truncation(const std::string& path) {
  install_sigbus_message();
  const auto file = MappedFile::open(path);
  const AtomicFile unfinished(path + ".out");
  std::filesystem::resize_file(path, 0);
  volatile const std::byte* byte = file->bytes().data();
  return static_cast<int>(*byte);
}

TEST_F(MappedFileTest, AFileCutShortIsAMessageNotACrash) {
  put(folder_ / "model", std::string(100'000, 'x'));
  EXPECT_EXIT(std::exit(touch_after_truncation(folder_ / "model")), testing::ExitedWithCode(1),
              "\\[!\\] '.*/model' was truncated or became unreadable during reading");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"model"});
}

TEST_F(MappedFileTest, OtherBusErrorsKillAsEver) {
  const auto fault = [] {
    install_sigbus_message();
    ::raise(SIGBUS);
    ::raise(SIGBUS);
  };
  EXPECT_EXIT(fault(), testing::KilledBySignal(SIGBUS), "");
}

TEST_F(MappedFileTest, ManyMapsComeAndGo) {
  put(folder_ / "model", "contents");
  std::vector<std::shared_ptr<const MappedFile>> files;
  files.reserve(500);
  for (int i = 0; i < 500; ++i) files.push_back(MappedFile::open(folder_ / "model"));
  for (size_t i = 0; i < files.size(); i += 2) files[i] = nullptr;
  for (const auto& file : files) {
    if (file == nullptr) continue;
    EXPECT_EQ(text_of(*file), "contents");
  }
}

}  // namespace
}  // namespace polygraphy
