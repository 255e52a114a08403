// The protocol between a runner's process and ours (worker_runner.h): messages of typed fields over
// a socket. Both ends are the same executable, so there are no versions.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/os/sockets/descriptor_socket.h"
#include "graphsurgeon/ir/dim.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

// Fields one after another: numbers in their own bytes, texts and lists with a count in front.
class FieldWriter {
 public:
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(std::string_view text) {
    put(static_cast<uint64_t>(text.size()));
    bytes_.append(text);
  }
  void put(const std::string& text) { put(std::string_view(text)); }
  template <typename T>
  void put(const std::vector<T>& list) {
    put(static_cast<uint64_t>(list.size()));
    for (const auto& item : list) put(item);
  }
  template <typename A, typename B>
  void put(const std::pair<A, B>& pair) {
    put(pair.first);
    put(pair.second);
  }
  template <typename... T>
  void put(const std::tuple<T&...>& fields) {
    std::apply([&](const auto&... field) { (put(field), ...); }, fields);
  }
  void put(const std::optional<DimList>& shape);
  void put(const Metadata& metadata);

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// The same order in reverse. Throws Error when there are fewer bytes than fields.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T get() {
    T value{};
    get(value);
    return value;
  }
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  void get(T& value) {
    const std::string_view bytes = take(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
  }
  void get(std::string& text) { text = take(get<uint64_t>()); }
  template <typename T>
  void get(std::vector<T>& list) {
    list.clear();
    for (auto count = get<uint64_t>(); count > 0; --count) get(list.emplace_back());
  }
  template <typename A, typename B>
  void get(std::pair<A, B>& pair) {
    get(pair.first);
    get(pair.second);
  }
  template <typename... T>
  void get(const std::tuple<T&...>& fields) {
    std::apply([&](auto&... field) { (get(field), ...); }, fields);
  }
  void get(std::optional<DimList>& shape);
  void get(Metadata& metadata);

 private:
  std::string_view take(uint64_t count);

  std::string_view rest_;
};

enum class WorkerTopic : uint32_t {
  // To the runner's process.
  kStart,             // runs another request than before; answered by kActive
  kVersionOfLibrary,  // a request; answered by kLibrary
  kCompile,           // model, Compilation, a file for the answer or none; answered by kCompiled
  kInfer,             // feeds; answered by kOutputs
  kTime,              // answered by kTimes
  kUnload,            // answered by kUnloaded
  kStop,              // answered by the end of the stream
  kBatch,             // answers kCalibrate: 1, a feed; 0 after the last; -1: none is to be had
  // From it. Instead of the other answers: kFailed.
  kActive,     // the metadata of the inputs, the precision, the library's version
  kCompiled,   // the answer, if it is not in a file
  kLibrary,    // the version of the library
  kOutputs,    // seconds, tensors
  kTimes,      // of each node: its names, microseconds
  kUnloaded,   // nothing
  kFailed,     // kind of error, message, hint
  kLog,        // severity, module, text, once, levels; at any time
  kCalibrate,  // whether to restart, the metadata of inputs; while it loads or compiles
  // Of the contract's processes (contract/contract_process.h).
  kCheck,    // a case, a back end, paths; answered by kChecked
  kChecked,  // failures, the error that it ended in
};

struct WorkerMessage {
  WorkerTopic topic = WorkerTopic::kStop;
  std::string fields;
};

// One end of the socket.
class WorkerSocket : public DescriptorSocket {
 public:
  using DescriptorSocket::DescriptorSocket;
  // Both ends. Throws Error.
  static std::pair<int, int> make_pair();

  // As DescriptorSocket does.
  bool send(WorkerTopic topic, const FieldWriter& fields, int descriptor = -1);
  // A message that is there in full.
  std::optional<WorkerMessage> next();
  // nullopt: the other side is gone.
  std::optional<WorkerMessage> wait_for_next();
};

}  // namespace polygraphy
