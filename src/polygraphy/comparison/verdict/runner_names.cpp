#include "polygraphy/comparison/verdict/runner_names.h"

namespace polygraphy {
namespace {

constexpr std::string_view kTime = "-00/00/00-00:00:00";

bool is_time(std::string_view text) {
  if (text.size() < kTime.size()) return false;
  for (size_t i = 0; i < kTime.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kTime[i] == '0' ? !digit : text[i] != kTime[i]) return false;
  }
  return true;
}

}  // namespace

std::string_view without_time(std::string_view runner) {
  if (runner.size() <= kTime.size()) return runner;
  const size_t end = runner.size() - kTime.size();
  return is_time(runner.substr(end)) ? runner.substr(0, end) : runner;
}

std::string without_times(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const bool time = text.front() == '-' && is_time(text);
    if (!time) result += text.front();
    text.remove_prefix(time ? kTime.size() : 1);
  }
  return result;
}

}  // namespace polygraphy
