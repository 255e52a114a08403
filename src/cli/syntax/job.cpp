#include "cli/syntax/job.h"

#include <algorithm>
#include <utility>

#include "base/py_numbers.h"
#include "formats/json_reader.h"
#include "formats/record_json.h"

namespace polygraphy::cli {
namespace {

using Form = JobArgument::Form;
using Scalar = JobArgument::Scalar;

// Whether JSON has the text as a number.
bool is_number(std::string_view text) {
  try {
    JsonReader json(text, {});
    std::string_view all;
    json.read_number(&all);
    json.finish();
    return all == text && text.find_first_of("NI") == text.npos;
  } catch (const FormatError&) {
    return false;
  }
}

// The number as JSON has it, or the text.
Scalar scalar_of(const Option& option, const std::string& text) {
  if (option.type == ValueType::kInt) {
    if (const auto number = parse_int(text)) return {std::to_string(*number), true};
  }
  return {text, option.type == ValueType::kFloat && is_number(text)};
}

JobArgument argument_of(const ParsedArgs& args, const Syntax::Entry& entry) {
  const Option& option = *entry.option;
  auto uses = args.all(entry.key());
  // Uses with and without a value, of an option that may have one.
  const bool mixed = option.arity == Arity::kOptional && option.appends &&
                     std::ranges::any_of(uses, [](const auto& use) { return use.empty(); });
  if (mixed && uses.size() == 1) return {.form = Form::kSet};
  const bool lists = option.appends && (takes_list(option.arity) || mixed);
  JobArgument argument{.form = lists                                        ? Form::kLists
                               : takes_list(option.arity) || option.appends ? Form::kList
                                                                            : Form::kOne};
  if (!option.appends) uses.erase(uses.begin(), uses.end() - 1);
  for (const auto& use : uses) {
    if (lists || argument.uses.empty()) argument.uses.emplace_back();
    for (const std::string& text : use) argument.uses.back().push_back(scalar_of(option, text));
  }
  if (argument.form == Form::kOne && argument.uses.front().empty()) argument.form = Form::kSet;
  return argument;
}

void write_scalar(JsonWriter& json, const Scalar& value) {
  value.is_number ? json.literal(value.text) : json.string(value.text);
}

void write_list(JsonWriter& json, const std::vector<Scalar>& values) {
  json.list(values, [&](const Scalar& value) { write_scalar(json, value); });
}

void write_argument(JsonWriter& json, const JobArgument& argument) {
  switch (argument.form) {
    case Form::kSet:
      return json.boolean(true);
    case Form::kUnset:
      return json.boolean(false);
    case Form::kOne:
      return write_scalar(json, argument.uses.front().front());
    case Form::kList:
      return write_list(json, argument.uses.front());
    case Form::kLists:
      return json.list(argument.uses, [&](const auto& use) { write_list(json, use); });
  }
}

// Words of a command line have no NUL.
std::string read_word(JsonReader& json) {
  const size_t at = json.offset();
  std::string text = json.read_string();
  if (text.find('\0') != text.npos) json.fail_at(at, "a text of a job has no NUL.");
  return text;
}

Scalar read_scalar(JsonReader& json) {
  if (json.peek() != JsonReader::Type::kNumber) return {read_word(json)};
  const size_t at = json.offset();
  std::string_view text;
  json.read_number(&text);
  if (!is_number(text)) json.fail_at(at, "numbers of jobs are finite.");
  return {std::string(text), true};
}

JobArgument read_argument(JsonReader& json) {
  using Type = JsonReader::Type;
  const Type type = json.peek();
  if (type == Type::kNull) return json.read_null(), JobArgument{.form = Form::kUnset};
  if (type == Type::kBool) return {.form = json.read_bool() ? Form::kSet : Form::kUnset};
  JobArgument argument{.form = Form::kOne, .uses = {{}}};
  if (type != Type::kArray) {
    argument.uses.front().push_back(read_scalar(json));
    return argument;
  }
  argument.form = Form::kList;
  json.enter_array();
  while (json.next_element()) {
    if (json.peek() != Type::kArray) {
      if (argument.form == Form::kLists) json.fail("a list of lists has another value, too.");
      argument.uses.front().push_back(read_scalar(json));
      continue;
    }
    if (argument.form == Form::kLists) {
      argument.uses.emplace_back();
    } else if (!argument.uses.front().empty()) {
      json.fail("a list of values has a list, too.");
    }
    argument.form = Form::kLists;
    json.enter_array();
    while (json.next_element()) argument.uses.back().push_back(read_scalar(json));
  }
  return argument;
}

JobRunner read_runner(JsonReader& json) {
  JobRunner runner;
  if (json.peek() == JsonReader::Type::kString) return {read_word(json)};
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    const size_t at = json.offset();
    if (key == "runner") {
      runner.name = read_word(json);
    } else if (key == "file") {
      runner.file = read_word(json);
    } else {
      json.fail_at(at, "a runner has no member '" + key + "', but 'runner' and 'file'.");
    }
  }
  if (runner.name.empty()) json.fail("a runner needs the member 'runner'.");
  return runner;
}

}  // namespace

std::string argument_name(const Syntax::Entry& entry) {
  std::string name(entry.key());
  name.erase(0, name.find_first_not_of('-'));
  std::ranges::replace(name, '-', '_');
  return name;
}

bool is_of_jobs(const Syntax& syntax, const Syntax::Entry& entry) {
  const Option& option = *entry.option;
  if (option.origin == Origin::kInternal || option.arity == Arity::kSubcommand) return false;
  const ArgGroup* group = syntax.section_of(entry).group;
  return !(group && (group->of_messages || group->of_access)) && entry.key() != "--help" &&
         entry.key() != "--help-all";
}

JobDocument job_of(const ParsedArgs& args, std::string_view command) {
  JobDocument job{.command = std::string(command)};
  for (const Occurrence& use : args.occurrences()) {
    const Syntax::Entry& entry = *use.entry;
    if (!is_of_jobs(args.syntax(), entry)) continue;
    if (use.selects_runner()) {
      job.runners.push_back({argument_name(entry), use.values.empty() ? "" : use.values.front()});
    } else if (std::string name = argument_name(entry); !job.arguments.contains(name)) {
      job.arguments.set(std::move(name), argument_of(args, entry));
    }
  }
  return job;
}

std::string job_json(const JobDocument& job) {
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object();
  write_member(json, kJobKey, kJobVersion);
  write_member(json, "command", job.command);
  if (!job.runners.empty()) {
    json.key("runners");
    json.list(job.runners, [&](const JobRunner& runner) {
      json.begin_object();
      write_member(json, "runner", runner.name);
      if (!runner.file.empty()) write_member(json, "file", runner.file);
      json.end_object();
    });
  }
  json.key("arguments");
  json.begin_object();
  for (const auto& [name, argument] : job.arguments) {
    json.key(name);
    write_argument(json, argument);
  }
  json.end_object();
  json.end_object();
  return sink.text() + "\n";
}

JobDocument parse_job(std::string_view text, std::string source) {
  JsonReader json(text, std::move(source));
  JobDocument job;
  bool versioned = false;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    const size_t at = json.offset();
    if (key == kJobKey) {
      versioned = true;
      if (const int64_t version = json.read_integer(); version != kJobVersion)
        json.fail_at(at, "this program runs jobs of version " + std::to_string(kJobVersion) +
                             ", but this is of version " + std::to_string(version) + ".");
    } else if (key == "command") {
      job.command = json.read_string();
    } else if (key == "runners") {
      json.enter_array();
      while (json.next_element()) job.runners.push_back(read_runner(json));
    } else if (key == "arguments") {
      json.enter_object();
      for (std::string name; json.next_key(name);) {
        const size_t place = json.offset();
        if (job.arguments.contains(name)) json.fail_at(place, "'" + name + "' is there twice.");
        job.arguments.set(name, read_argument(json));
      }
    } else {
      json.fail_at(at, "a job has no member '" + key + "'.");
    }
  }
  json.finish();
  if (!versioned || job.command.empty())
    json.fail_at(0, "this is not a job: `polygraphy COMMAND ... --print-job` prints one.");
  return job;
}

}  // namespace polygraphy::cli
