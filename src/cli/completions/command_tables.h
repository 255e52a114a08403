// The option tables of all commands, for the generators of completions and of the man page.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/syntax/command.h"
#include "cli/syntax/syntax.h"

namespace polygraphy::cli {

struct CommandTable {
  const Command* command = nullptr;  // null: the executable itself
  std::string_view path;             // "" for the executable
  std::vector<const Command*> subcommands;
  std::unique_ptr<Syntax> syntax;
  std::vector<const Syntax::Entry*> entries;  // those that help lists
};

// The executable, then every command, groups before their leaves.
std::vector<CommandTable> command_tables();

std::string_view last_word(std::string_view path);  // "inspect model" -> "model"
std::string first_sentence(std::string_view help);  // without its full stop
std::string single_quoted(std::string_view text);   // for POSIX shells

}  // namespace polygraphy::cli
