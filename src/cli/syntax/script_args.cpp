#include "cli/syntax/script_args.h"

namespace polygraphy::cli {

std::optional<ScriptSymbol> typed_symbol(const ParsedArgs& args, std::string_view option,
                                         std::string_view fallback) {
  if (args.syntax().find(option) == nullptr) return std::nullopt;
  const auto text = args.text(option);
  return text ? std::optional(parse_script_symbol(*text, fallback)) : std::nullopt;
}

std::optional<ScriptSymbol> symbol_of(const ParsedArgs& args, const Environment& env,
                                      std::string_view option, std::string_view fallback) {
  auto symbol = typed_symbol(args, option, fallback);
  if (symbol) symbol->path = env.path(symbol->path);
  return symbol;
}

}  // namespace polygraphy::cli
