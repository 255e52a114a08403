#include "cli/mcp/rpc_message.h"

#include <fmt/format.h>

#include "formats/json_reader.h"
#include "formats/record_json.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";

template <typename Read>
void read_members(JsonReader& json, Read read) {
  json.enter_object();
  std::string key;
  while (json.next_key(key)) {
    if (!read(key)) json.skip_value();
  }
}

void read_params(JsonReader& json, RpcMessage& message) {
  if (json.peek() != JsonReader::Type::kObject) return json.skip_value();
  read_members(json, [&](const std::string& key) {
    if (key == "protocolVersion") {
      message.version = json.read_string();
    } else if (key == "name") {
      message.tool = json.read_string();
    } else if (key == "arguments") {
      message.arguments = std::string(json.raw_value());
    } else if (key == "requestId") {
      message.cancelled = std::string(json.raw_value());
    } else if (key == "_meta" && json.peek() == JsonReader::Type::kObject) {
      read_members(json, [&](const std::string& of_meta) {
        if (of_meta == "progressToken") {
          message.progress_token = std::string(json.raw_value());
        } else if (of_meta == kVersionKey) {
          message.version = json.read_string();
          message.stateless = true;
        } else {
          return false;
        }
        return true;
      });
    } else {
      return false;
    }
    return true;
  });
}

std::string line_of(std::string_view id, std::string_view rest) {
  return fmt::format("{{\"jsonrpc\":\"2.0\",{}{}}}",
                     id.empty() ? "" : fmt::format("\"id\":{},", id), rest);
}

}  // namespace

std::optional<RpcMessage> parse_rpc(std::string_view line) {
  JsonReader json(line, "the message");
  RpcMessage message;
  bool has_method = false, answers = false;
  read_members(json, [&](const std::string& key) {
    if (key == "id") {
      message.id = std::string(json.raw_value());
    } else if (key == "method") {
      message.method = json.read_string();
      has_method = true;
    } else if (key == "params") {
      read_params(json, message);
    } else {
      answers |= key == "result" || key == "error";
      return false;
    }
    return true;
  });
  json.finish();
  if (!has_method && answers) return std::nullopt;
  if (!has_method) json.fail("The message has no method");
  return message;
}

std::string rpc_id(std::string_view line) {
  try {
    JsonReader json(line, "the message");
    std::string id, key;
    json.enter_object();
    while (json.next_key(key)) {
      const std::string_view value = json.raw_value();
      if (key == "id") id = value;
    }
    json.finish();
    return id;
  } catch (const FormatError&) {
    return {};
  }
}

std::string rpc_result(std::string_view id, std::string_view result) {
  return line_of(id, fmt::format("\"result\":{}", result));
}

std::string rpc_error(std::string_view id, RpcError code, std::string_view message) {
  StringSink sink;
  JsonWriter json(sink, JsonStyle::kCompact);
  json.begin_object();
  write_member(json, "code", static_cast<int>(code));
  write_member(json, "message", message);
  json.end_object();
  return line_of(id.empty() ? "null" : id, "\"error\":" + sink.text());
}

std::string rpc_notification(std::string_view method, std::string_view params) {
  return line_of({}, fmt::format("\"method\":\"{}\",\"params\":{}", method, params));
}

}  // namespace polygraphy::cli
