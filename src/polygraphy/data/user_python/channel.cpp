#include "polygraphy/data/user_python/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/arrays/array.h"
#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "base/os/system_error.h"
#include "base/progress.h"
#include "formats/element_codes.h"
#include "formats/npy.h"

namespace polygraphy {
namespace {

// The same bytes as another type of the same width.
Array reinterpreted(const Array& array, DataType type) {
  const Array plain = array.contiguous_aligned();
  const auto owner = std::make_shared<const Array>(plain);
  return Array::view(type, plain.shape(), plain.data(), owner);
}

// The array that is sent, and the name of its type when its elements are bits of a type that NumPy
// lacks; `known` are the type names that the other side supports. Other such types are sent as
// float32, or as integers of a byte each. Throws Error for types that cannot be sent.
std::pair<Array, std::string> to_wire(const Array& array, const std::set<std::string>& known) {
  const DataType type = array.dtype();
  if (numpy_has(type)) return {array, ""};
  const std::string name(name_of(type));
  if (name.empty() || array.empty()) {
    throw Error("an array without a known data type cannot be sent to Python.");
  }
  if (!known.contains(name)) {
    if (is_floating(type)) return {convert(array, DataType::kFloat32), ""};
    return {unpack(array), ""};
  }
  return {codes_of(array), name};
}

// The inverse. Throws FormatError for unknown names.
Array from_wire(const Array& array, const std::string& type) {
  if (type.empty()) return array;
  const auto wanted = parse_data_type(type);
  if (!wanted || numpy_has(*wanted)) {
    throw FormatError("Python sent an array of type '" + type + "', which does not exist.");
  }
  if (is_packed(*wanted)) {
    const bool is_signed = kind_of(*wanted) == Kind::kSigned;
    return pack(reinterpreted(array, is_signed ? DataType::kInt8 : DataType::kUint8), *wanted);
  }
  if (bit_width(*wanted) != bit_width(array.dtype())) {
    throw FormatError("Python sent elements of " + std::to_string(bit_width(array.dtype())) +
                      " bits for the type '" + type + "'.");
  }
  return reinterpreted(array, *wanted);
}

constexpr int kSocketInChild = 3;
constexpr int kSliceMilliseconds = 50;  // how late a request to stop may be noticed
constexpr double kGraceSeconds = 5;
constexpr uint64_t kLongestHeader = uint64_t{1} << 30;
constexpr int kSocketBuffer = 4 << 20;

struct Pipe {
  int ours = -1, theirs = -1;
};

[[noreturn]] void fail(const char* what) {
  throw Error(std::string("cannot ") + what + " for Python: " + system_reason(errno));
}

void close_both(const Pipe& pipe) {
  if (pipe.ours >= 0) ::close(pipe.ours);
  if (pipe.theirs >= 0) ::close(pipe.theirs);
}

Pipe make_output_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("create a pipe");
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {ends[0], ends[1]};
}

Pipe make_sockets() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("create a socket");
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  for (const int end : ends) {  // as much as the system allows
    ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &kSocketBuffer, sizeof kSocketBuffer);
  }
  return {ends[0], ends[1]};
}

std::array<std::byte, 8> length_bytes(uint64_t length) {
  std::array<std::byte, 8> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(length >> (8 * i));
  return bytes;
}

}  // namespace

PythonChannel::PythonChannel(std::vector<std::string> argv, Print out, Print err,
                             CancelToken cancel, std::function<bool()> abandoned)
    : out_(std::move(out)),
      err_(std::move(err)),
      cancel_(cancel),
      abandoned_(std::move(abandoned)) {
  Pipe socket, out_pipe, err_pipe;
  try {
    socket = make_sockets();
    out_pipe = make_output_pipe();
    err_pipe = make_output_pipe();
    ChildOptions options;
    options.argv = std::move(argv);
    options.descriptors = {{socket.theirs, kSocketInChild}};
    options.out = ChildStream::of_descriptor(out_pipe.theirs);
    options.err = ChildStream::of_descriptor(err_pipe.theirs);
    child_ = std::make_unique<ChildProcess>(options);
  } catch (...) {
    for (const Pipe& pipe : {socket, out_pipe, err_pipe}) close_both(pipe);
    throw;
  }
  for (const Pipe& pipe : {socket, out_pipe, err_pipe}) ::close(pipe.theirs);
  socket_ = socket.ours;
  out_fd_ = out_pipe.ours;
  err_fd_ = err_pipe.ours;
}

PythonChannel::~PythonChannel() {
  ::shutdown(socket_, SHUT_WR);
  try {
    // The process may still print a lot, which has to be read lest it block.
    constexpr double kSlice = 0.05;
    for (double waited = 0; waited < kGraceSeconds && !child_->wait(kSlice); waited += kSlice) {
      if (cancel_.cancelled() || abandoned_()) break;
      forward_all();
    }
    child_.reset();
    forward_all();
  } catch (const std::exception& error) {
    // The other end is gone.
    static_cast<void>(error);
  }
  for (const int fd : {socket_, out_fd_, err_fd_}) {
    if (fd >= 0) ::close(fd);
  }
}

bool PythonChannel::forward(int& fd, const Print& print) {
  if (fd < 0) return false;
  std::array<char, 1 << 16> buffer;
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count > 0) {
    if (print) print({buffer.data(), static_cast<size_t>(count)});
    return true;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  ::close(std::exchange(fd, -1));
  return false;
}

// All that was printed before now. A thread of the script may print without end.
void PythonChannel::forward_all() {
  constexpr int kTurns = 32;  // more than a pipe holds
  for (int turn = 0; turn < kTurns && forward(out_fd_, out_); ++turn) {
  }
  for (int turn = 0; turn < kTurns && forward(err_fd_, err_); ++turn) {
  }
}

// Until the socket is ready, printing what comes meanwhile.
void PythonChannel::wait_for(short events) {
  while (true) {
    if (cancel_.cancelled() || abandoned_()) throw Interrupted();
    pollfd waiting[] = {{socket_, events, 0}, {out_fd_, POLLIN, 0}, {err_fd_, POLLIN, 0}};
    const int ready = ::poll(waiting, 3, kSliceMilliseconds);
    if (ready < 0 && errno != EINTR) fail("wait");
    if (ready <= 0) {
      report_progress();
      // A process that it has left behind may keep the socket open.
      if (ready == 0 && child_->wait(0.0)) ended();
      continue;
    }
    if (waiting[1].revents != 0) forward(out_fd_, out_);
    if (waiting[2].revents != 0) forward(err_fd_, err_);
    if (waiting[0].revents != 0) return;
  }
}

void PythonChannel::write(std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t count = ::send(socket_, data.data(), data.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      data = data.subspan(static_cast<size_t>(count));
    } else if (errno == EAGAIN) {
      wait_for(POLLOUT);
    } else if (errno != EINTR) {
      ended();
    }
  }
}

void PythonChannel::read(std::span<std::byte> data) {
  while (!data.empty()) {
    const ssize_t count = ::recv(socket_, data.data(), data.size(), 0);
    if (count > 0) {
      data = data.subspan(static_cast<size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      wait_for(POLLIN);
    } else if (count == 0 || errno != EINTR) {
      ended();
    }
  }
}

void PythonChannel::ended() {
  const auto status = child_->wait(kGraceSeconds, cancel_);
  forward_all();
  throw PythonEnded(status ? to_text(*status) : "closed its connection");
}

void PythonChannel::send_text(std::string_view text) {
  write(length_bytes(text.size()));
  write(std::as_bytes(std::span(text)));
}

void PythonChannel::send(const PythonMessage& message) {
  std::vector<Array> arrays;
  JsonValue::List entries;
  for (const auto& [name, array] : message.arrays) {
    auto [sent, type] = to_wire(array, types_);
    JsonValue entry;
    entry.set("name", name);
    entry.set("type", type);
    entries.push_back(std::move(entry));
    arrays.push_back(std::move(sent));
  }
  JsonValue header = message.header;
  header.set("arrays", std::move(entries));
  StringSink text;
  JsonWriter json(text);
  header.write(json);
  send_text(text.text());
  for (const Array& array : arrays) {
    const std::string head = npy_header(array);
    write(std::as_bytes(std::span(head)));
    write_npy_data(array, [this](std::span<const std::byte> data) { write(data); });
  }
}

PythonMessage PythonChannel::receive() {
  std::array<std::byte, 8> bytes;
  read(bytes);
  uint64_t length = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    length |= std::to_integer<uint64_t>(bytes[i]) << (8 * i);
  if (length > kLongestHeader) throw FormatError("Python sent an invalid message.");
  std::string text(length, '\0');
  read(std::as_writable_bytes(std::span(text)));
  PythonMessage message;
  JsonReader json(text, "Python's message");
  message.header = JsonValue::read(json);
  for (const JsonValue& entry : message.header["arrays"].list()) {
    message.arrays.set(entry["name"].text(), from_wire(read_array(), entry["type"].text()));
  }
  // Logs lines that were printed before the message before its effects.
  forward_all();
  return message;
}

Array PythonChannel::read_array() {
  std::vector<std::byte> header(kNpyPrefixBytes);
  read(header);
  const size_t size = npy_header_size(header, "an array from Python");
  header.resize(size);
  read(std::span(header).subspan(kNpyPrefixBytes));
  return npy_array(parse_npy_header(header, "an array from Python"),
                   [this](std::span<std::byte> data) { read(data); });
}

}  // namespace polygraphy
