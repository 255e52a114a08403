#include "polygraphy/runtimes/worker/worker_message.h"

#include <cerrno>

#include "base/os/sockets/sockets.h"
#include "base/os/system_error.h"

namespace polygraphy {
namespace {

struct Header {
  WorkerTopic topic;
  uint32_t unused = 0;
  uint64_t size;
};

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
  auto [ours, theirs] = make_socket_pair();
  if (!ours) {
    throw Error("cannot communicate with a runner's process: " + system_reason(errno),
                open_hint(errno));
  }
  return {ours.release(), theirs.release()};
}

bool WorkerSocket::send(WorkerTopic topic, const FieldWriter& fields, int descriptor) {
  const Header header{.topic = topic, .size = fields.bytes().size()};
  return DescriptorSocket::send({reinterpret_cast<const char*>(&header), sizeof header},
                                fields.bytes(), descriptor);
}

std::optional<WorkerMessage> WorkerSocket::next() {
  std::string& bytes = received();
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (bytes.size() - sizeof header < header.size) return std::nullopt;
  WorkerMessage message{.topic = header.topic, .fields = bytes.substr(sizeof header, header.size)};
  bytes.erase(0, sizeof header + header.size);
  return message;
}

std::optional<WorkerMessage> WorkerSocket::wait_for_next() {
  while (true) {
    if (auto message = next()) return message;
    Waiting bytes{.fd = fd(), .what = Waiting::For::kBytes};
    wait_for_any({&bytes, 1}, kForEver);
    if (!receive()) return next();
  }
}

}  // namespace polygraphy
