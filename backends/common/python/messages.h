// Messages between a plugin and its back end in Python: program/server.py says how they look.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "common/plugin.h"

namespace pgb::python {

class MessageWriter {
 public:
  explicit MessageWriter(std::string_view request) { text(request); }

  void number(int64_t value) {
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    data_.append(bytes, sizeof(value));
  }
  void text(std::string_view value) {
    number(static_cast<int64_t>(value.size()));
    data_ += value;
  }
  void numbers(const int64_t* values, size_t count) {
    number(static_cast<int64_t>(count));
    for (size_t i = 0; i < count; ++i) number(values[i]);
  }
  const std::string& data() const { return data_; }

 private:
  std::string data_;
};

// Throws Failure where the message ends early, or says that there is more than it can hold.
class MessageReader {
 public:
  explicit MessageReader(std::string data) : data_(std::move(data)) {}

  int64_t number() {
    require(sizeof(int64_t));
    int64_t value;
    std::memcpy(&value, data_.data() + at_, sizeof(value));
    at_ += sizeof(value);
    return value;
  }
  std::string text() {
    const size_t length = count(1);
    at_ += length;
    return data_.substr(at_ - length, length);
  }
  // How many follow, each of at least `least` bytes.
  size_t count(size_t least = sizeof(int64_t)) {
    const int64_t value = number();
    if (value < 0 || static_cast<uint64_t>(value) > (data_.size() - at_) / least) damaged();
    return static_cast<size_t>(value);
  }
  std::vector<int64_t> numbers() {
    std::vector<int64_t> values(count());
    for (int64_t& value : values) value = number();
    return values;
  }
  [[noreturn]] static void damaged() {
    throw Failure("Python sent a message that is not of this back end's protocol");
  }

 private:
  void require(size_t bytes) const {
    if (data_.size() - at_ < bytes) damaged();
  }

  std::string data_;
  size_t at_ = 0;
};

}  // namespace pgb::python
