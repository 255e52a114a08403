// The characters that Python's repr() does not escape.
#pragma once

namespace polygraphy {

// Python's str.isprintable() for one code point: letters, marks, numbers, punctuation, symbols and
// the plain space are; controls, formats, surrogates, unassigned ones and other separators are not.
bool is_printable(char32_t code_point);

}  // namespace polygraphy
