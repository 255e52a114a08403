#include "cli/mcp/mcp_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "cli/args/distribution.h"
#include "cli/command_syntax.h"
#include "cli/syntax/job_schema.h"
#include "cli/syntax/job_words.h"
#include "formats/json_reader.h"
#include "formats/record_json.h"

namespace polygraphy::cli {
namespace {

struct Tool {
  std::string_view name, command;
};

constexpr Tool kTools[] = {
    {"inspect_model", "inspect model"},
    {"run", "run"},
    {"locate", "debug locate"},
    {"reduce", "debug reduce"},
    {"lint", "check lint"},
    {"sanitize", "surgeon sanitize"},
    {"diff", "surgeon diff"},
    {"sensitivity", "debug sensitivity"},
    {"consistency", "check consistency"},
};
constexpr std::string_view kResults = "--json";  // of commands with results
constexpr std::string_view kOptionsTool = "options";

const Tool& tool_of(std::string_view name) {
  const auto* found = std::ranges::find(kTools, name, &Tool::name);
  if (found == std::end(kTools)) throw Error("Unknown tool " + std::string(name));
  return *found;
}

CommandSyntax syntax_of_tool(const Tool& tool, const Environment& env) {
  return {command_of_job(tool.command), env};
}

void write_tool(JsonWriter& json, const Tool& tool, const Syntax& syntax) {
  const Command& command = command_of_job(tool.command);
  std::vector<std::string> required;
  json.begin_object();
  write_member(json, "name", tool.name);
  write_member(json, "description", command.description);
  write_object(json, "inputSchema", [&] {
    write_member(json, "type", "object");
    write_object(json, "properties", [&] {
      write_runners_schema(json, syntax);
      for (const Syntax::Entry& entry : syntax.entries()) {
        if (!is_of_jobs(syntax, entry) || !entry.positional()) continue;
        write_object(json, argument_name(entry), [&] { write_argument_schema(json, entry); });
        if (entry.required) required.push_back(argument_name(entry));
      }
      write_object(json, "options", [&] {
        write_member(json, "description",
                     fmt::format("Further options of `polygraphy {}` by name, with underscores. "
                                 "The tool `{}` lists them.",
                                 tool.command, kOptionsTool));
        write_member(json, "type", "object");
      });
    });
    write_member(json, "required", required);
    write_member(json, "additionalProperties", false);
  });
  json.end_object();
}

void write_options_tool(JsonWriter& json) {
  std::vector<std::string_view> names;
  for (const Tool& tool : kTools) names.push_back(tool.name);
  json.begin_object();
  write_member(json, "name", kOptionsTool);
  write_member(json, "description",
               "All options of a tool, a line each, or one with its type and whole meaning.");
  write_object(json, "inputSchema", [&] {
    write_member(json, "type", "object");
    write_object(json, "properties", [&] {
      write_object(json, "tool", [&] {
        write_member(json, "type", "string");
        write_member(json, "enum", names);
      });
      write_object(json, "name", [&] {
        write_member(json, "description", "Of one option, to see all of it.");
        write_member(json, "type", "string");
      });
    });
    write_member(json, "required", std::vector<std::string>{"tool"});
    write_member(json, "additionalProperties", false);
  });
  json.end_object();
}

// As JSON. "options" are arguments by name.
std::string job_text(const Tool& tool, std::string_view arguments) {
  JsonReader json(arguments, "the arguments");
  std::string runners, members, key;
  const auto add = [&] {
    StringSink name;
    JsonWriter(name).string(key);
    members += fmt::format("{}{}:", members.empty() ? "" : ",", name.text());
    members += json.raw_value();
  };
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "runners") {
      runners = fmt::format("\"runners\":{},", json.raw_value());
    } else if (key == "options") {
      json.enter_object();
      while (json.next_key(key)) add();
    } else {
      add();
    }
  }
  json.finish();
  return fmt::format("{{\"{}\":{},\"command\":\"{}\",{}\"arguments\":{{{}}}}}", kJobKey,
                     kJobVersion, tool.command, runners, members);
}

// Links are followed as far as the path exists; one that leads nowhere may lead anywhere later.
void check_path(const std::string& typed, const std::string& root) {
  std::error_code failed, missing;
  const std::filesystem::path given = std::filesystem::path(root) / typed;
  const std::filesystem::path path = std::filesystem::weakly_canonical(given, failed);
  const std::filesystem::path inside = path.lexically_relative(root);
  const bool dangles =
      std::filesystem::is_symlink(given, missing) && !std::filesystem::exists(given, missing);
  if (failed || dangles || inside.empty() || *inside.begin() == "..") {
    throw Error(fmt::format("'{}' lies outside of {}", typed, root),
                "Only files of the folder that the server was started with can be used.");
  }
}

void check_argument(const Syntax& syntax, const Syntax::Entry& entry, const JobArgument& argument,
                    const std::string& root) {
  if (entry.option->files == FileUse::kReadCommand || entry.option->starts_programs ||
      syntax.section_of(entry).group == &args_distribution)
    throw Error("'" + argument_name(entry) + "' starts programs, which agents cannot");
  for (const auto& use : argument.uses) {
    for (const JobArgument::Scalar& value : use) {
      const std::string& text = value.text;
      // KEY=PATH of an engine, and libraries of its providers.
      const std::string behind = text.substr(text.find('=') + 1);
      const bool is_path = entry.option->names_files() ||
                           (behind.starts_with('/') && behind != text) ||
                           (entry.key() == "--providers" && text.find('/') != text.npos);
      if (!is_path) continue;
      check_path(text, root);
      check_path(behind, root);
      check_path(text.substr(0, text.rfind(':')), root);  // SCRIPT:FUNCTION
    }
  }
}

void check_job(const Syntax& syntax, const JobDocument& job, const std::string& root) {
  for (const auto& [name, file] : job.runners) {
    if (name == "model_runner") throw Error("'model_runner' starts programs, which agents cannot");
    if (!file.empty()) check_path(file, root);
  }
  for (const Syntax::Entry& entry : syntax.entries()) {
    const JobArgument* argument = job.arguments.find(argument_name(entry));
    if (argument && is_of_jobs(syntax, entry)) check_argument(syntax, entry, *argument, root);
  }
  if (job.arguments.contains("summary"))
    throw Error("'summary' is the answer of the server", "Leave it out.");
}

std::string member_of(std::string_view arguments, std::string_view name) {
  JsonReader json(arguments, "the arguments");
  std::string key, text;
  json.enter_object();
  while (json.next_key(key)) key == name ? void(text = json.read_string()) : json.skip_value();
  return text;
}

// A line per option with its first sentence, or the schema of the option `name`.
std::string options_text(const Syntax& syntax, const std::string& name) {
  std::string text;
  for (const Syntax::Entry& entry : syntax.entries()) {
    if (!is_of_jobs(syntax, entry) || entry.selects_runner() || entry.positional()) continue;
    if (argument_name(entry) == name) {
      StringSink sink;
      JsonWriter json(sink);
      json.begin_object();
      write_argument_schema(json, entry);
      json.end_object();
      return sink.text();
    }
    if (entry.option->origin == Origin::kRemoved) continue;
    const std::string_view help = entry.option->help;
    const size_t end = help.find(". ");
    text += fmt::format("{}: {}\n", argument_name(entry),
                        end == help.npos ? help : help.substr(0, end + 1));
  }
  if (name.empty()) return text;
  throw Error("Unknown option '" + name + "'");
}

}  // namespace

std::string mcp_tools(const Environment& env) {
  StringSink sink;
  JsonWriter json(sink, JsonStyle::kCompact);
  json.begin_array();
  for (const Tool& tool : kTools) write_tool(json, tool, *syntax_of_tool(tool, env));
  write_options_tool(json);
  json.end_array();
  return sink.text();
}

McpCall mcp_call(const Environment& env, std::string_view name, std::string_view arguments,
                 const std::string& root, const std::string& folder) {
  if (arguments.empty()) arguments = "{}";
  if (name == kOptionsTool) {
    const CommandSyntax syntax = syntax_of_tool(tool_of(member_of(arguments, "tool")), env);
    return {.text = options_text(*syntax, member_of(arguments, "name"))};
  }
  const Tool& tool = tool_of(name);
  const CommandSyntax syntax = syntax_of_tool(tool, env);
  const JobDocument job = parse_job(job_text(tool, arguments), "the arguments");
  check_job(*syntax, job, root);
  std::vector<std::string> further;
  McpCall call;
  if (syntax->find("--summary")) {
    call.summary = folder + "/summary.txt";
    further.insert(further.end(), {"--summary", call.summary});
  }
  const Syntax::Entry* results = syntax->find(kResults);
  if (results && !job.arguments.contains(argument_name(*results)))
    further.insert(further.end(), {std::string(kResults), folder + "/results.json"});
  call.argv = words_of(job, *syntax, further);
  call.argv.insert(call.argv.begin(), env.executable);
  return call;
}

}  // namespace polygraphy::cli
