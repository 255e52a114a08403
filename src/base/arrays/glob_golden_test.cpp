#include <gtest/gtest.h>

#include <iterator>

#include "base/arrays/testdata/golden_inputs.h"
#include "base/glob.h"

namespace polygraphy {
namespace {

TEST(Glob, AgreesWithPythonsFnmatch) {
  constexpr std::string_view kPatternLetters[] = {"a", "b", "-", "*", "?",      "[", "]",
                                                  "!", "[", "]", "-", "\u00e9", "c", "/"};
  constexpr std::string_view kNameLetters[] = {"a", "b", "-", "c", "]", "!", "[", "\u00e9", "/"};
  golden::Random random(5);
  const auto letters = [&](std::span<const std::string_view> alphabet, uint64_t longest) {
    std::string text;
    for (uint64_t left = random.next() % longest; left > 0; --left) {
      text += alphabet[random.next() % alphabet.size()];
    }
    return text;
  };
  int answers = 0;
  for (const auto& line : golden::words("patterns.txt")) {
    for (const std::string& expected : line) {
      const std::string pattern = letters(kPatternLetters, 10);
      for (const char answer : expected) {
        const std::string name = letters(kNameLetters, 6);
        if (answer == '-') continue;
        EXPECT_EQ(Glob(pattern).matches(name), answer == '1') << pattern << " and " << name;
        ++answers;
      }
    }
  }
  EXPECT_GT(answers, 19'000);
}

}  // namespace
}  // namespace polygraphy
