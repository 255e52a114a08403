#include "failures.h"

#include <cstdlib>
#include <string_view>

namespace tensorrt_double {
namespace {

// The entry of the list for `name`: "name" or "name:argument".
std::optional<std::string> entry(std::string_view name) {
  const char* variable = std::getenv("PG_TENSORRT_DOUBLE_FAIL");
  std::string_view list = variable ? variable : "";
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    if (one == name || (one.starts_with(name) && one[name.size()] == ':')) return std::string(one);
  }
  return std::nullopt;
}

}  // namespace

bool shall_fail(const char* name) {
  return entry(name).has_value();
}

std::optional<std::string> failure_argument(const char* name) {
  const std::optional<std::string> found = entry(name);
  const size_t colon = found ? found->find(':') : std::string::npos;
  if (colon == std::string::npos) return std::nullopt;
  return found->substr(colon + 1);
}

}  // namespace tensorrt_double
