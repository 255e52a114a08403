#include "cli/completions/command_tables.h"

#include "base/text.h"
#include "cli/command_list.h"
#include "cli/syntax/help.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {

std::vector<CommandTable> command_tables() {
  std::vector<CommandTable> tables;
  const auto add = [&](const Command* command, std::unique_ptr<Syntax> syntax) {
    CommandTable& table = tables.emplace_back();
    table.command = command;
    table.path = command ? command->path : std::string_view();
    table.subcommands = subcommands(table.path);
    for (const auto& entry : syntax->entries()) {
      if (is_listed(entry)) table.entries.push_back(&entry);
    }
    table.syntax = std::move(syntax);
  };
  add(nullptr, root_syntax());
  for (const Command* tool : subcommands("")) {
    add(tool, syntax_of(*tool, backend_option_tables()));
    for (const Command* leaf : subcommands(tool->path))
      add(leaf, syntax_of(*leaf, backend_option_tables()));
  }
  return tables;
}

std::string_view last_word(std::string_view path) {
  return path.substr(path.rfind(' ') + 1);
}

std::string first_sentence(std::string_view help) {
  const size_t end = help.find(". ");
  std::string_view sentence = help.substr(0, end);
  if (sentence.ends_with('.')) sentence.remove_suffix(1);
  return std::string(sentence);
}

std::string single_quoted(std::string_view text) {
  return "'" + replace_all(text, "'", "'\\''") + "'";
}

}  // namespace polygraphy::cli
