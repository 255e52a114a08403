#include "base/os/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>

#include "base/error.h"
#include "base/os/child_start.h"
#include "base/os/files/descriptor.h"
#include "base/os/memory/memory_map.h"
#include "base/os/system_error.h"
#include "base/progress.h"

namespace polygraphy {
namespace {

using Clock = std::chrono::steady_clock;

// How late an order to stop may be noticed; also the polling interval on systems without
// pidfd_open().
constexpr int kSliceMilliseconds = 10;

[[noreturn]] void no_stream(const std::string& program) {
  throw IoError("cannot start '" + program + "': " + system_reason(errno), open_hint(errno));
}

// The child's end of a stream; `ours` receives our end of a pipe.
FileDescriptor open_stream(const ChildStream& stream, int number, const std::string& program,
                           FileDescriptor& ours) {
  int fd = -1;
  switch (stream.kind) {
    case ChildStream::Kind::kInherit:
      fd = ::fcntl(number, F_DUPFD_CLOEXEC, 3);
      if (fd < 0 && errno == EBADF) fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
      break;
    case ChildStream::Kind::kNull:
      fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
      break;
    case ChildStream::Kind::kDescriptor:
      fd = ::fcntl(stream.fd, F_DUPFD_CLOEXEC, 3);
      break;
    case ChildStream::Kind::kCapture: {
      int ends[2];
      if (::pipe2(ends, O_CLOEXEC) != 0) break;
      ours = FileDescriptor(ends[0]);
      ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
      fd = ends[1];
      break;
    }
    case ChildStream::Kind::kText: {
      // A file in memory: no thread has to write while the child reads.
      FileDescriptor file = make_memory_file("stdin");
      if (!file) break;
      if (const int error = write_all(file.get(), stream.text); error != 0) {
        errno = error;
        no_stream(program);
      }
      ::lseek(file.get(), 0, SEEK_SET);
      return file;
    }
  }
  if (fd < 0) no_stream(program);
  return FileDescriptor(fd);
}

int remaining_milliseconds(std::optional<Clock::time_point> end) {
  if (!end) return -1;
  const auto left = std::chrono::duration<double, std::milli>(*end - Clock::now()).count();
  return static_cast<int>(std::clamp(std::ceil(left), 0.0, 1e9));
}

}  // namespace

ChildProcess::ChildProcess(const ChildOptions& options) {
  ChildStart start{.argv = options.argv,
                   .environment = options.environment,
                   .folder = options.folder,
                   .descriptors = options.descriptors};
  const std::string program = options.argv.empty() ? "" : options.argv.front();
  const std::array<const ChildStream*, 3> streams{&options.in, &options.out, &options.err};
  std::array<FileDescriptor, 3> theirs, ours;
  for (int i = 0; i < 3; ++i) {
    const auto n = static_cast<size_t>(i);
    theirs[n] = open_stream(*streams[n], i, program, ours[n]);
    start.descriptors.emplace_back(theirs[n].get(), i);
  }
  pid_ = start_child(start);
  pidfd_ = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  for (const auto& [pipe, stream, end] :
       {std::tuple{&out_, streams[1], &ours[1]}, {&err_, streams[2], &ours[2]}}) {
    pipe->fd = end->release();
    pipe->limit = stream->limit;
    pipe->keep = stream->keep;
  }
}

ChildProcess::~ChildProcess() {
  if (!status_) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    siginfo_t info;
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
      continue;
    }
    finish();
  }
}

void ChildProcess::Pipe::close() {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

void ChildProcess::Pipe::drain() {
  // Not more than this at a time: a flood must not keep us from noticing that time is up.
  constexpr int kTurns = 64;
  char buffer[64 << 10];
  for (int turn = 0; fd >= 0 && turn < kTurns; ++turn) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count == 0) close();
    if (count < 0 && errno != EINTR && errno != EAGAIN) close();
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) continue;
    const std::string_view text(buffer, static_cast<size_t>(count));
    if (keep != ChildStream::Keep::kLast) {
      const size_t room = limit - std::min(limit, captured.text.size());
      captured.text.append(text.substr(0, room));
      captured.dropped += text.size() - std::min(text.size(), room);
      continue;
    }
    captured.text.append(text);
    // Cut now and then, not at each read.
    if (captured.text.size() <= 2 * limit + sizeof buffer) continue;
    captured.dropped += captured.text.size() - limit;
    captured.text.erase(0, captured.text.size() - limit);
  }
}

ChildProcess::Event ChildProcess::poll_until(int fd, std::optional<double> seconds,
                                             CancelToken cancel) {
  std::optional<Clock::time_point> end;
  if (seconds) {
    end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>(std::clamp(*seconds, 0.0, 1e8)));
  }
  while (true) {
    int patience = remaining_milliseconds(end);
    if (cancel.flag() || pidfd_ < 0)
      patience = patience < 0 ? kSliceMilliseconds : std::min(patience, kSliceMilliseconds);
    std::array<pollfd, 4> wanted{{{.fd = fd, .events = POLLIN, .revents = 0},
                                  {.fd = out_.fd, .events = POLLIN, .revents = 0},
                                  {.fd = err_.fd, .events = POLLIN, .revents = 0},
                                  {.fd = pidfd_, .events = POLLIN, .revents = 0}}};
    const int ready = ::poll(wanted.data(), wanted.size(), patience);
    cancel.check();
    if (ready == 0) report_progress();
    if (ready > 0) {
      if (wanted[1].revents != 0) out_.drain();
      if (wanted[2].revents != 0) err_.drain();
      if (out_.overflows() || err_.overflows()) ::kill(-pid_, SIGKILL);
      if (wanted[0].revents != 0) return Event::kReadable;
    }
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | WNOHANG);
    if (info.si_pid == pid_) return Event::kEnded;
    if (end && Clock::now() >= *end) return Event::kTimeIsUp;
  }
}

std::optional<ExitStatus> ChildProcess::wait(std::optional<double> seconds, CancelToken cancel) {
  if (status_) return status_;
  if (poll_until(-1, seconds, cancel) == Event::kTimeIsUp) return std::nullopt;
  finish();
  return status_;
}

ChildProcess::Event ChildProcess::wait_readable(int fd, std::optional<double> seconds,
                                                CancelToken cancel) {
  if (status_) return Event::kEnded;
  return poll_until(fd, seconds, cancel);
}

ExitStatus ChildProcess::kill(double grace) {
  if (status_) return *status_;
  ::kill(-pid_, SIGTERM);
  ::kill(-pid_, SIGCONT);  // one that is stopped would not notice
  if (!wait(grace)) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    wait();
  }
  return *status_;
}

// The child has ended but is still a zombie, so its process id cannot have been reused: the rest of
// its group is killed before the zombie is reaped.
void ChildProcess::finish() {
  ::kill(-pid_, SIGKILL);
  int wait_status = 0;
  rusage usage{};
  while (::wait4(pid_, &wait_status, 0, &usage) < 0 && errno == EINTR) continue;
  status_ = exit_status_of(wait_status);
  status_->peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  for (Pipe* pipe : {&out_, &err_}) {
    pipe->drain();
    pipe->close();
    if (pipe->keep == ChildStream::Keep::kLast && pipe->captured.text.size() > pipe->limit) {
      pipe->captured.dropped += pipe->captured.text.size() - pipe->limit;
      pipe->captured.text.erase(0, pipe->captured.text.size() - pipe->limit);
    }
  }
  if (pidfd_ >= 0) ::close(pidfd_);
  pidfd_ = -1;
}

}  // namespace polygraphy
