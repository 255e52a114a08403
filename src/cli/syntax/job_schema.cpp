#include "cli/syntax/job_schema.h"

#include <string_view>
#include <vector>

#include "base/text.h"
#include "formats/record_json.h"

namespace polygraphy::cli {
namespace {

// Of `depth` lists in each other.
void write_type(JsonWriter& json, const Syntax::Entry& entry, int depth) {
  const Option& option = *entry.option;
  if (option.arity == Arity::kFlag) return write_member(json, "type", "boolean");
  if (depth > 0) {
    write_member(json, "type", "array");
    return write_object(json, "items", [&] { write_type(json, entry, depth - 1); });
  }
  if (option.type == ValueType::kInt) return write_member(json, "type", "integer");
  if (option.type == ValueType::kFloat) return write_member(json, "type", "number");
  write_member(json, "type", "string");
  const bool is_open = option.choice_arguments || option.lists_formats;
  if (entry.choices().empty() || is_open) return;
  write_member(json, "enum", split(entry.choices(), ' '));
}

void write_arguments(JsonWriter& json, const Syntax& syntax) {
  std::vector<std::string> required;
  bool answers = false;  // an option that needs no others
  write_object(json, "arguments", [&] {
    write_member(json, "type", "object");
    write_object(json, "properties", [&] {
      for (const Syntax::Entry& entry : syntax.entries()) {
        if (!is_of_jobs(syntax, entry) || entry.selects_runner()) continue;
        write_object(json, argument_name(entry), [&] { write_argument_schema(json, entry); });
        if (entry.required) required.push_back(argument_name(entry));
        answers |= entry.option->answers;
      }
    });
    if (!answers) write_member(json, "required", required);
    write_member(json, "additionalProperties", false);
  });
}

}  // namespace

void write_runners_schema(JsonWriter& json, const Syntax& syntax) {
  std::vector<std::string> names;
  for (const Syntax::Entry& entry : syntax.entries()) {
    if (is_of_jobs(syntax, entry) && entry.selects_runner()) names.push_back(argument_name(entry));
  }
  if (names.empty()) return;
  write_object(json, "runners", [&] {
    write_member(json, "description", "Runners, in this order.");
    write_member(json, "type", "array");
    write_object(json, "items", [&] {
      write_member(json, "type", "object");
      write_object(json, "properties", [&] {
        write_object(json, "runner", [&] { write_member(json, "enum", names); });
        write_object(json, "file", [&] {
          write_member(json, "description",
                       "The program of model_runner, or the runner's own model.");
          write_member(json, "type", "string");
        });
      });
      write_member(json, "required", std::vector<std::string>{"runner"});
      write_member(json, "additionalProperties", false);
    });
  });
}

void write_argument_schema(JsonWriter& json, const Syntax::Entry& entry) {
  const Option& option = *entry.option;
  write_member(json, "description", option.help);
  if (option.origin == Origin::kRemoved) write_member(json, "deprecated", true);
  const int depth = takes_list(option.arity) + option.appends;
  if (option.arity != Arity::kOptional || entry.positional()) return write_type(json, entry, depth);
  json.key("anyOf");
  json.begin_array();
  json.begin_object();
  write_member(json, "type", "boolean");
  json.end_object();
  json.begin_object();
  write_type(json, entry, depth);
  json.end_object();
  json.end_array();
}

std::string job_schema(const Command& command, const Syntax& syntax) {
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object();
  write_member(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
  write_member(json, "title", syntax.prog());
  write_member(json, "description", command.description);
  write_member(json, "type", "object");
  write_object(json, "properties", [&] {
    write_object(json, kJobKey, [&] { write_member(json, "const", kJobVersion); });
    write_object(json, "command", [&] { write_member(json, "const", command.path); });
    write_runners_schema(json, syntax);
    write_arguments(json, syntax);
  });
  write_member(json, "required", std::vector{kJobKey, std::string_view("command")});
  write_member(json, "additionalProperties", false);
  json.end_object();
  return sink.text() + "\n";
}

}  // namespace polygraphy::cli
