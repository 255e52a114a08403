#include "graphsurgeon/wire/writer.h"

#include <bit>
#include <cassert>
#include <cstring>

#include "base/error.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon::wire {

namespace {
// Large enough that a write costs more than the call, small enough to stay in the cache.
constexpr size_t kBufferBytes = 64 * 1024;
}  // namespace

size_t varint_size(uint64_t value) {
  return static_cast<size_t>(std::bit_width(value | 1) + 6) / 7;
}

void Sink::write_file(const polygraphy::MappedFile& file, uint64_t offset, uint64_t length) {
  write({reinterpret_cast<const char*>(file.bytes().data()) + offset, length});
}

void Writer::write_to(Sink& sink) {
  assert(sink_ == nullptr && open_.empty() && "write_to() comes once, after a whole measuring run");
  sink_ = &sink;
  measured_ = size_;
  size_ = 0;
  next_ = 0;
  buffer_.reserve(kBufferBytes);
}

void Writer::finish() {
  flush();
  if (size_ != measured_ || next_ != lengths_.size()) {
    throw polygraphy::Error("the model changed during writing",
                            "Save it again when no other thread changes it.");
  }
}

void Writer::flush() {
  if (buffer_.empty()) return;
  sink_->write(buffer_);
  buffer_.clear();
}

void Writer::put(std::string_view value) {
  size_ += value.size();
  if (!sink_) return;
  if (buffer_.size() + value.size() > kBufferBytes) flush();
  if (value.size() >= kBufferBytes) {
    sink_->write(value);
  } else {
    buffer_.append(value);
  }
}

void Writer::put_varint(uint64_t value) {
  if (!sink_) {
    size_ += varint_size(value);
    return;
  }
  char text[10];
  size_t n = 0;
  for (; value >= 0x80; value >>= 7) text[n++] = static_cast<char>(value | 0x80);
  text[n++] = static_cast<char>(value);
  put({text, n});
}

void Writer::put_key(uint32_t field, uint32_t wire_type) {
  put_varint((uint64_t{field} << 3) | wire_type);
}

void Writer::varint(uint32_t field, uint64_t value) {
  put_key(field, static_cast<uint32_t>(WireType::kVarint));
  put_varint(value);
}

void Writer::fixed32(uint32_t field, uint32_t bits) {
  put_key(field, static_cast<uint32_t>(WireType::kFixed32));
  char text[4];
  std::memcpy(text, &bits, 4);
  put({text, 4});
}

void Writer::float32(uint32_t field, float value) {
  fixed32(field, std::bit_cast<uint32_t>(value));
}

void Writer::bytes(uint32_t field, std::string_view value) {
  put_key(field, static_cast<uint32_t>(WireType::kBytes));
  put_varint(value.size());
  put(value);
}

void Writer::body(uint32_t field, const Body& value) {
  const uint64_t length = value.size();
  put_key(field, static_cast<uint32_t>(WireType::kBytes));
  put_varint(length);
  size_ += length;
  if (!sink_) return;
  flush();
  value.write_to(*sink_);
}

void Writer::raw(std::string_view fields) {
  put(fields);
}

void Writer::raw_range(std::string_view fields, uint32_t from, uint32_t to) {
  if (fields.empty()) return;
  for (Reader reader(fields); reader.next();) {
    if (reader.number() >= from && reader.number() < to) put(reader.raw());
  }
}

void Writer::begin(uint32_t field) {
  put_key(field, static_cast<uint32_t>(WireType::kBytes));
  if (!sink_) {
    open_.emplace_back(lengths_.size(), size_);
    lengths_.push_back(0);
    return;
  }
  // More messages than were measured: finish() reports it.
  const uint64_t length = next_ < lengths_.size() ? lengths_[next_] : 0;
  ++next_;
  put_varint(length);
}

void Writer::end() {
  if (sink_) return;
  const auto [index, start] = open_.back();
  open_.pop_back();
  lengths_[index] = size_ - start;
  size_ += varint_size(lengths_[index]);
}

}  // namespace graphsurgeon::wire
