// Messages of JSON-RPC 2.0, a line each, as the Model Context Protocol has them over stdio.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace polygraphy::cli {

// A request or a notification. Values that are given back or passed on are JSON texts; empty: the
// message lacks them.
struct RpcMessage {
  std::string id;  // empty: a notification
  std::string method;
  // Of params.
  std::string version;         // of the protocol: of initialize, or of a stateless request
  bool stateless = false;      // the version stands in the request's _meta (2026-07-28)
  std::string tool;            // the name of a called tool
  std::string arguments;       // of the tool
  std::string progress_token;  // the caller wants to hear of progress
  std::string cancelled;       // the id of a request that is given up
};

// Codes of JSON-RPC and of the protocol.
enum class RpcError : int {
  kNotJson = -32700,
  kNoRequest = -32600,
  kUnknownMethod = -32601,
  kInternal = -32603,
  kUnknownVersion = -32022,
};

// nullopt: a response to a request, of which this side sends none. Throws FormatError for a line
// that is not a message.
std::optional<RpcMessage> parse_rpc(std::string_view line);

// The id of a line that is JSON, but not a message; empty: none.
std::string rpc_id(std::string_view line);

// Lines without the break. `result`: a JSON object.
std::string rpc_result(std::string_view id, std::string_view result);
std::string rpc_error(std::string_view id, RpcError code, std::string_view message);
std::string rpc_notification(std::string_view method, std::string_view params);

}  // namespace polygraphy::cli
