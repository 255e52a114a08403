#include "base/os/sockets/sockets.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "base/error.h"
#include "base/os/system_error.h"

namespace polygraphy {

DescriptorPair make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

DescriptorPair make_socket_pair(int buffer) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return {};
  for (const int end : ends) {
    if (buffer > 0) ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
  }
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

FileDescriptor listen_on_this_machine(uint16_t port, int most_waiting) {
  FileDescriptor listening(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!listening) return listening;
  const int on = 1;
  ::setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  if (::bind(listening.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listening.get(), most_waiting) != 0) {
    listening.close();
  }
  return listening;
}

int port_of(int listening) {
  sockaddr_in address = {};
  socklen_t length = sizeof address;
  ::getsockname(listening, reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

FileDescriptor accept_once(int listening) {
  return FileDescriptor(::accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

void never_wait(int fd) {
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
}

std::optional<size_t> send_once(int fd, std::span<const std::byte> bytes) {
  const ssize_t count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (count >= 0) return static_cast<size_t>(count);
  if (errno == EAGAIN || errno == EINTR) return 0;
  return std::nullopt;
}

void end_sending(int fd) {
  ::shutdown(fd, SHUT_WR);
}

bool wait_for_any(std::span<Waiting> all, int milliseconds) {
  constexpr short kEvents[] = {0, POLLIN, POLLOUT};
  std::vector<pollfd> polled;
  for (const Waiting& one : all)
    polled.push_back({one.fd, kEvents[static_cast<size_t>(one.what)], 0});
  const int ready = ::poll(polled.data(), polled.size(), milliseconds);
  if (ready < 0 && errno != EINTR)
    throw Error("cannot wait for another process: " + system_reason(errno));
  for (size_t i = 0; i < all.size(); ++i) all[i].ready = ready > 0 && polled[i].revents != 0;
  return ready > 0;
}

}  // namespace polygraphy
