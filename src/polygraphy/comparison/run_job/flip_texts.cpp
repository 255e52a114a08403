#include "polygraphy/comparison/run_job/flip_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "polygraphy/data/inputs/prompts.h"

namespace polygraphy {

void add_texts(std::vector<TokenFlip>& flips, const std::string& tokenizer, UserPython& python,
               Logger& log) {
  std::error_code ignored;
  if (flips.empty() || tokenizer.empty() || !std::filesystem::exists(tokenizer, ignored)) return;
  std::map<int64_t, std::string> texts;
  for (const TokenFlip& flip : flips) {
    for (const std::optional<int64_t>& token : {flip.token, flip.instead}) {
      if (token) texts.emplace(*token, std::string());
    }
  }
  std::vector<int64_t> ids;
  for (const auto& [id, text] : texts) ids.push_back(id);
  try {
    const std::vector<std::string> found = token_texts(ids, tokenizer, python);
    for (size_t i = 0; i < std::min(ids.size(), found.size()); ++i) texts[ids[i]] = found[i];
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    log.verbose(log_modules::kComparator,
                fmt::format("Tokens stay numbers: {}", std::string(error.what())));
    return;
  }
  for (TokenFlip& flip : flips) {
    if (flip.token) flip.text = texts[*flip.token];
    if (flip.instead) flip.instead_text = texts[*flip.instead];
  }
}

std::vector<std::string> lines_of(const std::vector<TokenFlip>& flips, size_t most) {
  std::vector<std::string> lines;
  for (const bool wrong : {true, false}) {
    for (const TokenFlip& flip : flips) {
      if (flip.wrong != wrong || lines.size() == most) continue;
      if (flip.text.empty() && flip.instead_text.empty()) continue;
      lines.push_back(fmt::format("sample {}, {}: {} became {}, {}", flip.sample, flip.place,
                                  py_str_repr(flip.text), py_str_repr(flip.instead_text),
                                  wrong ? "wrong" : "a near tie"));
    }
  }
  return lines;
}

}  // namespace polygraphy
