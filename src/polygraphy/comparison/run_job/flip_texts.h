// Texts of the tokens that flip.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/verdict/token_counts.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {

// Sets TokenFlip::text and instead_text by a file tokenizer.json. Without effect where there are no
// flips or no such file, or where the user's Python cannot read it, which a verbose line says.
void add_texts(std::vector<TokenFlip>& flips, const std::string& tokenizer, UserPython& python,
               Logger& log);

// "sample 0, logits[0, 5]: 'Paris' became 'London', wrong": of flips with texts, the wrong ones
// first, `most` at the most.
std::vector<std::string> lines_of(const std::vector<TokenFlip>& flips, size_t most);

}  // namespace polygraphy
