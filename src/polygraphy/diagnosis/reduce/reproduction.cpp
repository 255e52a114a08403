#include "polygraphy/diagnosis/reduce/reproduction.h"

#include <filesystem>
#include <fstream>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/files/file_access.h"
#include "base/shell_words.h"
#include "base/silent_log.h"
#include "base/version.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/diagnosis/debug_loop/command_check.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/runner_factory/library_version.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::Model;

using log_modules::kReduce;
constexpr int64_t kMostSamples = 16;
// The first file of a folder, and how it begins.
constexpr const char* kMark = "versions.txt";
constexpr std::string_view kFirstWord = "polygraphy ";

// The failure needs the sample that fails; which that is only the check knows.
bool write_inputs(const Reproduction& reproduction, const Model& model, const std::string& path,
                  Logger& log) {
  try {
    const Metadata inputs = metadata_of_variables(model.graph->inputs());
    InputWriter writer(path, log_or_silence(nullptr));
    for (int64_t sample = 0; sample < kMostSamples; ++sample) {
      const auto feed = reproduction.inputs(inputs, sample, log);
      if (!feed) break;
      writer.add(flatten(*feed));
    }
    writer.finish();
    return true;
  } catch (const Interrupted&) {
    throw;
  } catch (const IoError&) {
    throw;
  } catch (const Error& error) {
    log.warning(kReduce, std::string("The reproduction has no input data: ") + error.what());
    return false;
  }
}

// The reduction of what cannot be reduced: it ends without an error where the model fails.
std::string script_without_command(const Reproduction& reproduction, bool has_inputs) {
  return "command -v polygraphy > /dev/null || {\n"
         "  echo 'polygraphy is not in PATH: nothing was checked' >&2\n"
         "  exit 127\n"
         "}\n"
         "if output=$(polygraphy debug reduce \"$here/model.onnx\" -o /dev/null "
         "--save-debug-replay ''" +
         std::string(has_inputs ? " --load-inputs \"$here/inputs.json\"" : "") + " " +
         reproduction.options +
         " 2>&1); then\n  echo \"$output\" | grep '^\\[E\\]'\n  echo 'The model fails.'\n  exit "
         "1\nfi\ncase $output in\n*'The check passes on the model itself'*) echo 'The model "
         "passes.' ;;\n*)\n  echo \"$output\" >&2\n  echo 'The check failed to run.' >&2\n  exit "
         "2\n  ;;\nesac\n";
}

std::string script_for(const Reproduction& reproduction, bool has_inputs) {
  std::string text =
      "#!/bin/sh\n# Checks model.onnx beside this script. Run it in the folder of the reduction, "
      "where the check finds\n# its files.\nhere=$(cd \"$(dirname \"$0\")\" && pwd)\n";
  if (reproduction.command.empty()) {
    return text + script_without_command(reproduction, has_inputs);
  }
  text += "POLYGRAPHY_DEBUG_MODEL=$here/model.onnx\nexport POLYGRAPHY_DEBUG_MODEL\n";
  const bool fixed = names_one_file_only(reproduction.command, reproduction.artifact);
  if (fixed) {
    const std::string name = shell_word(reproduction.artifact);
    text += "# The command looks for this file.\n[ -e " + name + " ] && { echo " + name +
            " already exists; exit 2; }\ncp \"$here/model.onnx\" " + name +
            " || exit 2\ntrap 'rm -f " + name + "' EXIT\n";
  }
  // {model} becomes the path, outside of the quotes.
  const auto with_path = [](std::string word, const std::string& path) {
    for (size_t at = 0; (at = word.find("{model}", at)) != std::string::npos; at += path.size()) {
      word.replace(at, 7, path);
    }
    return word;
  };
  const std::vector<std::string>& command = reproduction.command;
  std::string line;
  if (command.size() == 3 && command[0] == "sh" && command[1] == "-c") {
    return text + with_path(command[2], "\"$POLYGRAPHY_DEBUG_MODEL\"") + "\n";
  }
  for (const std::string& word : command) {
    line +=
        (line.empty() ? "" : " ") + with_path(shell_word(word), "'\"$POLYGRAPHY_DEBUG_MODEL\"'");
  }
  return text + line + "\n";
}

// Of all libraries, and of those Pythons that the check names: to start the others takes seconds.
std::string versions(const Reproduction& reproduction) {
  std::string text = std::string(kFirstWord) + std::string(kVersion) +
                     " (compatible with Polygraphy " + std::string(kCompatibleVersion) + ")\n";
  std::string check = reproduction.options + " " + reproduction.runners;
  for (const std::string& word : reproduction.command) check += " " + word;
  const auto is_involved = [&](const pgb_backend_options& backend) {
    return !backend.python_module || check.find(backend.name) != std::string::npos;
  };
  const BackendCatalog catalog(reproduction.tools.paths.plugin_dirs);
  for (const pgb_backend_options* backend : catalog.tables()) {
    if (!is_involved(*backend)) continue;
    const std::string version = library_version(backend->name, reproduction.tools);
    if (!version.empty()) text += std::string(backend->name) + " " + version + "\n";
  }
  return text;
}

std::string readme(const Reproduction& reproduction, bool has_inputs) {
  std::string text =
      "# A failing model\n\n`model.onnx` is a failing model, reduced by `polygraphy debug "
      "reduce`.\n\n";
  if (!reproduction.summary.empty()) text += reproduction.summary + ".\n\n";
  if (!reproduction.failure.empty()) {
    text += "It fails like this:\n\n    " + reproduction.failure + "\n\n";
  }
  text += "To see it fail, run the check again:\n\n    sh " +
          shell_word(reproduction.typed + "/check.sh") + "\n\n";
  if (has_inputs) {
    text +=
        "`inputs.json` has its input data: the inputs of the reduction, and the recorded values of "
        "removed nodes. To run the model on them:\n\n    polygraphy run model.onnx " +
        (reproduction.runners.empty() ? "--onnxrt" : reproduction.runners) +
        " --load-inputs inputs.json\n\n";
  }
  return text + "`versions.txt` lists the versions that reproduced the failure.\n";
}

}  // namespace

bool is_reproduction(const std::string& folder) {
  std::ifstream file(fs::path(folder) / kMark);
  std::string text(kFirstWord.size(), '\0');
  return file.read(text.data(), static_cast<std::streamsize>(text.size())) && text == kFirstWord;
}

void write_reproduction(const Reproduction& reproduction, const Model& model,
                        const std::function<void(const std::string& path)>& write, Logger& log) {
  const fs::path folder = reproduction.folder;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw IoError("Cannot make the folder " + reproduction.typed + ": " + error.message());
  }
  write_file((folder / kMark).string(), versions(reproduction));
  write((folder / "model.onnx").string());
  const bool has_inputs = reproduction.inputs &&
                          write_inputs(reproduction, model, (folder / "inputs.json").string(), log);
  const std::string script = (folder / "check.sh").string();
  write_file(script, script_for(reproduction, has_inputs));
  make_executable(script);
  write_file((folder / "README.md").string(), readme(reproduction, has_inputs));
  log.info(kReduce, "Saving a reproduction of the failure to: " + reproduction.typed);
}

}  // namespace polygraphy
