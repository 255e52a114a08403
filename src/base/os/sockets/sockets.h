// Pipes and sockets between processes of this machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/os/files/descriptor.h"

namespace polygraphy {

// Empty, with the reason in errno.
struct DescriptorPair {
  FileDescriptor ours, theirs;
};
DescriptorPair make_pipe();  // from theirs to ours
// `buffer`: bytes on their way, as many as the system allows; 0: its default.
DescriptorPair make_socket_pair(int buffer = 0);

// On a port of 127.0.0.1; 0: any free port. Empty, with the reason in errno.
FileDescriptor listen_on_this_machine(uint16_t port, int most_waiting);
int port_of(int listening);
// The next connection, which never waits. Empty, with the reason in errno.
FileDescriptor accept_once(int listening);

// From now on, reading and writing do not wait.
void never_wait(int fd);
// Sends once. 0: there is no room at present, or a signal came. nullopt: the other side is gone.
std::optional<size_t> send_once(int fd, std::span<const std::byte> bytes);
// The other side reads to the end.
void end_sending(int fd);

struct Waiting {
  enum class For : uint8_t {
    kEnd,
    kBytes,
    kRoom
  };  // kEnd: of the other side; the others see it too

  int fd = -1;  // negative: never ready
  For what = For::kBytes;
  bool ready = false;
};
constexpr int kForEver = -1;
// Until one is ready, a signal comes, or time is up. Whether one is ready. Throws Error.
bool wait_for_any(std::span<Waiting> all, int milliseconds);

}  // namespace polygraphy
