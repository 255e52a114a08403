#include "polygraphy/diagnosis/reduce/candidate_tests/journal.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/error.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class JournalTest : public testing::Test {
 protected:
  JournalTest()
      : path_(fs::path(testing::TempDir()) / ("journal_" + std::to_string(::getpid()) + ".jsonl")) {
  }
  ~JournalTest() override { fs::remove(path_); }

  void put(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path_, std::ios::binary).rdbuf();
    return all.str();
  }
  std::string refused(bool resume) {
    try {
      Journal(path_, "of a", resume);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  void write_two() {
    Journal journal(path_, "of a", false);
    journal.add({one_, 0}, {.passed = true});
    journal.add({two_, 1}, {.passed = false, .signature = "exited with 1", .output = "y"});
  }

  const Fingerprint one_ = fingerprint("one"), two_ = fingerprint("two");
  const std::string path_;
};

TEST_F(JournalTest, KeepsVerdicts) {
  write_two();
  const Journal journal(path_, "of a", true);
  ASSERT_EQ(journal.before().size(), 2u);
  EXPECT_TRUE(journal.before().at({one_, 0}).passed);
  EXPECT_FALSE(journal.before().at({two_, 1}).passed);
  EXPECT_EQ(journal.before().at({two_, 1}).signature, "exited with 1");
  EXPECT_EQ(journal.before().at({two_, 1}).output, "y");
}

TEST_F(JournalTest, AVerdictThatWasCutShortIsNotOne) {
  write_two();
  const std::string whole = text();
  for (size_t size = 0; size < whole.size(); ++size) {
    put(whole.substr(0, size));
    const Journal journal(path_, "of a", true);
    EXPECT_LE(journal.before().size(), 1u) << size;
    EXPECT_EQ(text().back(), '\n') << size;
  }
}

TEST_F(JournalTest, CandidatesOfARunThatWasKilledAreRemoved) {
  const std::string candidate = path_ + ".onnx";
  std::string killed;
  {
    Journal journal(path_, "of a", false);
    journal.write_candidates_to({candidate});
    journal.add({one_, 0}, {.passed = true});
    killed = text();
  }
  std::ofstream(candidate) << "theirs";
  Journal(path_, "of a", true).write_candidates_to({candidate});
  EXPECT_TRUE(fs::exists(candidate));

  put(killed);
  {
    Journal journal(path_, "of a", true);
    EXPECT_EQ(journal.before().size(), 1u);
    // With other slots than before.
    journal.write_candidates_to({path_ + "_1.onnx"});
    EXPECT_FALSE(fs::exists(candidate));
  }
}

TEST_F(JournalTest, OtherFilesAreLeftAlone) {
  for (const std::string theirs : {"no journal", "two\nlines", "{\"journal\": 1}\n"}) {
    put(theirs);
    EXPECT_THAT(refused(true), HasSubstr("belongs to another reduction"));
    EXPECT_EQ(text(), theirs);
    EXPECT_THAT(refused(false), HasSubstr("already exists"));
    EXPECT_EQ(text(), theirs);
  }
}

TEST_F(JournalTest, OfAnotherReduction) {
  {
    const Journal journal(path_, "of b", false);
  }
  EXPECT_THAT(refused(true), HasSubstr("belongs to another reduction"));
}

TEST_F(JournalTest, OfAnotherVersion) {
  const std::string theirs =
      "{\"journal\": \"polygraphy debug reduce\", \"reduction\": \"of a\"}\n"
      "{\"model\": \"d3a9aa29101aef2c35c0e4b663165839\", \"time\": 0, \"passed\": true}\n";
  put(theirs);
  EXPECT_THAT(refused(true), HasSubstr("was written by another version"));
  EXPECT_EQ(text(), theirs);
}

TEST_F(JournalTest, DamageIsNamedByItsLine) {
  write_two();
  const std::string whole = text();
  for (const std::string damage :
       {R"({"model": "d3a9aa29101aef2c35c0e4b663165839"})", R"({"model": "three", "passed": true})",
        R"({"model": "x3a9aa29101aef2c35c0e4b663165839", "passed": true})",
        R"({"model": "d3a9aa29101aef2c35c0e4b66316583x", "passed": true})"}) {
    put(whole + damage + "\n");
    EXPECT_THAT(refused(true), HasSubstr("line 4")) << damage;
  }
}

// As a process does that a killed run has forked.
TEST_F(JournalTest, ALockThatIsAboutToGoIsWaitedFor) {
  const int fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  std::thread goes([fd] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    ::close(fd);
  });
  EXPECT_NO_THROW(Journal(path_, "of a", true));
  goes.join();
}

TEST_F(JournalTest, OneReductionAtATime) {
  const Journal journal(path_, "of a", false);
  EXPECT_THAT(refused(true), HasSubstr("is in use by another reduction"));
}

}  // namespace
}  // namespace polygraphy
