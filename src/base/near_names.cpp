#include "base/near_names.h"

#include <algorithm>

#include "base/text.h"

namespace polygraphy {
namespace {

constexpr size_t kListed = 8;
constexpr size_t kLongestAbbreviated = 16;  // of longer names, most words are abbreviations

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// "Softmax" of "/layers.0/Softmax_169".
std::string_view stem_of(std::string_view name) {
  name.remove_prefix(name.rfind('/') + 1);
  return name.substr(0, name.find_last_not_of("_0123456789") + 1);
}

// The letters of `word` occur in `name` in this order, the first one in front.
bool abbreviates(std::string_view word, std::string_view name) {
  if (word.size() < 2 || name.size() > kLongestAbbreviated || name.empty()) return false;
  if (lower(word.front()) != lower(name.front())) return false;
  size_t met = 0;
  for (const char c : name) met += met < word.size() && lower(c) == lower(word[met]);
  return met == word.size();
}

}  // namespace

std::vector<std::string_view> near_names(std::string_view word,
                                         std::span<const std::string_view> names, size_t most) {
  std::vector<std::string_view> near, left(names.begin(), names.end());
  if (word.empty()) return near;
  while (near.size() < most) {
    const std::string_view one = closest_match(word, left);
    if (one.empty()) break;
    near.push_back(one);
    std::erase(left, one);
  }
  const auto take_if = [&](auto&& fits) {
    for (size_t i = 0; i < left.size() && near.size() < most; ++i) {
      if (fits(left[i])) near.push_back(left[i]);
    }
  };
  const std::string wanted = to_lower(word);
  take_if([&](auto one) { return to_lower(one).find(wanted) != std::string::npos; });
  if (!near.empty()) return near;
  std::vector<std::string_view> stems;
  for (const std::string_view one : left) stems.push_back(stem_of(one));
  const std::string_view stem = closest_match(stem_of(word), stems);
  if (!stem.empty()) take_if([&](auto one) { return stem_of(one) == stem; });
  if (near.empty()) take_if([&](auto one) { return abbreviates(word, one); });
  return near;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> names,
                         std::string_view prefix) {
  const std::vector<std::string_view> near = near_names(word, names);
  std::string text;
  for (size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += i + 1 == near.size() ? " or " : ", ";
    text.append("'").append(prefix).append(near[i]).append("'");
  }
  return text.empty() ? text : "Did you mean " + text + "?";
}

std::string shortened(std::span<const std::string_view> names) {
  // "and 1 more" is longer than most names.
  if (names.size() <= kListed + 1) return join(names, ", ");
  return join(names.first(kListed), ", ") + " and " + std::to_string(names.size() - kListed) +
         " more";
}

std::string unknown_name_hint(std::string_view word, std::span<const std::string_view> names,
                              std::string_view what) {
  std::string text = did_you_mean(word, names);
  if (names.empty() || (!text.empty() && names.size() > kListed + 1)) return text;
  if (!text.empty()) text += "\n";
  return text.append(what) + ": " + shortened(names) + ".";
}

}  // namespace polygraphy
