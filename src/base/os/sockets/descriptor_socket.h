// A socket that carries open files, too.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/os/files/descriptor.h"

namespace polygraphy {

// One end of a pair. Owns it, and descriptors that have arrived and were not taken.
class DescriptorSocket {
 public:
  explicit DescriptorSocket(int fd) : socket_(fd) {}

  int fd() const { return socket_.get(); }
  // Waits until the system has taken both texts. `descriptor`: goes along; -1: none. False: the
  // other side is gone, or the system does not take them; then the connection ends for both sides.
  bool send(std::string_view head, std::string_view body, int descriptor);
  // Appends the bytes that have arrived to received(), without waiting. False: the other side is
  // gone.
  bool receive();
  std::string& received() { return received_; }
  // Whether the other side is gone, even if bytes remain to be received.
  bool hung_up() const;
  // The descriptor that came with the last bytes; -1: none. The caller closes it.
  int take_descriptor();

 private:
  FileDescriptor socket_;
  std::string received_;
  std::deque<FileDescriptor> descriptors_;
};

}  // namespace polygraphy
