// Splits and quotes shell command lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

// As a POSIX shell splits it (blanks, '…', "…", \), without any expansion: signs that mean
// something to a shell mean themselves. Throws Error for a quote that is not closed.
std::vector<std::string> shell_words(std::string_view line);

// The word quoted for a POSIX shell, if it needs quotes.
std::string shell_word(std::string_view word);

// All of them, with blanks between.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace polygraphy
