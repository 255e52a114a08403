// `polygraphy schema`.

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/command_list.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/job.h"
#include "cli/syntax/syntax.h"
#include "formats/record_json.h"
#include "polygraphy/diagnosis/schemas/result_schemas.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

class JobSchema {
 public:
  JobSchema(const Command& command, const Syntax& syntax) : command_(command), syntax_(syntax) {}

  std::string text() {
    json_.begin_object();
    member("$schema", "https://json-schema.org/draft/2020-12/schema");
    member("title", syntax_.prog());
    member("description", command_.description);
    member("type", "object");
    object("properties", [&] {
      object(kJobKey, [&] { member("const", kJobVersion); });
      object("command", [&] { member("const", command_.path); });
      write_runners();
      write_arguments();
    });
    member("required", std::vector{kJobKey, std::string_view("command")});
    closed();
    json_.end_object();
    return sink_.text() + "\n";
  }

 private:
  template <typename Value>
  void member(std::string_view key, const Value& value) {
    write_member(json_, key, value);
  }
  template <typename Write>
  void object(std::string_view key, Write write) {
    json_.key(key);
    json_.begin_object();
    write();
    json_.end_object();
  }
  void closed() { member("additionalProperties", false); }

  void write_runners() {
    std::vector<std::string> names;
    for (const Syntax::Entry& entry : syntax_.entries()) {
      if (is_of_jobs(syntax_, entry) && entry.selects_runner())
        names.push_back(argument_name(entry));
    }
    if (names.empty()) return;
    object("runners", [&] {
      member("description", "Runners, in this order.");
      member("type", "array");
      object("items", [&] {
        member("type", "object");
        object("properties", [&] {
          object("runner", [&] { member("enum", names); });
          object("file", [&] {
            member("description", "The program of model_runner, or the runner's own model.");
            member("type", "string");
          });
        });
        member("required", std::vector<std::string>{"runner"});
        closed();
      });
    });
  }

  void write_arguments() {
    std::vector<std::string> required;
    bool answers = false;  // an option that needs no others
    object("arguments", [&] {
      member("type", "object");
      object("properties", [&] {
        for (const Syntax::Entry& entry : syntax_.entries()) {
          if (!is_of_jobs(syntax_, entry) || entry.selects_runner()) continue;
          object(argument_name(entry), [&] { write_argument(entry); });
          if (entry.required) required.push_back(argument_name(entry));
          answers |= entry.option->answers;
        }
      });
      if (!answers) member("required", required);
      closed();
    });
  }

  void write_argument(const Syntax::Entry& entry) {
    const Option& option = *entry.option;
    member("description", option.help);
    if (option.origin == Origin::kRemoved) member("deprecated", true);
    const int depth = takes_list(option.arity) + option.appends;
    if (option.arity != Arity::kOptional || entry.positional()) return write_type(entry, depth);
    json_.key("anyOf");
    json_.begin_array();
    json_.begin_object();
    member("type", "boolean");
    json_.end_object();
    json_.begin_object();
    write_type(entry, depth);
    json_.end_object();
    json_.end_array();
  }

  // Of `depth` lists in each other.
  void write_type(const Syntax::Entry& entry, int depth) {
    const Option& option = *entry.option;
    if (option.arity == Arity::kFlag) return member("type", "boolean");
    if (depth > 0) {
      member("type", "array");
      return object("items", [&] { write_type(entry, depth - 1); });
    }
    if (option.type == ValueType::kInt) return member("type", "integer");
    if (option.type == ValueType::kFloat) return member("type", "number");
    member("type", "string");
    const bool is_open = option.choice_arguments || option.lists_formats;
    if (entry.choices().empty() || is_open) return;
    member("enum", split(entry.choices(), ' '));
  }

  const Command& command_;
  const Syntax& syntax_;
  StringSink sink_;
  JsonWriter json_{sink_};
};

// JSON Schema (draft 2020-12) of the jobs of a command.
std::string job_schema(const Command& command, const Syntax& syntax) {
  return JobSchema(command, syntax).text();
}

constexpr GroupUse kGroups[] = {{&args_logging}};

constexpr Option kOptions[] = {
    {.spellings = "command",
     .help = "The words of a command, such as 'debug locate'. Default: all that have a schema.",
     .arity = Arity::kZeroOrMore},
    {.spellings = "--job",
     .help = "Print the schema of the command's jobs instead (`polygraphy job`).",
     .arity = Arity::kFlag},
};

// With the options of all back ends of the machine.
std::string schema_of_job(const std::string& path, const Environment& env) {
  const Command& command = command_of_job(path);
  if (!takes_backends(command)) return job_schema(command, *syntax_of(command, {}));
  const BackendCatalog catalog(plugin_folders(env));
  return job_schema(command, *syntax_of(command, catalog.tables()));
}

int run_command(Session& session) {
  const std::string command = join(session.args().list("command"), " ");
  const bool of_job = session.args().has("--job");
  write_file("-", of_job ? schema_of_job(command, session.env()) : result_schema(command));
  return 0;
}

}  // namespace

extern constinit const Command command_schema = {
    .path = "schema",
    .summary = "Print the JSON Schema of the results or the jobs of a command.",
    .description =
        "Print the JSON Schema of the document that a command writes as JSON, with the meaning of "
        "each member (docs/results.md), or of the jobs that `polygraphy job` runs (docs/jobs.md).",
    .examples =
        "polygraphy schema debug locate\n"
        "polygraphy schema run --job",
    .order = 115,
    .groups = kGroups,
    .options = kOptions,
    .failure = kCouldNotRun,
    .run = run_command,
};

}  // namespace polygraphy::cli
