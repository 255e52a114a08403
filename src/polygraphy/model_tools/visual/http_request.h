// Requests of HTTP/1.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace polygraphy {

inline constexpr size_t kMaxRequestBytes = 16 << 10;  // of a head
inline constexpr size_t kMaxBodyBytes = 1 << 20;

struct HttpRequest {
  std::string method;  // "GET"
  std::string path;    // decoded, without the query
  std::string host;    // without the port; empty: not given
  std::string type;    // of the body: "application/json"; empty: not given
  size_t length = 0;   // of the body
  std::string body;
};

// Where the blank line behind the head ends; nullopt: it has not come yet.
std::optional<size_t> request_head_length(std::string_view bytes);

// `head` as request_head_length() found it; the body is for the caller. nullopt: it is not a
// request of HTTP/1, or has several hosts.
std::optional<HttpRequest> parse_request_head(std::string_view head);

}  // namespace polygraphy
