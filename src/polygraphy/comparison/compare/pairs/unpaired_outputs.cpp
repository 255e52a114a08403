#include "polygraphy/comparison/compare/pairs/unpaired_outputs.h"

#include <fmt/format.h>

#include <set>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {

namespace {

using log_modules::kCompare;

std::string list_text(const ArrayMap& outputs) {
  std::vector<std::string> names;
  for (const auto& [name, array] : outputs) names.push_back(name);
  return py_list_repr(names);
}

std::set<std::string_view> sequences_of(const ArrayMap& outputs) {
  std::set<std::string_view> sequences;
  for (const auto& [name, array] : outputs) {
    if (const auto item = item_of_array(name)) sequences.insert(item->sequence);
  }
  return sequences;
}

}  // namespace

std::vector<std::string_view> unpaired(const IterationResult& result,
                                       const std::vector<ComparedPair>& compared,
                                       std::string_view ComparedPair::* name_of) {
  if (compared.size() == result.outputs.size()) return {};
  std::set<std::string_view> paired;
  for (const ComparedPair& one : compared) paired.insert(one.*name_of);
  std::vector<std::string_view> names;
  for (const auto& [name, array] : result.outputs) {
    if (!paired.contains(name)) names.push_back(name);
  }
  return names;
}

std::vector<std::string> unpaired_items(const IterationResult& result0,
                                        const IterationResult& result1,
                                        const std::vector<ComparedPair>& compared, bool first,
                                        Logger& log) {
  std::vector<std::string> unmatched;
  const auto judge = [&](const IterationResult& longer, const IterationResult& shorter,
                         auto name_of) {
    std::vector<std::string> surplus, unknown;
    const std::set<std::string_view> sequences = sequences_of(shorter.outputs);
    for (const std::string_view name : unpaired(longer, compared, name_of)) {
      const auto item = item_of_array(name);
      if (item) (sequences.contains(item->sequence) ? surplus : unknown).emplace_back(name);
    }
    if (!surplus.empty()) {
      log.error(kCompare,
                fmt::format("FAILED | Sequences differ in length | Only {} has these items: {}",
                            longer.runner_name, py_list_repr(surplus)));
    }
    if (!unknown.empty() && first) {
      log.warning(kCompare,
                  fmt::format("Only {} has these items of sequences, which were not compared: {}",
                              longer.runner_name, py_list_repr(unknown)));
    }
    unmatched.insert(unmatched.end(), surplus.begin(), surplus.end());
  };
  judge(result0, result1, &ComparedPair::name0);
  judge(result1, result0, &ComparedPair::name1);
  return unmatched;
}

void require_common_outputs(const IterationResult& result0, const IterationResult& result1) {
  if (result0.outputs.empty() && result1.outputs.empty()) return;
  throw Error(
      "All outputs were skipped, no common outputs found! Note:",
      fmt::format("{} outputs: {}\n{} outputs: {}", result0.runner_name, list_text(result0.outputs),
                  result1.runner_name, list_text(result1.outputs)));
}

void refuse_unjudged(std::string_view metric, const IterationResult& result) {
  throw Error(
      fmt::format("{} needs logits, but no common output has them", metric),
      fmt::format("Outputs: {}. Name the output with the logits.", list_text(result.outputs)));
}

}  // namespace polygraphy
