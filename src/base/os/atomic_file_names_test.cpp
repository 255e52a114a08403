// The names of temporary files beside their targets, and several files that are replaced together.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/os/atomic_file.h"
#include "base/os/temporaries.h"
#include "base/os/testdata/io_message.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

// As old as left-overs are.
void make_old(const std::string& path) {
  const timespec times[] = {{.tv_sec = 1'000'000'000, .tv_nsec = 0},
                            {.tv_sec = 1'000'000'000, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

class NamedTemporaries : public testing::Test {
 protected:
  NamedTemporaries() { pretend_lack(FileSystemLacks::kUnnamedFiles); }
  ~NamedTemporaries() override { pretend_lack(FileSystemLacks::kNothing); }

  void age(const std::string& name) { make_old(folder_ / name); }

  TemporaryFolder folder_;
};

TEST_F(NamedTemporaries, AppearWholeAtCommit) {
  AtomicFile file(folder_ / "out.onnx");
  file.write("hello");
  EXPECT_THAT(folder_.names(), ElementsAre(MatchesRegex("\\.out\\.onnx\\..*\\.tmp")));
  file.commit();
  EXPECT_EQ(contents_of(folder_ / "out.onnx"), "hello");
  EXPECT_THAT(folder_.names(), ElementsAre("out.onnx"));
}

TEST_F(NamedTemporaries, LeftOversOfTheSameFileAreRemoved) {
  for (const std::string name :
       {".out.onnx.k123456789.tmp", ".out.onnx.k223456789.tmp", ".other.k323456789.tmp"}) {
    put(folder_ / name, "of a process that was killed");
    if (name != ".out.onnx.k223456789.tmp") age(name);
  }
  write_file(folder_ / "out.onnx", "x");
  // The second may belong to a process that has just begun.
  EXPECT_THAT(folder_.names(),
              ElementsAre(".other.k323456789.tmp", ".out.onnx.k223456789.tmp", "out.onnx"));
}

TEST_F(NamedTemporaries, WhatAnotherProcessWorksOnStays) {
  AtomicFile file(folder_ / "out");
  file.write("first");
  age(folder_.names().at(0));
  write_file(folder_ / "out", "second");
  file.commit();
  EXPECT_EQ(contents_of(folder_ / "out"), "first");
  EXPECT_THAT(folder_.names(), ElementsAre("out"));
}

TEST_F(NamedTemporaries, ASignalHandlerCanRemoveThem) {
  std::optional<AtomicFile> first(folder_ / "first"), second(folder_ / "second");
  first->write("x");
  EXPECT_EQ(folder_.names().size(), 2u);
  remove_temporary_files();
  EXPECT_THAT(folder_.names(), IsEmpty());
  EXPECT_THAT(message_of([&] { first->commit(); }),
              HasSubstr("cannot replace '" + folder_ / "first"));
  second.reset();
  write_file(folder_ / "third", "x");
  remove_temporary_files();
  EXPECT_THAT(folder_.names(), ElementsAre("third"));
}

// A process that is killed between the name and the replacement leaves one.
TEST(UnnamedTemporaries, LeaveNoLeftOversOfTheSameFile) {
  const TemporaryFolder folder;
  for (const std::string name : {".out.k123456789.tmp", ".other.k323456789.tmp"}) {
    put(folder / name, "of a process that was killed");
    make_old(folder / name);
  }
  put(folder / "out", "old");
  write_file(folder / "out", "new");
  EXPECT_THAT(folder.names(), ElementsAre(".other.k323456789.tmp", "out"));
}

class FilesTogether : public testing::Test {
 protected:
  void write(const std::string& name) {
    files_.push_back(std::make_unique<AtomicFile>(folder_ / name));
    files_.back()->write("new");
  }

  TemporaryFolder folder_;
  std::vector<std::unique_ptr<AtomicFile>> files_;
};

TEST_F(FilesTogether, AreReplacedAtOnce) {
  put(folder_ / "data", "old");
  for (const char* name : {"data", "model", "dev"}) write(name);
  files_.front()->complete();
  EXPECT_EQ(contents_of(folder_ / "data"), "old");
  commit_together(files_);
  for (const char* name : {"data", "model", "dev"}) EXPECT_EQ(contents_of(folder_ / name), "new");
  EXPECT_THAT(folder_.names(), testing::UnorderedElementsAre("data", "dev", "model"));
}

TEST_F(FilesTogether, AreAsBeforeIfOneCannotBePutInPlace) {
  put(folder_ / "data", "old");
  for (const char* name : {"data", "added", "model"}) write(name);
  std::filesystem::create_directories(folder_ / "model/in the way");
  EXPECT_THAT(message_of([&] { commit_together(files_); }),
              HasSubstr("cannot replace '" + folder_ / "model"));
  files_.clear();
  EXPECT_EQ(contents_of(folder_ / "data"), "old");
  EXPECT_THAT(folder_.names(), testing::UnorderedElementsAre("data", "model"));
}

TEST_F(FilesTogether, SignalsWaitUntilAllAreInPlace) {
  static constinit std::atomic<bool> seen = false;
  std::signal(SIGUSR1, [](int) { seen = true; });
  {
    const HeldSignals held;
    ::raise(SIGUSR1);
    EXPECT_FALSE(seen);
  }
  EXPECT_TRUE(seen);
  std::signal(SIGUSR1, SIG_DFL);
}

}  // namespace
}  // namespace polygraphy
