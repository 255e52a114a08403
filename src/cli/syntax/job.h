// A command line as a value: the JSON that --print-job prints and `polygraphy job` runs
// (docs/jobs.md). Names, types and meanings of arguments come from the option tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ordered_map.h"
#include "cli/syntax/parser.h"
#include "cli/syntax/syntax.h"

namespace polygraphy::cli {

// A member of every job, and its value.
inline constexpr std::string_view kJobKey = "polygraphy_job";
inline constexpr int64_t kJobVersion = 1;

struct JobRunner {
  std::string name;       // "onnxrt", "model_runner"
  std::string file = {};  // the program of model_runner, or the runner's own model; may be empty
};

// The value of an argument: `true`, a text or number, a list of these, a list of lists for options
// of which each use counts.
struct JobArgument {
  enum class Form : uint8_t { kSet, kUnset, kOne, kList, kLists };
  struct Scalar {
    std::string text;
    bool is_number = false;
  };
  Form form = Form::kSet;
  std::vector<std::vector<Scalar>> uses = {};
};

struct JobDocument {
  std::string command;  // "debug locate"
  std::vector<JobRunner> runners = {};
  OrderedMap<JobArgument> arguments = {};  // by name: "model_file", "noise_runs"
};

// "--noise-runs" -> "noise_runs".
std::string argument_name(const Syntax::Entry& entry);
// Whether jobs have it: not the options of logs and help, and none that users do not type.
bool is_of_jobs(const Syntax& syntax, const Syntax::Entry& entry);

JobDocument job_of(const ParsedArgs& args, std::string_view command);
std::string job_json(const JobDocument& job);
// `source` names the text in messages. Throws FormatError.
JobDocument parse_job(std::string_view json, std::string source);

}  // namespace polygraphy::cli
