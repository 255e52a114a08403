#include "common/python/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

extern char** environ;

namespace pgb::python {
namespace {

constexpr int kTick = 50;                      // milliseconds between looks at cancellation
constexpr size_t kMostOfMessage = 256u << 20;  // names and shapes of a model's tensors
constexpr size_t kKeptOfStandardError = 4096;

// "1 float32 32": number, NumPy's name and bits of each type; 0 bits for strings.
constexpr const char* kElementTypes =
#define PGB_ELEMENT_TYPE(enumerator, number, name, onnx_name, numpy_name, kind, bits, ir_version) \
  #number " " numpy_name " " #bits "\n"
#include "polygraphy/element_types.inc"
    "";

// A descriptor beyond those that the child is given.
class Descriptor {
 public:
  explicit Descriptor(int low = -1) : number_(low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, 10)) {
    if (low >= 0) close(low);
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  int take() { return std::exchange(number_, -1); }

 private:
  int number_;
};

Failure cannot_start(const std::string& interpreter, int error) {
  return Failure("cannot start the Python interpreter " + interpreter + ": " + std::strerror(error),
                 {}, PGB_UNAVAILABLE);
}

std::string ending(int status) {
  if (WIFSIGNALED(status)) {
    return "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  }
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

// Idle processes. They end with ours, because their connection closes.
struct Pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<Process>> idle;
};

Pool& pool() {
  static Pool& pool = *new Pool;
  return pool;
}

}  // namespace

Process::Process(std::string interpreter, const Program& program)
    : interpreter_(std::move(interpreter)),
      name_(program.name),
      module_("backend/" + name_ + "/runner.py") {
  int pair[2], out[2], err[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    throw cannot_start(interpreter_, errno);
  Descriptor ours(pair[0]), theirs(pair[1]);
  if (pipe2(out, O_CLOEXEC) != 0) throw cannot_start(interpreter_, errno);
  Descriptor out_read(out[0]), out_write(out[1]);
  if (pipe2(err, O_CLOEXEC) != 0) throw cannot_start(interpreter_, errno);
  Descriptor err_read(err[0]), err_write(err[1]);
  const Descriptor memory(dup(feeds_.descriptor()));

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out_write.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, err_write.get(), 2);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), 3);
  posix_spawn_file_actions_adddup2(&actions, memory.get(), 4);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);  // a separate group, with the children of the model
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  const std::string bootstrap(program.modules.front().text);
  // With its stack where it crashes.
  const char* argv[] = {interpreter_.c_str(), "-X",   "faulthandler", "-c",
                        bootstrap.c_str(),    nullptr};
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, interpreter_.c_str(), &actions, &attributes,
                                 const_cast<char* const*>(argv), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw cannot_start(interpreter_, error);
  pid_ = pid;
  socket_ = ours.take();
  out_.descriptor = out_read.take();
  err_.descriptor = err_read.take();

  const std::span<const Module> host_and_others = program.modules.subspan(1);
  send_text(std::to_string(getpid()));
  send_text(kElementTypes);
  send_text(std::to_string(host_and_others.size()));
  for (const Module& module : host_and_others) {
    send_text(module.name);
    send_text(module.text);
  }
}

Process::~Process() {
  end();
}

std::unique_ptr<Process> Process::take(const std::string& interpreter, const Program& program) {
  {
    const std::lock_guard lock(pool().mutex);
    auto& idle = pool().idle;
    for (size_t i = 0; i < idle.size(); ++i) {
      if (idle[i]->interpreter() != interpreter) continue;
      std::unique_ptr<Process> found = std::move(idle[i]);
      idle.erase(idle.begin() + static_cast<std::ptrdiff_t>(i));
      return found;
    }
  }
  return std::make_unique<Process>(interpreter, program);
}

void Process::give_back(std::unique_ptr<Process> process) {
  if (!process || process->is_over()) return;
  const std::lock_guard lock(pool().mutex);
  pool().idle.push_back(std::move(process));
}

void Process::end() noexcept {
  if (socket_ < 0) return;
  disconnect();
  kill(-pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// It has closed its side.
void Process::ended(const Host* host) {
  int status = 0;
  constexpr int kPatience = 40;  // ticks: it may have closed its side, and go on
  for (int tick = 0; waitpid(pid_, &status, WNOHANG) == 0; ++tick) {
    if (tick == kPatience) kill(pid_, SIGKILL);
    poll(nullptr, 0, kTick);
  }
  kill(-pid_, SIGKILL);  // its children, too
  if (host) forward_all(*host);
  disconnect();
  throw Failure("Python (" + interpreter_ + ") " + ending(status), last_words_);
}

void Process::send(std::string_view data) {
  while (!data.empty()) {
    const ssize_t sent = ::send(socket_, data.data(), data.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) ended(nullptr);
    data.remove_prefix(static_cast<size_t>(sent));
  }
}

void Process::send_text(std::string_view text) {
  const uint64_t size = text.size();
  send({reinterpret_cast<const char*>(&size), sizeof(size)});
  send(text);
}

void Process::forward(Pipe& pipe, const Host& host) {
  char buffer[4096];
  pollfd ready{pipe.descriptor, POLLIN, 0};
  while (pipe.descriptor >= 0 && poll(&ready, 1, 0) > 0) {
    const ssize_t got = ::read(pipe.descriptor, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      close(std::exchange(pipe.descriptor, -1));
      break;
    }
    if (&pipe == &err_) {
      last_words_.append(buffer, static_cast<size_t>(got));
      if (last_words_.size() > kKeptOfStandardError)
        last_words_.erase(0, last_words_.size() - kKeptOfStandardError);
    }
    pipe.line.append(buffer, static_cast<size_t>(got));
    for (size_t end; (end = pipe.line.find('\n')) != std::string::npos;) {
      host.log(pipe.severity, module_.c_str(), pipe.line.substr(0, end));
      pipe.line.erase(0, end + 1);
    }
  }
}

void Process::forward_all(const Host& host) {
  forward(out_, host);
  forward(err_, host);
}

void Process::disconnect() noexcept {
  for (int* descriptor : {&socket_, &out_.descriptor, &err_.descriptor}) {
    if (*descriptor >= 0) close(std::exchange(*descriptor, -1));
  }
}

void Process::wait_for_reply(const Host& host) {
  while (true) {
    pollfd waited[] = {
        {socket_, POLLIN, 0}, {out_.descriptor, POLLIN, 0}, {err_.descriptor, POLLIN, 0}};
    const int ready = poll(waited, 3, host.cancellable() ? kTick : -1);
    if (ready < 0 && errno != EINTR) throw Failure(std::strerror(errno));
    forward_all(host);
    if (ready > 0 && waited[0].revents != 0) return;
    if (host.is_cancelled() && !stop()) {
      end();
      throw cancelled();
    }
  }
}

// Asks it to give up its work; false: it does not listen, being in the middle of an operator.
bool Process::stop() {
  constexpr int kPatience = 2000;  // milliseconds
  kill(pid_, SIGUSR1);
  pollfd waited{socket_, POLLIN, 0};
  return poll(&waited, 1, kPatience) > 0;
}

std::string Process::read(size_t count, int& descriptor) {
  std::string data(count, '\0');
  for (size_t at = 0; at < count;) {
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    iovec part{data.data() + at, count - at};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    const ssize_t got = recvmsg(socket_, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    for (cmsghdr* each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
      if (each->cmsg_level == SOL_SOCKET && each->cmsg_type == SCM_RIGHTS)
        std::memcpy(&descriptor, CMSG_DATA(each), sizeof(int));
    }
    at += static_cast<size_t>(got);
  }
  return data;
}

Reply Process::exchange(const MessageWriter& request, const Host& host) {
  if (is_over()) throw Failure("Python (" + interpreter_ + ") has already ended");
  last_words_.clear();
  send_text(request.data());
  wait_for_reply(host);

  int descriptor = -1;
  const std::string head = read(sizeof(uint64_t), descriptor);
  if (head.empty()) ended(&host);
  uint64_t length = 0;
  std::memcpy(&length, head.data(), sizeof(length));
  if (length > kMostOfMessage) MessageReader::damaged();
  std::string body = read(length, descriptor);
  if (body.empty()) ended(&host);
  forward_all(host);
  Reply reply{MessageReader(std::move(body)), descriptor};
  const bool ok = reply.fields.text() == "ok";
  if (!ok && host.is_cancelled()) throw cancelled();
  if (ok) return reply;
  const auto status = static_cast<pgb_status>(reply.fields.number());
  std::string message = reply.fields.text();
  throw Failure(std::move(message), reply.fields.text(), status);
}

}  // namespace pgb::python
