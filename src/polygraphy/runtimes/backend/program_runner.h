// An external program as a runner: a script that runs the original model, say. docs/model-runner.md
// is the contract with it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/log.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

class PluginHost;

struct ProgramOptions {
  std::string program;             // the file; one named *.py runs under `python`
  std::string python = "python3";  // a path, or a name that is searched in PATH
  // Names and types of inputs come from here; the program may ignore them.
  ModelSource model;
  std::optional<double> timeout = {};  // seconds that it may take
  std::string name = {};               // of the runner; empty: a new one, as below
};

// "<file without extension>-runner".
std::string program_runner_prefix(const std::string& program);

// Named "<file without extension>-runner-N<count>-<date>-<time>". Each inference starts the program
// again. If it fails, takes too long, or prints no outputs, a RunnerFailure has its standard error.
std::unique_ptr<Runner> make_program_runner(PluginHost& host, ProgramOptions options, Logger& log);

// The outputs in the text that a program printed: the last JSON document that begins and ends a
// line, which holds tensors as files for --load-inputs or --load-outputs do, or one bare list,
// which is named `only_output`. Returns the surrounding text in `other`. Throws FormatError.
ArrayMap outputs_in_text(std::string_view text, const std::string& source,
                         const std::string& only_output, std::string& other);

}  // namespace polygraphy
