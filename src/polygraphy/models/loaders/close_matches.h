// "Did you mean one of": the names most like a word, as the original finds them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

// How alike two texts are, 0 to 1: twice the characters in matching blocks (longest block first,
// then left and right of it; Ratcliff and Obershelp) over all characters. The same figure as
// Python's difflib gives without its heuristics for texts beyond 200 characters. O(|a| x |b|) and
// worse: for names.
double similarity(std::string_view a, std::string_view b);

// At most five candidates with a similarity of at least 0.6, best first; among equals the
// alphabetically last first.
std::vector<std::string> close_matches(std::string_view word,
                                       std::span<const std::string> candidates);

}  // namespace polygraphy
