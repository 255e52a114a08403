#include "cli/command_list.h"

#include <algorithm>

#include "base/error.h"
#include "base/near_names.h"
#include "base/text.h"

namespace polygraphy::cli {

std::vector<const Command*> subcommands(std::string_view path) {
  std::vector<const Command*> result;
  for (const Command* command : commands()) {
    const size_t space = command->path.rfind(' ');
    const auto parent =
        space == std::string_view::npos ? std::string_view() : command->path.substr(0, space);
    if (parent == path) result.push_back(command);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](auto* a, auto* b) { return a->order < b->order; });
  return result;
}

const Command& command_of_job(std::string_view path) {
  std::vector<std::string_view> known;
  for (const Command* command : commands()) {
    if (!command->run || command->path == "job") continue;
    if (command->path == path) return *command;
    known.push_back(command->path);
  }
  throw Error("no job has the command '" + std::string(path) + "'", did_you_mean(path, known));
}

std::string as_called(const std::string& executable, std::string text) {
  const std::string usual = "polygraphy ",
                    name = executable.substr(executable.rfind('/') + 1) + " ";
  if (name == usual) return text;
  text = replace_all(text, "usage: " + usual, "usage: " + name);
  for (const Command* tool : subcommands("")) {
    const std::string path(tool->path);
    text = replace_all(text, usual + path, name + path);
  }
  return text;
}

std::unique_ptr<Syntax> root_syntax() {
  return Syntax::of_root(subcommands(""));
}

std::unique_ptr<Syntax> syntax_of(const Command& command,
                                  std::span<const pgb_backend_options* const> backends) {
  return Syntax::of(command, backends, subcommands(command.path));
}

}  // namespace polygraphy::cli
