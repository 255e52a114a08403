#include "polygraphy/runtimes/worker/worker_runner.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/recording_log.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/worker/worker_message.h"
#include "polygraphy/runtimes/worker/worker_request.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// The bytes of a message as they go over the socket.
std::string sent(WorkerTopic topic, const FieldWriter& fields) {
  const auto [a, b] = WorkerSocket::make_pair();
  WorkerSocket writer(a), reader(b);
  writer.send(topic, fields);
  std::string bytes(size_t{4} << 10, '\0');
  bytes.resize(static_cast<size_t>(::read(reader.fd(), bytes.data(), bytes.size())));
  return bytes;
}

// A socket that takes no more, in place of a system without memory.
TEST(WorkerSocketTest, WhatCannotBeSentEndsTheConnection) {
  const auto [a, b] = WorkerSocket::make_pair();
  WorkerSocket writer(a), reader(b);
  ASSERT_EQ(::fcntl(a, F_SETFL, O_NONBLOCK), 0);
  FieldWriter fields;
  fields.put(std::string(size_t{64} << 20, 'x'));
  EXPECT_FALSE(writer.send(WorkerTopic::kInfer, fields));
  EXPECT_FALSE(writer.receive());
  while (reader.receive()) {
  }
}

// A runner with a script of ours as process.
class WorkerRunnerTest : public testing::Test {
 protected:
  std::unique_ptr<Runner> runner(const std::string& script) {
    const std::string program =
        write(folder_, "program.sh", "#!/bin/sh\ncd " + folder_.path() + "\n" + script + "\n");
    fs::permissions(program, fs::perms::owner_all);
    return make_worker_runner("apart", host_, *backend_option_tables().front(), {}, {}, {},
                              Isolation{.program = program}, log_.log());
  }
  // A file that holds back who writes it until it is read, and the other way round.
  std::string make_meeting_point(const std::string& name) const {
    const std::string path = folder_ / name;
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    return path;
  }
  static std::string error(Runner& runner) {
    try {
      runner.activate();
    } catch (const RunnerFailure& failure) {
      return failure.what();
    }
    return "no failure";
  }

  const TemporaryFolder folder_;
  RecordingLog log_;
  PluginHost host_{{}, log_.log()};
};

TEST_F(WorkerRunnerTest, AProcessThatSaysWhyItFailsAndEndsIsUnderstood) {
  FieldWriter fields;
  fields.put(WorkerError::kRunnerFailure);
  fields.put(std::string("no such device"));
  fields.put(std::string());
  write(folder_, "message", sent(WorkerTopic::kFailed, fields));
  const std::string said = make_meeting_point("said");
  const auto apart = runner("cat message >&3\nexec 3>&-\necho > said\nsleep infinity");
  apart->begin_activation();
  std::ifstream(said).get();
  EXPECT_EQ(error(*apart), "no such device");
}

TEST_F(WorkerRunnerTest, WhatAProcessSaidBeforeItDiedIsSaid) {
  FieldWriter fields;
  fields.put(Severity::kWarning);
  fields.put(std::string("m.py"));
  fields.put(std::string("it gets hot"));
  fields.put(Once::kNo);
  fields.put(0);
  write(folder_, "message", sent(WorkerTopic::kLog, fields));
  const auto apart = runner("cat message >&3\necho 'too hot' >&2\nexit 3");
  EXPECT_THAT(error(*apart),
              HasSubstr("exited with 3 when it was activated | Its last words: too hot"));
  EXPECT_TRUE(log_.has("[W] it gets hot"));
}

}  // namespace
}  // namespace polygraphy
