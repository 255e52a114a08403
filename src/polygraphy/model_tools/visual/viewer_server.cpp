#include "polygraphy/model_tools/visual/viewer_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <list>
#include <utility>
#include <vector>

#include "base/os/system_error.h"
#include "polygraphy/model_tools/visual/http_request.h"
#include "polygraphy/model_tools/visual/viewer_routes.h"

namespace polygraphy {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostConnections = 32;
constexpr int kPollMilliseconds = 100;
constexpr std::chrono::seconds kPatience(10);  // with a request, and with who reads slowly
constexpr int kGreatestPort = 65535;

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

sockaddr_in local_address(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

[[noreturn]] void refuse(int port, const std::string& reason) {
  throw Error(kPortNotAvailable,
              "cannot listen on 127.0.0.1:" + std::to_string(port) + ": " + reason,
              "Choose another port; 0 selects any free port.");
}

int listening_socket(int port) {
  if (port < 0 || port > kGreatestPort) refuse(port, "ports are 0 to 65535");
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) refuse(port, system_reason(errno));
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const sockaddr_in address = local_address(port);
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      ::listen(fd, static_cast<int>(kMostConnections)) != 0) {
    const int error = errno;
    ::close(fd);
    refuse(port, system_reason(error));
  }
  return fd;
}

// One request and its answer.
class Connection {
 public:
  explicit Connection(int fd) : socket_(fd), deadline_(Clock::now() + kPatience) {}

  int fd() const { return socket_.fd(); }
  int16_t wanted() const { return state_ == State::kAnswers ? POLLOUT : POLLIN; }
  bool done() const { return state_ == State::kDone || Clock::now() > deadline_; }

  void advance(const ViewerRoutes& routes) {
    if (state_ == State::kReads) read(routes);
    if (state_ == State::kEnds) receive();
    if (state_ == State::kAnswers) write();
  }

 private:
  // kEnds: everything is sent, and further input is dropped until the other side closes. Closing
  // earlier would make the system discard data in transit.
  enum class State : uint8_t { kReads, kAnswers, kEnds, kDone };

  // The available bytes; may be empty.
  std::string_view receive() {
    const ssize_t count = ::recv(fd(), block_, sizeof(block_), 0);
    if (count > 0) return {block_, static_cast<size_t>(count)};
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) state_ = State::kDone;
    return {};
  }

  void read(const ViewerRoutes& routes) {
    request_ += receive();
    const auto head = request_head_length(request_);
    if (!head) {
      if (request_.size() > kMaxRequestBytes) start(too_long_request());
      return;
    }
    auto request = parse_request_head(std::string_view(request_).substr(0, *head));
    if (!request) return start(bad_request());
    if (request->length > kMaxBodyBytes) return start(too_long_body());
    if (request_.size() - *head < request->length) return;  // the rest is on its way
    request->body = request_.substr(*head, request->length);
    start(routes.answer(*request));
  }

  void start(HttpAnswer answer) {
    answer_ = std::move(answer);
    state_ = State::kAnswers;
    deadline_ = Clock::now() + kPatience;
  }

  void write() {
    const std::string_view head = answer_.head;
    const std::string_view body = answer_.body ? std::string_view(*answer_.body) : "";
    while (sent_ < head.size() + body.size()) {
      const std::string_view rest =
          sent_ < head.size() ? head.substr(sent_) : body.substr(sent_ - head.size());
      const ssize_t count = ::send(fd(), rest.data(), rest.size(), MSG_NOSIGNAL);
      if (count < 0) {
        if (errno != EAGAIN && errno != EINTR) state_ = State::kDone;
        return;
      }
      sent_ += static_cast<size_t>(count);
      deadline_ = Clock::now() + kPatience;
    }
    ::shutdown(fd(), SHUT_WR);
    state_ = State::kEnds;
  }

  Socket socket_;
  Clock::time_point deadline_;
  std::string request_;
  HttpAnswer answer_;
  size_t sent_ = 0;  // of head and body
  State state_ = State::kReads;
  char block_[4096];
};

}  // namespace

class ViewerServer::Impl {
 public:
  Impl(VisualModel model, int port, ExtractPart extract)
      : listening_(listening_socket(port)), routes_(std::move(model), std::move(extract)) {
    sockaddr_in address = {};
    socklen_t length = sizeof(address);
    ::getsockname(listening_.fd(), reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
  }

  int port() const { return port_; }

  void serve(CancelToken cancel) {
    while (!cancel.cancelled()) {
      wait();
      connections_.remove_if([](const Connection& one) { return one.done(); });
    }
    connections_.clear();
  }

 private:
  void wait() {
    const bool has_room = connections_.size() < kMostConnections;
    std::vector<pollfd> polled;
    polled.push_back({listening_.fd(), static_cast<int16_t>(has_room ? POLLIN : 0), 0});
    for (const Connection& one : connections_) polled.push_back({one.fd(), one.wanted(), 0});
    if (::poll(polled.data(), polled.size(), kPollMilliseconds) <= 0) return;
    size_t i = 1;
    for (Connection& one : connections_) {
      if (polled[i++].revents != 0) one.advance(routes_);
    }
    if (polled[0].revents != 0) accept();
  }

  void accept() {
    const int fd = ::accept4(listening_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      connections_.emplace_back(fd);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
      throw IoError("cannot accept a connection on " + std::to_string(port_) + ": " +
                    system_reason(errno));
    }
  }

  Socket listening_;
  ViewerRoutes routes_;
  int port_ = 0;
  std::list<Connection> connections_;
};

ViewerServer::ViewerServer(VisualModel model, int port, ExtractPart extract)
    : impl_(std::make_unique<Impl>(std::move(model), port, std::move(extract))) {}

ViewerServer::~ViewerServer() = default;

int ViewerServer::port() const {
  return impl_->port();
}

std::string ViewerServer::url() const {
  return "http://127.0.0.1:" + std::to_string(port()) + "/";
}

void ViewerServer::serve(CancelToken cancel) {
  impl_->serve(cancel);
}

}  // namespace polygraphy
