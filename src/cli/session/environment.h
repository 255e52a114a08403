// The world as a command sees it. Everything is injected, so that a test of a command is a function
// call.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

class ProgressLine;

namespace cli {

// Where text goes. Not thread-safe.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual void write(
      std::string_view text) = 0;  // throws IoError (a full disk); a closed pipe is fine
  // Codes that move the cursor, as they are.
  virtual void control(std::string_view sequence) { write(sequence); }
  virtual void flush() {}
  virtual bool terminal() const { return false; }
};

// A file descriptor, which stays open. Buffered. A terminal gets visible() text.
class DescriptorStream : public Stream {
 public:
  DescriptorStream(int descriptor, std::string name);
  ~DescriptorStream() override;
  DescriptorStream(const DescriptorStream&) = delete;
  DescriptorStream& operator=(const DescriptorStream&) = delete;
  void write(std::string_view text) override;
  void control(std::string_view sequence) override;
  void flush() override;
  bool terminal() const override { return terminal_; }

 private:
  void send(std::string_view text);

  int descriptor_;
  bool terminal_;
  bool closed_ = false;  // the reader has closed the pipe: the rest is dropped
  std::string name_;     // in messages: "standard output"
  std::string buffer_;
};

// Keeps its output.
class TextStream : public Stream {
 public:
  void write(std::string_view text) override { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// How Ctrl-C reaches a command, and other signals that ask to stop. Unless `deferred` is set, the
// signal handler ends the process.
struct Interrupts {
  std::atomic<bool> deferred =
      false;  // set by a command that looks at `requested` from time to time
  // Set with it: SIGTERM and SIGHUP mean the same as Ctrl-C. For commands of which nothing can keep
  // the process from ending, since `timeout` and schedulers send one signal only.
  std::atomic<bool> all_signals = false;
  std::atomic<bool> requested =
      false;  // set by the signal handler; a second signal ends the process all the same
  std::atomic<int> signal = 0;  // which one that was
};

// Standard input, for commands that ask.
class Input {
 public:
  virtual ~Input() = default;
  // The next line, without its end; nullopt at the end of the input.
  virtual std::optional<std::string> line() = 0;
};

struct Environment {
  Stream& out;
  Stream& err;
  const char* const* variables;  // "NAME=value", null-terminated; may be null
  std::string executable;        // the running program's file, links resolved
  std::string root = {};         // where relative paths begin; empty: the process's current folder
  double (*clock)() = nullptr;   // seconds, monotonic; never null when a command runs
  int columns = 80;              // width of help texts
  bool process_ends = false;     // right after the command: big objects need no tearing down
  bool stays_open = false;  // the process has more to do afterwards: the command is not confined
  bool is_task = false;     // run_task() started this process: exit codes are of TaskOutcome
  bool is_job = false;      // of `polygraphy job`: results are the same each time
  std::string merged_tasks = {};  // the folder of tasks of a command with --on, which have results
  Interrupts* interrupts = nullptr;  // may be null: no interrupts
  Input* in = nullptr;               // may be null: no input
  ProgressLine* progress = nullptr;  // on `err`; null: none is shown
  // Folders and files of plugins that the command line names; set by the driver before the tables
  // of the back ends are made.
  std::vector<std::string> backend_paths = {};

  // Empty when not set.
  std::string_view variable(std::string_view name) const;
  // A path as typed, from `root`; "-" stays.
  std::string path(std::string_view typed) const;
};

}  // namespace cli
}  // namespace polygraphy
