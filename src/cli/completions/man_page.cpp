#include "cli/completions/man_page.h"

#include "base/text.h"
#include "base/version.h"
#include "cli/syntax/command_tables.h"
#include "cli/syntax/help.h"

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

constexpr struct {
  std::string_view name, meaning;
} kExitCodes[] = {
    {"0", "success"},
    {"1", "a comparison or check failed, or something was wrong with what was given"},
    {"2", "the command line could not be understood"},
    {"130", "interrupted"},
};

constexpr struct {
  std::string_view name, meaning;
} kVariables[] = {
    {"NO_COLOR", "If set, messages have no colours."},
    {"POLYGRAPHY_PYTHON",
     "The Python that runs scripts; otherwise that of the active environment, or python3."},
    {"POLYGRAPHY_BACKEND_DIR",
     "Where the back ends are, instead of the folder beside the executable."},
    {"POLYGRAPHY_BACKENDS",
     "Folders of back ends of your own, with colons between them; searched in addition."},
    {"POLYGRAPHY_ENGINE_DIR", "Where the engines' libraries are that came with it."},
    {"POLYGRAPHY_ONNXRT_LIB, POLYGRAPHY_OPENVINO_LIB", "The library of an engine to use."},
    {"VIRTUAL_ENV, CONDA_PREFIX",
     "The active Python environment, whose engines are used before those that came with it."},
};

}  // namespace

std::string man_page() {
  std::string out =
      ".TH POLYGRAPHY 1 \"\" \"polygraphy " + std::string(kVersion) +
      "\" \"User Commands\"\n"
      ".SH NAME\npolygraphy \\- run, compare, inspect and debug neural networks on several "
      "engines\n"
      ".SH SYNOPSIS\n.B polygraphy\n.I command\n.RI [ options ]\n"
      ".SH DESCRIPTION\nRuns a neural network on several inference engines with the same inputs, "
      "compares the results layer by layer, and looks into models and saved data. An unambiguous "
      "beginning of a long option may stand for it.\n";
  for (const auto& table : command_tables()) {
    if (!table.command) {
      out += ".SH OPTIONS\n";
    } else {
      out += ".SH " + to_upper(std::string("polygraphy ") + std::string(table.path)) + "\n" +
             roff(table.command->description) + "\n";
    }
    add_entries(out, table);
  }
  out += ".SH EXIT STATUS\n";
  for (const auto& [name, meaning] : kExitCodes)
    out += ".TP\n.B " + roff(name) + "\n" + roff(meaning) + "\n";
  out += ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : kVariables)
    out += ".TP\n.B " + roff(name) + "\n" + roff(meaning) + "\n";
  return out;
}

}  // namespace polygraphy::cli
