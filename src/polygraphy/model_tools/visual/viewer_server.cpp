#include "polygraphy/model_tools/visual/viewer_server.h"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <list>
#include <utility>
#include <vector>

#include "base/os/sockets/sockets.h"
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

[[noreturn]] void refuse(int port, const std::string& reason) {
  throw Error(kPortNotAvailable,
              "cannot listen on 127.0.0.1:" + std::to_string(port) + ": " + reason,
              "Choose another port; 0 selects any free port.");
}

FileDescriptor listening_socket(int port) {
  if (port < 0 || port > kGreatestPort) refuse(port, "ports are 0 to 65535");
  FileDescriptor listening = listen_on_this_machine(static_cast<uint16_t>(port), kMostConnections);
  if (!listening) refuse(port, system_reason(errno));
  return listening;
}

// One request and its answer.
class Connection {
 public:
  explicit Connection(FileDescriptor socket)
      : socket_(std::move(socket)), deadline_(Clock::now() + kPatience) {}

  Waiting waiting() const {
    const bool sends = state_ == State::kAnswers;
    return {.fd = socket_.get(), .what = sends ? Waiting::For::kRoom : Waiting::For::kBytes};
  }
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
    const auto count = read_once(socket_.get(), std::as_writable_bytes(std::span(block_)));
    if (!count) state_ = State::kDone;
    return {block_, count.value_or(0)};
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
      const auto count = send_once(socket_.get(), std::as_bytes(std::span(rest)));
      if (!count) state_ = State::kDone;
      if (count.value_or(0) == 0) return;
      sent_ += *count;
      deadline_ = Clock::now() + kPatience;
    }
    end_sending(socket_.get());
    state_ = State::kEnds;
  }

  FileDescriptor socket_;
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
      : listening_(listening_socket(port)), routes_(std::move(model), std::move(extract)) {}

  int port() const { return port_of(listening_.get()); }

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
    std::vector<Waiting> all = {{has_room ? listening_.get() : -1}};
    for (const Connection& one : connections_) all.push_back(one.waiting());
    if (!wait_for_any(all, kPollMilliseconds)) return;
    size_t i = 1;
    for (Connection& one : connections_) {
      if (all[i++].ready) one.advance(routes_);
    }
    if (all[0].ready) accept();
  }

  void accept() {
    if (FileDescriptor socket = accept_once(listening_.get())) {
      connections_.emplace_back(std::move(socket));
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
      throw IoError("cannot accept a connection on " + std::to_string(port()) + ": " +
                    system_reason(errno));
    }
  }

  FileDescriptor listening_;
  ViewerRoutes routes_;
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
