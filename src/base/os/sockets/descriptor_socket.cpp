#include "base/os/sockets/descriptor_socket.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>
#include <thread>

#include "base/os/sockets/sockets.h"

namespace polygraphy {
namespace {

// Whether to repeat a call that failed with `errno`: for a second, the system may lack memory.
bool wait_for_memory(int& attempt) {
  constexpr int kAttempts = 100;
  constexpr std::chrono::milliseconds kPause(10);
  if ((errno != ENOBUFS && errno != ENOMEM) || ++attempt > kAttempts) return false;
  std::this_thread::sleep_for(kPause);
  return true;
}

// Moves behind the sent bytes. True: there are more.
bool drop_sent(std::span<iovec> parts, size_t sent) {
  bool more = false;
  for (iovec& part : parts) {
    const size_t step = std::min(sent, part.iov_len);
    part.iov_base = static_cast<char*>(part.iov_base) + step;
    part.iov_len -= step;
    sent -= step;
    more |= part.iov_len > 0;
  }
  return more;
}

}  // namespace

bool DescriptorSocket::send(std::string_view head, std::string_view body, int descriptor) {
  std::array<iovec, 2> parts{{{const_cast<char*>(head.data()), head.size()},
                              {const_cast<char*>(body.data()), body.size()}}};
  msghdr message{};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* attached = CMSG_FIRSTHDR(&message);
    attached->cmsg_level = SOL_SOCKET;
    attached->cmsg_type = SCM_RIGHTS;
    attached->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(attached), &descriptor, sizeof descriptor);
  }
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  for (int attempt = 0;;) {
    const ssize_t sent = ::sendmsg(fd(), &message, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EINTR || wait_for_memory(attempt))) continue;
    if (sent < 0) {
      // Both sides would wait: this one for the answer, the other one for the rest.
      ::shutdown(fd(), SHUT_RDWR);
      return false;
    }
    message.msg_control = nullptr;
    message.msg_controllen = 0;
    if (!drop_sent(parts, static_cast<size_t>(sent))) return true;
  }
}

bool DescriptorSocket::receive() {
  char bytes[64 << 10];
  while (true) {
    iovec part{bytes, sizeof bytes};
    alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))];
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t count = ::recvmsg(fd(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) return false;
    for (cmsghdr* each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
      if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
      const size_t number = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (size_t i = 0; i < number; ++i) {
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(each) + i * sizeof(int), sizeof descriptor);
        descriptors_.emplace_back(descriptor);
      }
    }
    received_.append(bytes, static_cast<size_t>(count));
  }
}

bool DescriptorSocket::hung_up() const {
  Waiting other{.fd = fd(), .what = Waiting::For::kEnd};
  return wait_for_any({&other, 1}, 0);
}

int DescriptorSocket::take_descriptor() {
  if (descriptors_.empty()) return -1;
  const int descriptor = descriptors_.front().release();
  descriptors_.pop_front();
  return descriptor;
}

}  // namespace polygraphy
