#include "cli/syntax/missing_space.h"

#include <string_view>

#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

const Syntax::Entry* option(const Syntax& syntax, std::string_view word) {
  const auto* entry = syntax.find(word);
  return entry && !entry->positional() ? entry : nullptr;
}

// --name=value.
bool has_value(const Syntax& syntax, std::string_view word) {
  const size_t equals = word.find('=');
  return equals != std::string_view::npos && option(syntax, word.substr(0, equals));
}

// Appends the parts of a word that begins with an option's full name; false when it does not.
bool take_apart(const Syntax& syntax, std::string_view word, std::vector<std::string>& out) {
  if (option(syntax, word) || has_value(syntax, word)) {
    out.emplace_back(word);
    return true;
  }
  const size_t bracket = word.find('[');
  if (bracket != std::string_view::npos && option(syntax, word.substr(0, bracket))) {
    out.emplace_back(word.substr(0, bracket));
    out.emplace_back(word.substr(bracket));
    return true;
  }
  for (size_t at = word.find("--", 2); at != std::string_view::npos; at = word.find("--", at + 1)) {
    if (!option(syntax, word.substr(0, at))) continue;
    std::vector<std::string> rest;
    if (!take_apart(syntax, word.substr(at), rest)) continue;
    out.emplace_back(word.substr(0, at));
    out.insert(out.end(), rest.begin(), rest.end());
    return true;
  }
  return false;
}

// How many of the words behind an option are its values in any form: all for an option that takes
// the rest of the line, the first for a shell command.
size_t words_taken(const Syntax& syntax, const std::string& word,
                   std::span<const std::string> rest) {
  const auto* entry = option(syntax, word);
  if (!entry) return 0;
  switch (entry->option->arity) {
    case Arity::kRemainder:
      return rest.size();
    case Arity::kCommand:
      return rest.size() > 1 && is_shell_command(rest.front()) ? 1 : rest.size();
    default:
      return 0;
  }
}

}  // namespace

std::vector<std::string> insert_missing_spaces(const Syntax& syntax,
                                               std::span<const std::string> args) {
  constexpr std::string_view kAll = "all--";
  std::vector<std::string> words;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg == "--") {
      words.insert(words.end(), args.begin() + static_cast<std::ptrdiff_t>(i), args.end());
      break;
    }
    if (const size_t taken = words_taken(syntax, arg, args.subspan(i + 1))) {
      const auto own = args.subspan(i, 1 + taken);
      words.insert(words.end(), own.begin(), own.end());
      i += taken;
      continue;
    }
    if (arg.starts_with("--") && take_apart(syntax, arg, words)) continue;
    if (i > 0 && args[i - 1] == "mark" && arg.starts_with(kAll) &&
        option(syntax, std::string_view(arg).substr(3))) {
      words.emplace_back("all");
      words.emplace_back(arg.substr(3));
      continue;
    }
    words.push_back(arg);
  }
  return words;
}

}  // namespace polygraphy::cli
