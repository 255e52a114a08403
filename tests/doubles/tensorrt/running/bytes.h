// Numbers and texts in a row, as plans and timing caches have them.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tensorrt_double {

class ByteWriter {
 public:
  void raw(std::string_view bytes) { bytes_ += bytes; }
  void number(int64_t value) { raw({reinterpret_cast<const char*>(&value), sizeof(value)}); }
  void text(std::string_view value) {
    number(static_cast<int64_t>(value.size()));
    raw(value);
  }
  template <class List, class Write>
  void list(const List& values, Write&& write) {
    number(static_cast<int64_t>(values.size()));
    for (const auto& value : values) write(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  std::string_view raw(size_t size) {
    if (size > bytes_.size()) throw std::runtime_error("the bytes end too early");
    const std::string_view result = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return result;
  }
  int64_t number() {
    int64_t value = 0;
    std::memcpy(&value, raw(sizeof(value)).data(), sizeof(value));
    return value;
  }
  std::string text() { return std::string(raw(static_cast<size_t>(number()))); }
  template <class Read>
  void list(Read&& read) {
    for (int64_t left = number(); left > 0; --left) read();
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

}  // namespace tensorrt_double
