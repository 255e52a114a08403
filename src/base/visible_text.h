// Text of models, files and runtimes on its way to people.
#pragma once

#include <string>
#include <string_view>

namespace polygraphy {

// `text` with escapes (\x1b, \x9d, \u202e) for characters by which a name could write to the
// clipboard, move the cursor or turn text around: control characters but line breaks and tabs, and
// controls of the direction of writing. The colours of the messages themselves stay. `storage`
// holds the result where it differs. O(length); nothing is copied where nothing is escaped.
std::string_view visible(std::string_view text, std::string& storage);

// Controls of the direction of writing, which turn the text behind them around.
bool turns_text_around(char32_t c);

}  // namespace polygraphy
