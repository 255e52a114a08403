// Writes JSON piece by piece: a plugin's description of a model, for the host.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace pgb {

class JsonText {
 public:
  JsonText& open(char bracket) {  // '{' or '['
    separate();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  JsonText& close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  JsonText& key(std::string_view name) {
    value(name);
    text_ += ':';
    first_ = true;
    return *this;
  }
  void value(std::string_view text) {
    separate();
    text_ += '"';
    for (const char c : text) {
      const auto code = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (code < 0x20) {
        char escaped[8];
        std::snprintf(escaped, sizeof(escaped), "\\u%04x", code);
        text_ += escaped;
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }
  void value(const char* text) { value(std::string_view(text ? text : "")); }
  void value(int64_t number) { raw(std::to_string(number)); }
  void value(bool truth) { raw(truth ? "true" : "false"); }
  template <typename T>
  void value(const std::vector<T>& list) {
    open('[');
    for (const T& each : list) value(each);
    close(']');
  }
  // A value that is JSON already.
  void raw(std::string_view json) {
    separate();
    text_ += json;
  }
  template <typename T>
  JsonText& put(std::string_view name, const T& given) {
    key(name);
    value(given);
    return *this;
  }

  const std::string& text() const { return text_; }

 private:
  void separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace pgb
