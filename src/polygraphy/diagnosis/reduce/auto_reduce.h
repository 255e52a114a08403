// `debug reduce --mode auto`: the smallest part of a model that fails, wherever it lies.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/diagnosis/reduce/classic_reduce.h"
#include "polygraphy/diagnosis/reduce/intermediates/intermediates.h"

namespace polygraphy {

// Runs all shrinkers in turn (shrinker.h) until no shrinker finds a reduction: the result fails,
// and each of its nodes is necessary. Tensors without a remaining producer become inputs.
//
// First the model itself is checked, twice, to see whether it fails each time; if not, every
// candidate that passes is checked up to three times. If it passes, it is checked with all of its
// tensors as outputs, then with those inside bodies and functions; if one of these fails, it is
// reduced; else the nodes named in `start_at` are tried alone and with their neighbours. The search
// starts at the nodes named in `start_at` (start_search.h), or else at the output of such a model
// that the check named. Then a trivial model is checked: a check that fails on that, too, is
// useless. The test should let only one way of failing count (OtherFailures::kPass). Throws Error
// for such a check (kCheckDecidesNothing), and as classic_reduce(). The test should cache.
inline constexpr ErrorCode kCheckDecidesNothing{"check-decides-nothing"};
Reduction auto_reduce(const graphsurgeon::Model& model, Intermediates& intermediates,
                      CandidateTester& test, Logger& log,
                      const std::vector<std::string>& start_at = {});

}  // namespace polygraphy
