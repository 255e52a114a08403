// The connection to a Python process: messages both ways, and what scripts print on the side.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/os/child_process.h"
#include "base/os/sockets/sockets.h"
#include "polygraphy/data/user_python/json_value.h"

namespace polygraphy {

// See program/bridge.py, which is the other side, for how it looks between the two.
struct PythonMessage {
  JsonValue header;
  ArrayMap arrays;
};

class PythonChannel {
 public:
  using Print = std::function<void(std::string_view)>;

  // Starts `argv`; its descriptor 3 is the other end. `out` and `err` receive what it prints, in
  // the calls below, which are given up when `abandoned` becomes true. Throws Error when it cannot
  // be started.
  PythonChannel(std::vector<std::string> argv, Print out, Print err, CancelToken cancel,
                std::function<bool()> abandoned);
  // Gives the process some seconds to end, forwards its output meanwhile, then kills it.
  ~PythonChannel();
  PythonChannel(const PythonChannel&) = delete;
  PythonChannel& operator=(const PythonChannel&) = delete;

  // The types that NumPy lacks and this Python has.
  void set_types(std::set<std::string> types) { types_ = std::move(types); }

  // All of these throw Interrupted within a tenth of a second after `cancel` or `abandoned` became
  // true, and PythonEnded when the process has ended.
  void send_text(std::string_view text);  // its length, and the text
  void send(const PythonMessage& message);
  // Arrays are read straight into their memory. Throws FormatError for anything but a message.
  PythonMessage receive();

 private:
  void write(std::span<const std::byte> data);
  void read(std::span<std::byte> data);
  Array read_array();
  void wait_for(Waiting::For what);
  bool forward(FileDescriptor& pipe, const Print& print);
  void forward_all();
  [[noreturn]] void ended();

  Print out_, err_;
  CancelToken cancel_;
  std::function<bool()> abandoned_;
  std::set<std::string> types_;
  FileDescriptor socket_, out_pipe_, err_pipe_;
  std::unique_ptr<ChildProcess> child_;
};

// The process has ended in the middle of a conversation.
class PythonEnded : public Error {
 public:
  using Error::Error;
};

}  // namespace polygraphy
