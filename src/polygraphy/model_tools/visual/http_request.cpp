#include "polygraphy/model_tools/visual/http_request.h"

#include <charconv>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace polygraphy {
namespace {

std::string_view next_line(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// %41 is A; nullopt for a '%' without two digits.
std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return result;
}

// "localhost:8000" and "[::1]:8000" without the port.
std::string_view without_port(std::string_view host) {
  const size_t colon = host.rfind(':');
  const size_t bracket = host.rfind(']');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || bracket < colon);
  return has_port ? host.substr(0, colon) : host;
}

}  // namespace

std::optional<size_t> request_head_length(std::string_view bytes) {
  for (size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    const std::string_view rest = bytes.substr(at + 1);
    if (rest.starts_with('\n')) return at + 2;
    if (rest.starts_with("\r\n")) return at + 3;
  }
  return std::nullopt;
}

std::optional<HttpRequest> parse_request_head(std::string_view head) {
  const auto words = split(next_line(head), ' ');
  if (words.size() != 3 || words[0].empty() || !words[1].starts_with('/') ||
      !words[2].starts_with("HTTP/1.")) {
    return std::nullopt;
  }
  const auto path = decoded(words[1].substr(0, words[1].find('?')));
  if (!path) return std::nullopt;
  HttpRequest request;
  request.method = words[0];
  request.path = *path;
  bool has_host = false;
  while (!head.empty()) {
    const std::string_view line = next_line(head);
    if (line.empty()) break;
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::string name = to_lower(line.substr(0, colon));
    const std::string_view value = strip(line.substr(colon + 1));
    if (name == "host") {
      // Of two, a page of another machine could choose one.
      if (std::exchange(has_host, true)) return std::nullopt;
      request.host = to_lower(without_port(value));
    } else if (name == "content-type") {
      request.type = to_lower(strip(value.substr(0, value.find(';'))));
    } else if (name == "content-length") {
      const auto [end, error] =
          std::from_chars(value.data(), value.data() + value.size(), request.length);
      if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
    }
  }
  return request;
}

}  // namespace polygraphy
