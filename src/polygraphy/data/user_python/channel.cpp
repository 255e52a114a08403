#include "polygraphy/data/user_python/channel.h"

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

[[noreturn]] void fail(const char* what) {
  throw Error(std::string("cannot ") + what + " for Python: " + system_reason(errno));
}

// `ours` does not wait.
DescriptorPair checked(DescriptorPair pair, const char* what) {
  if (!pair.ours) fail(what);
  never_wait(pair.ours.get());
  return pair;
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
  DescriptorPair socket = checked(make_socket_pair(kSocketBuffer), "create a socket");
  DescriptorPair out_pipe = checked(make_pipe(), "create a pipe");
  DescriptorPair err_pipe = checked(make_pipe(), "create a pipe");
  ChildOptions options;
  options.argv = std::move(argv);
  options.descriptors = {{socket.theirs.get(), kSocketInChild}};
  options.out = ChildStream::of_descriptor(out_pipe.theirs.get());
  options.err = ChildStream::of_descriptor(err_pipe.theirs.get());
  child_ = std::make_unique<ChildProcess>(options);
  socket_ = std::move(socket.ours);
  out_pipe_ = std::move(out_pipe.ours);
  err_pipe_ = std::move(err_pipe.ours);
}

PythonChannel::~PythonChannel() {
  end_sending(socket_.get());
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
}

bool PythonChannel::forward(FileDescriptor& pipe, const Print& print) {
  if (!pipe) return false;
  std::array<char, 1 << 16> buffer;
  const auto count = read_once(pipe.get(), std::as_writable_bytes(std::span(buffer)));
  if (!count) pipe.close();
  if (count.value_or(0) == 0) return false;
  if (print) print({buffer.data(), *count});
  return true;
}

// All that was printed before now. A thread of the script may print without end.
void PythonChannel::forward_all() {
  constexpr int kTurns = 32;  // more than a pipe holds
  for (int turn = 0; turn < kTurns && forward(out_pipe_, out_); ++turn) {
  }
  for (int turn = 0; turn < kTurns && forward(err_pipe_, err_); ++turn) {
  }
}

// Until the socket is ready, printing what comes meanwhile.
void PythonChannel::wait_for(Waiting::For what) {
  while (true) {
    if (cancel_.cancelled() || abandoned_()) throw Interrupted();
    Waiting all[] = {{socket_.get(), what}, {out_pipe_.get()}, {err_pipe_.get()}};
    if (!wait_for_any(all, kSliceMilliseconds)) {
      report_progress();
      // A process that it has left behind may keep the socket open.
      if (child_->wait(0.0)) ended();
      continue;
    }
    if (all[1].ready) forward(out_pipe_, out_);
    if (all[2].ready) forward(err_pipe_, err_);
    if (all[0].ready) return;
  }
}

void PythonChannel::write(std::span<const std::byte> data) {
  while (!data.empty()) {
    const auto count = send_once(socket_.get(), data);
    if (!count) ended();
    if (*count == 0) wait_for(Waiting::For::kRoom);
    data = data.subspan(*count);
  }
}

void PythonChannel::read(std::span<std::byte> data) {
  while (!data.empty()) {
    const auto count = read_once(socket_.get(), data);
    if (!count) ended();
    if (*count == 0) wait_for(Waiting::For::kBytes);
    data = data.subspan(*count);
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
