#include "graphsurgeon/io/payload_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/os/files/file_status.h"
#include "graphsurgeon/ir/payloads/computed_payload.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/ir/payloads/splat_payload.h"

namespace graphsurgeon {

namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_splat(const SplatPayload& splat, wire::Sink& sink) {
  constexpr size_t kBlock = 64 * 1024;
  auto left = static_cast<size_t>(splat.nbytes());
  std::string block(std::min(left, kBlock), '\0');
  if (polygraphy::is_packed(splat.dtype())) {
    std::memset(block.data(), splat.packed_byte(), block.size());
  } else {
    const auto width = static_cast<size_t>(polygraphy::bit_width(splat.dtype())) / 8;
    for (size_t at = 0; at + width <= block.size(); at += width) {
      std::memcpy(block.data() + at, splat.value().data(), width);
    }
  }
  for (; left > 0; left -= std::min(left, block.size())) {
    sink.write(std::string_view(block).substr(0, left));
  }
}

}  // namespace

bool bytes_intact(const polygraphy::MappedFile& file) {
  if (file.unchanged()) return true;
  const auto mapped = polygraphy::file_status(file.fd());
  const auto named = polygraphy::file_status(file.path());
  return !mapped || !named || mapped->identity != named->identity;
}

void check_intact(const Payload& payload, std::string_view tensor) {
  if (payload.kind() != Payload::Kind::kExternal) return;
  const auto bytes = static_cast<const ExternalPayload&>(payload).locate(tensor);
  if (bytes_intact(*bytes.file)) return;
  throw polygraphy::IoError(
      fmt::format("the external data file {} changed during the reading of '{}'",
                  bytes.file->path(), tensor),
      "Try again when no program writes to the file.");
}

void write_payload(const Payload& payload, std::string_view tensor, wire::Sink& sink) {
  if (payload.kind() == Payload::Kind::kSplat) {
    return write_splat(static_cast<const SplatPayload&>(payload), sink);
  }
  if (payload.kind() == Payload::Kind::kComputed) {
    return static_cast<const ComputedPayload&>(payload).produce(
        tensor, [&sink](std::span<const std::byte> piece) { sink.write(text_of(piece)); });
  }
  if (payload.kind() == Payload::Kind::kExternal) {
    const auto bytes = static_cast<const ExternalPayload&>(payload).locate(tensor);
    sink.write_file(*bytes.file, bytes.offset, bytes.length);
    return check_intact(payload, tensor);
  }
  const Array values = payload.load(tensor).contiguous_aligned(1);
  const std::string_view bytes = text_of(values.bytes());
  if (payload.kind() == Payload::Kind::kInline) {
    const Source* source = static_cast<const EncodedPayload&>(payload).source().get();
    if (source && source->file && source->contains(bytes.data())) {
      return sink.write_file(
          *source->file, static_cast<uint64_t>(bytes.data() - source->bytes.data()), bytes.size());
    }
  }
  sink.write(bytes);
}

uint64_t PayloadBody::size() const {
  return static_cast<uint64_t>(payload_.nbytes());
}

void PayloadBody::write_to(wire::Sink& sink) const {
  write_payload(payload_, tensor_, sink);
}

}  // namespace graphsurgeon
