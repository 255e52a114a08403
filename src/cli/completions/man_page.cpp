#include "cli/completions/man_page.h"

#include <span>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/version.h"
#include "cli/completions/command_tables.h"
#include "cli/syntax/exit_codes.h"
#include "cli/syntax/help.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

// Text as roff reads it: no escapes by accident, and no line that begins with a control character.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      if ((c == '.' || c == '\'') && result.empty()) result += "\\&";
      result += c;
    }
  }
  return result;
}

void add_entries(std::string& out, const CommandTable& table) {
  for (size_t section = 0; section < table.syntax->sections().size(); ++section) {
    bool headed = section == 0;
    for (const auto* entry : table.entries) {
      if (entry->section != section) continue;
      if (!headed) out += ".PP\n.I " + roff(table.syntax->sections()[section].title) + "\n";
      headed = true;
      out += ".TP\n.B " + roff(invocation(*entry)) + "\n" + roff(entry->option->help) + "\n";
    }
  }
}

// Those that name the library of a back end.
std::string library_variables() {
  std::vector<std::string> names;
  for (const auto* backend : backend_option_tables()) {
    if (backend->library_env) names.emplace_back(backend->library_env);
  }
  return join(std::span<const std::string>(names), ", ");
}

std::vector<std::pair<std::string, std::string_view>> variables() {
  return {
      {"NO_COLOR", "If set, messages have no colours."},
      {"POLYGRAPHY_PYTHON",
       "Python that runs scripts. Default: the Python of the active environment, or python3."},
      {"POLYGRAPHY_BACKEND_DIR",
       "Folder of the back ends. Default: the folder beside the executable."},
      {"POLYGRAPHY_BACKENDS", "Additional folders of back ends, separated by colons."},
      {"POLYGRAPHY_ENGINE_DIR", "Folder of the runtimes installed with polygraphy."},
      {library_variables(), "Library of the runtime to use."},
      {"VIRTUAL_ENV, CONDA_PREFIX",
       "The active Python environment; its runtimes take precedence over the installed ones."},
  };
}

constexpr struct {
  std::string_view what, command;
} kExamples[] = {
    {"Run two runtimes on the same random inputs, and compare their outputs:",
     "polygraphy run model.onnx --onnxrt --openvino"},
    {"Compare every tensor inside the model, too:",
     "polygraphy run model.onnx --onnxrt --openvino --onnx-outputs '*'"},
    {"Save golden outputs, and compare later runs with them:",
     "polygraphy run model.onnx --onnxrt --save-inputs inputs.json --save-outputs golden.json\n"
     "polygraphy run model.onnx --openvino --load-inputs inputs.json --load-outputs golden.json"},
    {"Show layers, attributes and weights:",
     "polygraphy inspect model model.onnx --show layers attrs weights"},
    {"Fold constants, and verify the result:",
     "polygraphy surgeon sanitize model.onnx --fold-constants --cleanup --verify -o folded.onnx"},
    {"Reduce a model to its failing nodes:",
     "polygraphy debug reduce model.onnx -o reduced.onnx --mode auto \\\n"
     "  --check polygraphy run polygraphy_debug.onnx --onnxrt --openvino"},
};

}  // namespace

std::string man_page() {
  std::string out =
      ".TH POLYGRAPHY 1 \"\" \"polygraphy " + std::string(kVersion) +
      "\" \"User Commands\"\n.SH NAME\npolygraphy \\- run, compare, inspect and debug neural "
      "networks on several runtimes\n.SH SYNOPSIS\n.B polygraphy\n.I command\n.RI [ options ]\n.SH "
      "DESCRIPTION\nRuns a neural network on several runtimes with the same inputs, compares the "
      "outputs layer by layer, and inspects models and saved data. Long options may be abbreviated "
      "to an unambiguous prefix.\n";
  for (const auto& table : command_tables()) {
    if (!table.command) {
      out += ".SH OPTIONS\n";
    } else {
      out += ".SH " + to_upper(std::string("polygraphy ") + std::string(table.path)) + "\n" +
             roff(table.command->description) + "\n";
    }
    add_entries(out, table);
  }
  out += ".SH EXAMPLES\n";
  for (const auto& [what, command] : kExamples) {
    out += ".PP\n" + roff(what) + "\n.PP\n.RS\n.nf\n" + roff(command) + "\n.fi\n.RE\n";
  }
  out += ".SH EXIT STATUS\n";
  for (const ExitCode& row : kExitCodes)
    out += ".TP\n.B " + roff(row.codes) + "\n" + roff(row.meaning) + "\n";
  out += ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : variables())
    out += ".TP\n.B " + roff(name) + "\n" + roff(meaning) + "\n";
  return out;
}

}  // namespace polygraphy::cli
