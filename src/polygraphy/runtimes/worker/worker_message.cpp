#include "polygraphy/runtimes/worker/worker_message.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>

#include "base/os/system_error.h"

namespace polygraphy {
namespace {

struct Header {
  WorkerTopic topic;
  uint32_t unused = 0;
  uint64_t size;
};

// Whether to repeat a call that failed with `errno`: for a second, the system may lack memory.
bool wait_for_memory(int& attempt) {
  constexpr int kAttempts = 100;
  constexpr timespec kPause = {0, 10'000'000};
  if ((errno != ENOBUFS && errno != ENOMEM) || ++attempt > kAttempts) return false;
  ::nanosleep(&kPause, nullptr);
  return true;
}

}  // namespace

void FieldWriter::put(const std::optional<DimList>& shape) {
  put(shape.has_value());
  if (!shape) return;
  put(static_cast<uint64_t>(shape->size()));
  for (const Dim& dim : *shape) {
    put(dim.has_value());
    if (dim.has_value()) {
      put(dim.value());
    } else {
      put(dim.param());
    }
  }
}

void FieldWriter::put(const Metadata& metadata) {
  put(static_cast<uint64_t>(metadata.size()));
  for (const auto& [name, info] : metadata) {
    put(name);
    put(info.dtype);
    put(info.docstring);
    put(info.shape);
    put(info.item_shape);
    put(info.kind);
  }
}

void FieldReader::get(std::optional<DimList>& shape) {
  shape.reset();
  if (!get<bool>()) return;
  shape.emplace();
  for (auto rank = get<uint64_t>(); rank > 0; --rank) {
    if (get<bool>()) {
      shape->emplace_back(get<int64_t>());
    } else if (const auto param = get<std::string>(); param.empty()) {
      shape->emplace_back();
    } else {
      shape->emplace_back(std::string_view(param));
    }
  }
}

void FieldReader::get(Metadata& metadata) {
  metadata.clear();
  for (auto count = get<uint64_t>(); count > 0; --count) {
    const auto name = get<std::string>();
    TensorInfo info;
    get(info.dtype);
    get(info.docstring);
    get(info.shape);
    get(info.item_shape);
    get(info.kind);
    metadata.set(name, std::move(info));
  }
}

std::string_view FieldReader::take(uint64_t count) {
  if (count > rest_.size()) throw Error("a message of a runner's process is truncated");
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

std::pair<int, int> WorkerSocket::make_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error("cannot communicate with a runner's process: " + system_reason(errno),
                open_hint(errno));
  }
  return {ends[0], ends[1]};
}

WorkerSocket::~WorkerSocket() {
  for (const int descriptor : descriptors_) ::close(descriptor);
  ::close(fd_);
}

bool WorkerSocket::send(WorkerTopic topic, const FieldWriter& fields, int descriptor) {
  const std::string& bytes = fields.bytes();
  Header header{.topic = topic, .size = bytes.size()};
  std::array<iovec, 2> parts{
      {{&header, sizeof header}, {const_cast<char*>(bytes.data()), bytes.size()}}};
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
    const ssize_t sent = ::sendmsg(fd_, &message, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EINTR || wait_for_memory(attempt))) continue;
    if (sent < 0) {
      // Both sides would wait: this one for the answer, the other one for the rest.
      ::shutdown(fd_, SHUT_RDWR);
      return false;
    }
    message.msg_control = nullptr;
    message.msg_controllen = 0;
    auto done = static_cast<size_t>(sent);
    bool more = false;
    for (iovec& part : parts) {
      const size_t step = std::min(done, part.iov_len);
      part.iov_base = static_cast<char*>(part.iov_base) + step;
      part.iov_len -= step;
      done -= step;
      more |= part.iov_len > 0;
    }
    if (!more) return true;
  }
}

bool WorkerSocket::receive() {
  char bytes[64 << 10];
  while (true) {
    iovec part{bytes, sizeof bytes};
    alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))];
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t count = ::recvmsg(fd_, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) return false;
    for (cmsghdr* each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
      if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
      const size_t number = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (size_t i = 0; i < number; ++i) {
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(each) + i * sizeof(int), sizeof descriptor);
        descriptors_.push_back(descriptor);
      }
    }
    buffer_.append(bytes, static_cast<size_t>(count));
  }
}

bool WorkerSocket::hung_up() const {
  pollfd other{.fd = fd_, .events = 0, .revents = 0};
  return ::poll(&other, 1, 0) > 0;
}

std::optional<WorkerMessage> WorkerSocket::next() {
  Header header;
  if (buffer_.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, buffer_.data(), sizeof header);
  if (buffer_.size() - sizeof header < header.size) return std::nullopt;
  WorkerMessage message{.topic = header.topic,
                        .fields = buffer_.substr(sizeof header, header.size)};
  buffer_.erase(0, sizeof header + header.size);
  return message;
}

int WorkerSocket::take_descriptor() {
  if (descriptors_.empty()) return -1;
  const int descriptor = descriptors_.front();
  descriptors_.pop_front();
  return descriptor;
}

}  // namespace polygraphy
