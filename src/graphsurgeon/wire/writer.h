// Writes protobuf messages without building them in memory: an encoder runs twice over the same
// Writer, once to measure (the length of a message comes before its contents), once to write. It
// stores a number for each nested message; payloads go directly to the sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/os/mapped_file.h"

namespace graphsurgeon::wire {

// Where encoded bytes go.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::string_view bytes) = 0;
  // Bytes of a file: where the sink is a file itself there is a shorter way than through memory.
  virtual void write_file(const polygraphy::MappedFile& file, uint64_t offset, uint64_t length);
};

// Bytes of a field that are produced when they are needed, in a known number.
class Body {
 public:
  virtual ~Body() = default;
  virtual uint64_t size() const = 0;
  virtual void write_to(Sink& sink) const = 0;  // exactly size() bytes
};

class StringSink final : public Sink {
 public:
  explicit StringSink(std::string& out) : out_(&out) {}
  void write(std::string_view bytes) override { out_->append(bytes); }

 private:
  std::string* out_;
};

class Writer {
 public:
  // Measures. After the encoder has run, size() is the length of its output; then write_to(sink),
  // run the very same encoder again, and finish().
  Writer() = default;

  uint64_t size() const { return size_; }
  void write_to(Sink& sink);
  // Flushes. Throws Error when the second run did not produce the size that the first measured.
  void finish();

  void varint(uint32_t field, uint64_t value);
  void int64(uint32_t field, int64_t value) { varint(field, static_cast<uint64_t>(value)); }
  // protobuf writes negative 32-bit numbers as 64-bit ones.
  void int32(uint32_t field, int32_t value) { int64(field, value); }
  void fixed32(uint32_t field, uint32_t bits);
  void float32(uint32_t field, float value);
  void bytes(uint32_t field, std::string_view value);
  void body(uint32_t field, const Body& value);
  // Fields already encoded, keys included.
  void raw(std::string_view fields);
  // The fields among `fields` with a number in [from, to), in their order. Interleaved with the
  // known fields by ascending ranges this sorts unknown fields in.
  void raw_range(std::string_view fields, uint32_t from, uint32_t to);

  // A nested message: everything between the two belongs to it.
  void begin(uint32_t field);
  void end();

 private:
  void put_key(uint32_t field, uint32_t wire_type);
  void put_varint(uint64_t value);
  void put(std::string_view value);
  void flush();

  Sink* sink_ = nullptr;
  std::string buffer_;
  uint64_t size_ = 0;
  std::vector<uint64_t> lengths_;  // of the nested messages in order of their begin()
  size_t next_ = 0;                // while writing: the next of them
  std::vector<std::pair<size_t, uint64_t>> open_;  // index in lengths_, size_ at begin()
  uint64_t measured_ = 0;
};

// Runs `encode(Writer&)` twice, as Writer wants it.
template <typename Encode>
void encode_to(Sink& sink, Encode encode) {
  Writer writer;
  encode(writer);
  writer.write_to(sink);
  encode(writer);
  writer.finish();
}

// The message, or the fields, that `encode(Writer&)` writes.
template <typename Encode>
std::string encoded(Encode encode) {
  std::string message;
  StringSink sink(message);
  encode_to(sink, encode);
  return message;
}

size_t varint_size(uint64_t value);

}  // namespace graphsurgeon::wire
