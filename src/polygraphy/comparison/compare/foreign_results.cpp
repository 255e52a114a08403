#include "polygraphy/comparison/compare/foreign_results.h"

#include <optional>

#include "polygraphy/comparison/compare/pairing.h"

namespace polygraphy {
namespace {

// Which outputs are compared. Guesses are logged when they are.
std::vector<std::optional<size_t>> partners_of(const IterationResult& one,
                                               const IterationResult& other) {
  Logger silent;
  OutputPairing pairing(one.outputs, other.outputs);
  std::vector<std::optional<size_t>> partners(one.outputs.size());
  for (size_t i = 0; i < partners.size(); ++i) {
    if (const auto partner = pairing.partner(i, other.runner_name, silent))
      partners[i] = partner->place;
  }
  return partners;
}

}  // namespace

void ForeignResults::check(const std::vector<IterationResult>& results) {
  std::vector<const IterationResult*> present;
  for (const IterationResult& result : results) {
    if (!result.failed) present.push_back(&result);
  }
  static const IterationResult none;
  if (present.size() == 1) present.push_back(&none);
  std::optional<Dump> last;  // of the one before, if it was needed
  for (size_t i = 0; i + 1 < present.size(); ++i) {
    const IterationResult &first = *present[i], &second = *present[i + 1];
    if (!first.made_elsewhere && !second.made_elsewhere) {
      last.reset();
      continue;
    }
    const Dump one = last ? std::move(*last) : dump_of(first);
    Dump other = dump_of(second);
    const bool both = first.made_elsewhere && second.made_elsewhere;
    const DumpPair forward{one, other, partners_of(first, second), both};
    if (first.made_elsewhere) lint_.check(forward);
    if (second.made_elsewhere) lint_.check({other, one, partners_of(second, first), both});
    lint_.count_zeros(forward);
    last = std::move(other);
  }
}

void ForeignResults::qualify(Verdict& verdict) const {
  if (verdict.agreement != Agreement::kAgrees) return;
  const std::string zeros = lint_.zeros_text();
  if (lint_.only_zeros()) verdict.agreement = Agreement::kNotCompared;
  if (verdict.reason.empty()) verdict.reason = zeros;
}

}  // namespace polygraphy
