#include "cli/mcp/mcp_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/child_process.h"
#include "base/os/file_text.h"
#include "base/os/files/descriptor.h"
#include "base/version.h"
#include "base/visible_text.h"
#include "cli/mcp/mcp_tools.h"
#include "cli/mcp/rpc_message.h"
#include "cli/syntax/exit_codes.h"
#include "formats/record_json.h"
#include "pictures/report_page/report_form.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kStateless = "2026-07-28";
// By the handshake, newest first.
constexpr std::string_view kHandshakes[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr size_t kLongestLine = size_t{4} << 20;
constexpr size_t kLongestText = 24000;  // bytes of an answer; a context is not a disk
constexpr double kProgressSeconds = 1;
constexpr std::string_view kInstructions =
    "Finds out why a neural network gives other results on another engine. Compare with `run`, "
    "name the wrong node with `locate`, check a model with `lint`; `options` lists the options of "
    "a tool. Paths are relative to the folder of the server.";

// The end of `text`, from the beginning of a line on.
std::string_view last_part(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  text.remove_prefix(text.size() - most);
  const size_t line = text.find('\n');
  return line == text.npos ? text : text.substr(line + 1);
}

// The verdict of a summary is of nothing.
bool is_skipped(std::string_view summary) {
  return summary.starts_with("### " + std::string(report_icon(ReportMark::kSkipped)));
}

struct RunningCall {
  RpcMessage request;
  McpCall call;
  std::string folder;
  std::unique_ptr<ChildProcess> child;
  double started;
};

class Server {
 public:
  Server(Environment& env, const std::string& root) : env_(env), root_(root) {}

  void serve() {
    while (true) {
      while (!running_ && !waiting_.empty()) start_next();
      if (!running_) {
        if (!read_lines()) return;
        continue;
      }
      switch (running_->child->wait_readable(kStandardInput, kProgressSeconds)) {
        case ChildProcess::Event::kReadable:
          if (!read_lines()) return;  // the client is gone: the child ends with us
          break;
        case ChildProcess::Event::kTimeIsUp:
          tell_progress();
          break;
        case ChildProcess::Event::kEnded:
          answer_call();
          break;
      }
    }
  }

 private:
  // False at the end of the input.
  bool read_lines() {
    std::array<char, 65536> bytes;
    const auto count = read_once(kStandardInput, std::as_writable_bytes(std::span(bytes)));
    if (!count) return false;
    input_.append(bytes.data(), *count);
    size_t begin = 0;
    for (size_t end; (end = input_.find('\n', begin)) != input_.npos; begin = end + 1)
      handle_line(std::string_view(input_).substr(begin, end - begin));
    input_.erase(0, begin);
    if (input_.size() <= kLongestLine) return true;
    send(rpc_error({}, RpcError::kNoRequest, "A message has at most 4 MiB"));
    return false;
  }

  void handle_line(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == line.npos) return;
    std::optional<RpcMessage> message;
    try {
      message = parse_rpc(line);
    } catch (const FormatError& error) {
      const std::string id = rpc_id(line);
      send(rpc_error(id, id.empty() ? RpcError::kNotJson : RpcError::kNoRequest, error.what()));
    }
    if (!message) return;
    try {
      handle(*message);
    } catch (const Error& error) {
      send(rpc_error(message->id, RpcError::kInternal, error.what()));
    }
  }

  void handle(const RpcMessage& message) {
    if (message.id.empty()) {
      if (message.method == "notifications/cancelled") cancel(message.cancelled);
      return;
    }
    if (message.stateless && message.version != kStateless) {
      return send(rpc_error(message.id, RpcError::kUnknownVersion,
                            "Supported: " + std::string(kStateless)));
    }
    if (message.method == "initialize") {
      send(rpc_result(message.id, handshake(message)));
    } else if (message.method == "server/discover") {
      send(rpc_result(message.id, description(message)));
    } else if (message.method == "ping") {
      send(rpc_result(message.id, "{}"));
    } else if (message.method == "tools/list") {
      if (tools_.empty()) tools_ = mcp_tools(env_);
      send(rpc_result(message.id, list_of_tools(message)));
    } else if (message.method == "tools/call") {
      waiting_.push_back(message);
    } else {
      send(rpc_error(message.id, RpcError::kUnknownMethod, "Unknown method " + message.method));
    }
  }

  // `write` writes the members; those that the stateless revision adds to each result follow.
  template <typename Write>
  std::string result(const RpcMessage& message, bool may_be_kept, Write write) {
    StringSink sink;
    JsonWriter json(sink, JsonStyle::kCompact);
    json.begin_object();
    write(json);
    if (message.stateless || message.method == "server/discover") {
      write_member(json, "resultType", "complete");
      if (may_be_kept) {
        write_member(json, "ttlMs", 3600000);
        write_member(json, "cacheScope", "private");
      }
      json.key("_meta");
      json.begin_object();
      write_server(json, "io.modelcontextprotocol/serverInfo");
      json.end_object();
    }
    json.end_object();
    return sink.text();
  }

  static void write_server(JsonWriter& json, std::string_view key) {
    json.key(key);
    json.begin_object();
    write_member(json, "name", "polygraphy");
    write_member(json, "version", kVersion);
    json.end_object();
  }

  static void write_capabilities(JsonWriter& json) {
    json.key("capabilities");
    json.begin_object();
    json.key("tools");
    json.begin_object();
    json.end_object();
    json.end_object();
    write_member(json, "instructions", kInstructions);
  }

  std::string handshake(const RpcMessage& message) {
    const bool known = std::ranges::count(kHandshakes, message.version) > 0;
    return result(message, false, [&](JsonWriter& json) {
      write_member(json, "protocolVersion", known ? message.version : kHandshakes[0]);
      write_capabilities(json);
      write_server(json, "serverInfo");
    });
  }

  std::string description(const RpcMessage& message) {
    return result(message, true, [&](JsonWriter& json) {
      write_member(json, "supportedVersions", std::vector{kStateless});
      write_capabilities(json);
    });
  }

  std::string list_of_tools(const RpcMessage& message) {
    return result(message, true, [&](JsonWriter& json) {
      json.key("tools");
      json.literal(tools_);
    });
  }

  // A wrong argument is an answer, so that the agent can mend it.
  void start_next() {
    RpcMessage request = std::move(waiting_.front());
    waiting_.pop_front();
    try {
      const std::string folder = next_folder();
      McpCall call = mcp_call(env_, request.tool, request.arguments, root_, folder);
      if (call.argv.empty()) return send_answer(request, call.text, ExitStatus(), {}, true);
      make(folder);
      auto child = std::make_unique<ChildProcess>(
          ChildOptions{.argv = call.argv,
                       .environment = {{std::string(kDistinctCodes), "distinct"}},
                       .folder = root_,
                       .out = ChildStream::capture(size_t{8} << 20, ChildStream::Keep::kLast),
                       .err = ChildStream::capture(size_t{1} << 20, ChildStream::Keep::kLast)});
      running_.emplace(
          RunningCall{std::move(request), std::move(call), folder, std::move(child), env_.clock()});
    } catch (const Error& error) {
      const std::string hint = error.hint().empty() ? "" : "\n" + std::string(error.hint());
      send_answer(request, error.what() + hint, {}, {}, false);
    }
  }

  // Of no earlier call.
  std::string next_folder() {
    const std::filesystem::path all = std::filesystem::path(root_) / "polygraphy_mcp";
    std::error_code missing;
    while (std::filesystem::exists(all / std::to_string(calls_), missing)) ++calls_;
    return (all / std::to_string(calls_)).native();
  }

  void make(const std::string& folder) const {
    std::error_code failed;
    const std::filesystem::path all = std::filesystem::path(folder).parent_path();
    std::filesystem::create_directories(all, failed);
    if (std::filesystem::canonical(all, failed) != all)
      throw IoError(all.native() + " is not a folder of the server");
    if (!std::filesystem::create_directory(folder, failed))
      throw IoError("cannot create " + folder + ": it may be of another server");
  }

  void tell_progress() {
    const std::string& token = running_->request.progress_token;
    if (token.empty()) return;
    std::string_view line = last_part(running_->child->err().text, 400);
    while (line.ends_with('\n')) line.remove_suffix(1);
    line = line.substr(line.rfind('\n') + 1);
    std::string storage;
    StringSink sink;
    JsonWriter json(sink, JsonStyle::kCompact);
    json.begin_object();
    json.key("progressToken");
    json.literal(token);
    write_member(json, "progress", env_.clock() - running_->started);
    if (!line.empty()) write_member(json, "message", visible(line, storage));
    json.end_object();
    send(rpc_notification("notifications/progress", sink.text()));
  }

  void answer_call() {
    const ExitStatus status = running_->child->wait().value();
    const std::string log = running_->child->out().text + running_->child->err().text;
    const RpcMessage request = std::move(running_->request);
    const std::string folder = running_->folder, summary = running_->call.summary;
    running_.reset();
    try {
      write_file(folder + "/log.txt", log, Durability::kNone);
      std::error_code missing;
      const bool has_summary = std::filesystem::exists(summary, missing);
      std::string text = has_summary ? read_text(summary) : log;
      const bool passed = status.success() && !(has_summary && is_skipped(text));
      if (has_summary && !status.success() && status.code != kDiffers)
        text += "\n" + std::string(last_part(log, 2000));
      send_answer(request, text, status, folder, passed);
    } catch (const Error& error) {
      send_answer(request, error.what(), {}, {}, false);
    }
  }

  // `status`: of the command; nullopt: it was not started. `folder`: of its results; empty: none.
  void send_answer(const RpcMessage& request, std::string_view text,
                   std::optional<ExitStatus> status, const std::string& folder, bool passed) {
    std::string storage;
    std::string shown(visible(last_part(text, kLongestText), storage));
    const bool judged = status && status->signal == 0 && status->code <= kDiffers;
    if (!folder.empty())
      shown += fmt::format("\nThe command {}. Its output: {}/log.txt\n", to_text(*status), folder);
    send(rpc_result(request.id, result(request, false, [&](JsonWriter& json) {
                      json.key("content");
                      json.begin_array();
                      json.begin_object();
                      write_member(json, "type", "text");
                      write_member(json, "text", shown);
                      json.end_object();
                      json.end_array();
                      if (judged && !folder.empty()) write_outcome(json, *status, folder, passed);
                      write_member(json, "isError", !judged);
                    })));
  }

  static void write_outcome(JsonWriter& json, const ExitStatus& status, const std::string& folder,
                            bool passed) {
    json.key("structuredContent");
    json.begin_object();
    write_member(json, "passed", passed);
    write_member(json, "exit_code", status.code);
    write_member(json, "folder", folder);
    json.end_object();
  }

  // No answer follows.
  void cancel(const std::string& id) {
    if (running_ && running_->request.id == id) {
      running_->child->kill();
      running_.reset();
    }
    std::erase_if(waiting_, [&](const RpcMessage& one) { return one.id == id; });
  }

  void send(const std::string& line) {
    env_.out.write(line + "\n");
    env_.out.flush();
  }

  Environment& env_;
  const std::string root_;
  std::string input_;  // of which no line has ended
  std::string tools_;  // made once
  size_t calls_ = 1;
  std::deque<RpcMessage> waiting_;
  std::optional<RunningCall> running_;
};

}  // namespace

void serve_mcp(Environment& env, const std::string& root) {
  Server(env, root).serve();
}

}  // namespace polygraphy::cli
