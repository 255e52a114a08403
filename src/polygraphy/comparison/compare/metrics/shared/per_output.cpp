#include "polygraphy/comparison/compare/metrics/shared/per_output.h"

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/near_names.h"

namespace polygraphy {
namespace {

// Python's repr of a set, in the order given (Python's own order changes from run to run).
std::string set_repr(const std::vector<std::string>& items) {
  std::string text = "{";
  for (const std::string& item : items) {
    if (text.size() > 1) text += ", ";
    text += py_str_repr(item);
  }
  return text + "}";
}

// An output, or the sequence of one.
bool names_output(const std::string& key, const ArrayMap& outputs) {
  return outputs.contains(key) ||
         std::any_of(outputs.begin(), outputs.end(), [&](const auto& output) {
           const auto item = item_of_array(output.first);
           return item && item->sequence == key;
         });
}

}  // namespace

void warn_of_extra_items(std::string_view option, const std::vector<std::string>& keys,
                         const ArrayMap& outputs0, const ArrayMap& outputs1, Logger& log) {
  std::vector<std::string> extra;
  for (const std::string& key : keys) {
    if (!key.empty() && !names_output(key, outputs0) && !names_output(key, outputs1))
      extra.push_back(key);
  }
  if (extra.empty()) return;
  std::vector<std::string> requested{""};
  for (const auto& [name, array] : outputs0) {
    if (!name.empty()) requested.push_back(name);
  }
  for (const auto& [name, array] : outputs1) {
    if (!name.empty() && !outputs0.contains(name)) requested.push_back(name);
  }
  const std::vector<std::string_view> outputs(requested.begin() + 1, requested.end());
  const std::string meant = did_you_mean(extra.front(), outputs);
  log.warning(log_modules::kUtil,
              "Extra items in the " + std::string(option) + " dictionary: " + set_repr(extra) +
                  ".\nNote: items requested were: " + set_repr(requested) +
                  ", but all items are: " + set_repr(keys) + (meant.empty() ? "" : "\n" + meant));
}

}  // namespace polygraphy
