// JSON Schemas (draft 2020-12) of jobs, from the option tables.
#pragma once

#include <string>
#include <string_view>

#include "cli/syntax/command.h"
#include "cli/syntax/job.h"
#include "cli/syntax/syntax.h"
#include "formats/json_writer.h"

namespace polygraphy::cli {

// A member that is an object; `write` writes its members.
template <typename Write>
void write_object(JsonWriter& json, std::string_view key, Write write) {
  json.key(key);
  json.begin_object();
  write();
  json.end_object();
}

// Of the jobs of a command.
std::string job_schema(const Command& command, const Syntax& syntax);

// A member "runners" with the schema of a job's runners; nothing if the command runs none.
void write_runners_schema(JsonWriter& json, const Syntax& syntax);

// The members of the schema of an argument's value.
void write_argument_schema(JsonWriter& json, const Syntax::Entry& entry);

}  // namespace polygraphy::cli
