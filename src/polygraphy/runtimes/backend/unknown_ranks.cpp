#include "polygraphy/runtimes/backend/unknown_ranks.h"

#include <algorithm>
#include <array>

namespace polygraphy {

bool wants_known_ranks(std::string_view message) {
  constexpr std::array<std::string_view, 6> kPhrases = {
      "dynamic rank",  "rank().is_static()", "rank has to be known",
      "dynamic shape", "dynamic dimension",  "unknown rank",
  };
  return std::any_of(kPhrases.begin(), kPhrases.end(), [&](std::string_view phrase) {
    return message.find(phrase) != std::string_view::npos;
  });
}

}  // namespace polygraphy
