// `run --validate`: outputs may hold neither NaN nor infinity.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/arrays/array.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/comparison/compare/comparison_observer.h"
#include "polygraphy/comparison/run/result_stream.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// The values to search for. NaNs are not finite, so `infinities` finds them, too.
struct OutputChecks {
  bool infinities = true, nans = true;
};

// Logs the verdict on one output; `context` goes between the runner's name and the message
// ("Iteration 0 | ").
bool validate_output(std::string_view runner, std::string_view context, const std::string& name,
                     const Array& output, Logger& log, const OutputChecks& checks = {});

// The sequential form: every output of a run, with a header and a verdict on the whole. Returns
// true if all are valid. `observer` receives each output; may be null.
bool validate_run(const RunResults& run, Logger& log, ComparisonObserver* observer = nullptr);

// Of the error of validated(): a check failed, and all ran.
inline constexpr ErrorCode kInvalidOutputs{"invalid-outputs"};

// The streaming form: hands on the inner stream's results when they are valid, and throws Error at
// the first output that is not, after `observer` has seen the others of the iteration, too.
std::unique_ptr<ResultStream> validated(std::unique_ptr<ResultStream> inner, Logger& log,
                                        ComparisonObserver* observer = nullptr);

}  // namespace polygraphy
