// Child processes: start, captured output, exit status.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/os/exit_status.h"

namespace polygraphy {

// Where a standard stream of the child leads.
struct ChildStream {
  enum class Kind {
    kInherit,     // ours
    kNull,        // /dev/null
    kCapture,     // outputs only: kept, up to `limit` bytes
    kText,        // standard input only: `text`, then the end of the file
    kDescriptor,  // a descriptor of ours
  };
  enum class Keep {  // the part of a flood that stays
    kFirst,
    kLast,
    kAll,  // a child that prints more than the limit is killed
  };

  static ChildStream inherit() { return {}; }
  static ChildStream null() { return {.kind = Kind::kNull}; }
  static ChildStream capture(size_t limit = size_t{64} << 20, Keep keep = Keep::kFirst) {
    return {.kind = Kind::kCapture, .limit = limit, .keep = keep};
  }
  // Viewed until the child has been started.
  static ChildStream of_text(std::string_view text) { return {.kind = Kind::kText, .text = text}; }
  static ChildStream of_descriptor(int fd) { return {.kind = Kind::kDescriptor, .fd = fd}; }

  Kind kind = Kind::kInherit;
  size_t limit = 0;
  Keep keep = Keep::kFirst;
  std::string_view text = {};
  int fd = -1;
};

struct ChildOptions {
  // The program and its arguments. A program without '/' is searched in PATH.
  std::vector<std::string> argv = {};
  // Set in its environment, on top of ours.
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string folder = {};  // its working directory; empty: ours
  // (descriptor of ours, its number in the child), numbers from 3 on. No other descriptor but the
  // standard streams reaches the child.
  std::vector<std::pair<int, int>> descriptors = {};
  ChildStream in = ChildStream::null();
  ChildStream out = ChildStream::inherit();
  ChildStream err = ChildStream::inherit();
};

// The captured text of a stream. With Keep::kLast, `text` is the end of the output.
struct Captured {
  std::string text;
  uint64_t dropped = 0;  // bytes beyond the limit
};

// A running program in a separate process group, so that Ctrl-C does not reach it and its children
// end with it. It is killed when its starting thread ends for any reason. Not thread-safe.
class ChildProcess {
 public:
  // Throws Error naming the program and the reason when it cannot be started: not found, not
  // executable, no such folder.
  explicit ChildProcess(const ChildOptions& options);
  // Kills the whole process group.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }

  // Waits until the child ends; captured streams are drained meanwhile. nullopt after `seconds`:
  // the child runs on. When it ends, the rest of its group is killed, and streams that other
  // processes hold open are not waited for. Throws Interrupted within a tenth of a second after
  // `cancel` is cancelled. Calls after the end return the same status.
  std::optional<ExitStatus> wait(std::optional<double> seconds = {}, CancelToken cancel = {});

  // Until `fd` can be read (or is closed on the other side), the child ends, or time is up. The end
  // of the child counts last, so that its output is read first.
  enum class Event { kReadable, kEnded, kTimeIsUp };
  Event wait_readable(int fd, std::optional<double> seconds = {}, CancelToken cancel = {});

  // SIGTERM to the group, and SIGKILL to its remaining processes after `grace` seconds.
  ExitStatus kill(double grace = 2.0);

  // The text captured so far.
  const Captured& out() const { return out_.captured; }
  const Captured& err() const { return err_.captured; }

 private:
  struct Pipe {
    int fd = -1;
    size_t limit = 0;
    ChildStream::Keep keep = ChildStream::Keep::kFirst;
    Captured captured;

    void drain();  // reads the available bytes
    bool overflows() const { return keep == ChildStream::Keep::kAll && captured.dropped > 0; }
    void close();
  };

  Event poll_until(int fd, std::optional<double> seconds, CancelToken cancel);
  void finish();

  pid_t pid_ = -1;
  int pidfd_ = -1;
  Pipe out_, err_;
  std::optional<ExitStatus> status_;
};

}  // namespace polygraphy
