#include "polygraphy/comparison/dump_lint/dump_lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/arrays/dtype.h"
#include "base/log_modules.h"
#include "base/text.h"

namespace polygraphy {
namespace {

// Names of tensors in a message.
constexpr size_t kShown = 3;

std::string message_of(const DumpTrap& trap, const Dump& dump, std::vector<std::string> found) {
  const size_t count = found.size();
  found.resize(std::min(count, kShown));
  return fmt::format("Outputs of {} {}: {}{} ({} of {}). {}", dump.name, trap.seen,
                     join(found, ", "), and_more(count, kShown, " "), count, dump.tensors.size(),
                     trap.remedy);
}

constexpr int64_t kFewest = 16;  // elements of a tensor that is judged

template <typename Predicate>
bool all_of(const Array& array, Predicate predicate) {
  for (int64_t i = 0; i < array.size(); ++i) {
    if (!predicate(array.get_double(i))) return false;
  }
  return true;
}

bool is_zero(double value) {
  return value == 0;
}

bool is_nan(double value) {
  return std::isnan(value);
}

// Quick where all bits are 0, which most zeros are.
bool all_zero(const Array& array) {
  if (!is_zero(array.get_double(0))) return false;
  const Array whole = array.contiguous_aligned();
  const std::byte* data = whole.data();
  const auto size = static_cast<size_t>(whole.nbytes());
  if (data[0] == std::byte{0} && std::memcmp(data, data + 1, size - 1) == 0) return true;
  return all_of(whole, is_zero);
}

TensorTraits traits_of(std::string name, const Array& array) {
  TensorTraits traits{.name = std::move(name),
                      .size = array.size(),
                      .floats = kind_of(array.dtype()) == Kind::kFloat && array.size() >= kFewest};
  if (!traits.floats) return traits;
  traits.zeros = all_zero(array);
  traits.nans = all_of(array, is_nan);
  return traits;
}

}  // namespace

std::string quoted(std::string_view name) {
  return fmt::format("'{}'", name);
}

Dump dump_of(const IterationResult& result) {
  Dump dump{.name = result.runner_name};
  for (size_t i = 0; i < result.outputs.size(); ++i)
    dump.tensors.push_back(traits_of(result.outputs.at_index(i).first, result.output(i)));
  return dump;
}

void DumpLint::check(const DumpPair& pair) {
  for (const DumpTrap* trap : dump_traps()) {
    if (warned_.contains({pair.dump.name, trap})) continue;
    std::vector<std::string> found = trap->find(pair);
    if (found.empty()) continue;
    log_.warning(log_modules::kComparator, message_of(*trap, pair.dump, std::move(found)));
    warned_.insert({pair.dump.name, trap});
  }
}

void DumpLint::count_zeros(const DumpPair& pair) {
  for (size_t i = 0; i < pair.dump.tensors.size(); ++i) {
    const TensorTraits* partner = pair.partner(i);
    if (!partner) continue;
    const TensorTraits& tensor = pair.dump.tensors[i];
    const std::string key = fmt::format("{}\n{}\n{}", pair.dump.name, pair.other.name, tensor.name);
    const bool zeros = tensor.zeros && partner->zeros && tensor.size == partner->size;
    const auto [place, added] = zeros_.try_emplace(key, zeros);
    if (!added) place->second &= zeros;
  }
}

bool DumpLint::only_zeros() const {
  return !zeros_.empty() && std::all_of(zeros_.begin(), zeros_.end(),
                                        [](const auto& output) { return output.second; });
}

std::string DumpLint::zeros_text() const {
  const auto count =
      std::count_if(zeros_.begin(), zeros_.end(), [](const auto& output) { return output.second; });
  if (count == 0) return {};
  return fmt::format("{} of {} outputs {} all zero on both sides", count, zeros_.size(),
                     count == 1 ? "is" : "are");
}

}  // namespace polygraphy
